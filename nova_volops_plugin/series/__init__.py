# SPDX-License-Identifier: Apache-2.0

"""The patch series: read, fetch, apply, revert, verify, lint, export, test."""
