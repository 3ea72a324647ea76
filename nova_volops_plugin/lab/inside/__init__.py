# SPDX-License-Identifier: Apache-2.0

"""The folder in which Nova's interpreter finds ``inside_nova``."""
