# SPDX-License-Identifier: Apache-2.0

"""Clouds of two releases, as during an upgrade."""
