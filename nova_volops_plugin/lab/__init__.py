# SPDX-License-Identifier: Apache-2.0

"""Tests of the series: faults, upgrades, databases, benchmarks."""
