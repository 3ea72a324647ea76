# SPDX-License-Identifier: Apache-2.0

"""The embedded cloud: one process, no root, nothing but Python packages.

``cloud`` starts, asks and stops that process. What runs in it is below
``inside``: it is executed by the environment of the base, whose Python and
libraries are not those of this package, and imports nothing from here.
"""
