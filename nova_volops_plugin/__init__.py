# SPDX-License-Identifier: Apache-2.0

"""Patch series for Nova's volume features, with the tool that proves it."""
