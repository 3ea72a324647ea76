# SPDX-License-Identifier: Apache-2.0

"""A folder that the process of a measured cloud has on its path."""
