# SPDX-License-Identifier: Apache-2.0

"""The only folder that the processes at a database have on their path."""
