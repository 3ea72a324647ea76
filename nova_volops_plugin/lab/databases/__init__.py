# SPDX-License-Identifier: Apache-2.0

"""Tests of the series' migration on the database servers Nova supports."""
