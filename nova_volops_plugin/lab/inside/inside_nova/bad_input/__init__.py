# SPDX-License-Identifier: Apache-2.0

"""Requests that are made from the schemas of the API, most of them wrong.

It runs in the environment of a base, on the cloud of ``fault_matrix``.
"""
