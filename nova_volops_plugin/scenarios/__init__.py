# SPDX-License-Identifier: Apache-2.0

"""The features' stories, told over REST: one plain function, one file each."""
