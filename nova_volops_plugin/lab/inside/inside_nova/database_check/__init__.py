# SPDX-License-Identifier: Apache-2.0

"""What is done to a database with the Nova of one tree.

It runs in the environment of a base, one subcommand a process.
"""
