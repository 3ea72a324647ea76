# SPDX-License-Identifier: Apache-2.0

"""The scenarios of the features over REST: one function per file."""
