# SPDX-License-Identifier: Apache-2.0

"""The fault matrix: each volume flow with each call to Cinder failing.

``inside`` runs in Nova's process; the rest starts that and judges what it
tells.
"""
