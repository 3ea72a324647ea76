# SPDX-License-Identifier: Apache-2.0

"""Requests generated from the API's schemas, most of them invalid.

It runs in the environment of a base, on the cloud of ``fault_matrix``.
"""
