# SPDX-License-Identifier: Apache-2.0

"""The patch series: read, apply, revert, verify, lint, export, test."""
