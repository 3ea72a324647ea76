# SPDX-License-Identifier: Apache-2.0

"""Benchmarks: variants of an operation that alternate in one run.

``inside`` runs in Nova's process; the rest starts that, asks it and shows
what came of it.
"""
