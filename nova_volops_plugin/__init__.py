# SPDX-License-Identifier: Apache-2.0

"""A patch series for Nova's volume features, and the tool to test it."""
