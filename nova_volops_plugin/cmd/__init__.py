# SPDX-License-Identifier: Apache-2.0

"""The commands, which only parse arguments and print results."""
