# SPDX-License-Identifier: Apache-2.0

"""Clouds of two releases at once, as they are while one is upgraded."""
