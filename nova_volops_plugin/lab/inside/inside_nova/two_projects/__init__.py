# SPDX-License-Identifier: Apache-2.0

"""Checks the access of another project's users and of readers.

It runs in the environment of a base, on the cloud of ``fault_matrix``.
"""
