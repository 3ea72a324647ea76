# SPDX-License-Identifier: Apache-2.0

"""Runs Tempest with this project's plugin against a running cloud.

``discover`` asks the cloud what Tempest must know, ``conf`` writes it down,
``workspace`` runs Tempest, ``results`` judges what came of it and
``leftovers`` what it left behind.
"""
