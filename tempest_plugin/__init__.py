# SPDX-License-Identifier: Apache-2.0

"""Tempest tests of the volume features that the patch series adds to Nova.

Needs a stock Tempest and a cloud; nothing of Nova and nothing of the tool.
"""
