# SPDX-License-Identifier: Apache-2.0

"""What tries the series out: faults, upgrades, databases, benchmarks."""
