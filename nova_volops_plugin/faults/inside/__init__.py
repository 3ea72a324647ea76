# SPDX-License-Identifier: Apache-2.0

"""The only folder that the process of the embedded cloud has on its path."""
