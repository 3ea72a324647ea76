# SPDX-License-Identifier: Apache-2.0

"""Measurements: two ways of doing the same, alternating in one run.

``inside`` runs in Nova's process; the rest starts that, asks it and shows
what came of it.
"""
