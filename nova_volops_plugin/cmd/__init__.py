# SPDX-License-Identifier: Apache-2.0

"""The commands: they parse and print, nothing else."""
