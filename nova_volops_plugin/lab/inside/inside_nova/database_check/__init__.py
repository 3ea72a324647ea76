# SPDX-License-Identifier: Apache-2.0

"""Operations on a database with the Nova of one tree.

It runs in the environment of a base, one subcommand a process.
"""
