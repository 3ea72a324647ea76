# SPDX-License-Identifier: Apache-2.0

"""The embedded cloud: one process without root.

``cloud`` starts, asks and stops that process. What runs in it is
:mod:`nova_volops_plugin.lab.inside`.
"""
