# SPDX-License-Identifier: Apache-2.0

"""Bases: their data, releases and environments.

Nothing here applies a patch.
"""
