# SPDX-License-Identifier: Apache-2.0

"""The real profile: OpenStack on libvirt and Ceph, on one machine as root.

One module per service. :mod:`units` says what a service is, :mod:`profile`
which ones make the cloud.
"""
