# SPDX-License-Identifier: Apache-2.0

"""Packages that run in Nova's interpreter.

The environment of a base executes them, whose Python and libraries are not
those of this package. So they import Nova, what Nova needs and each other, by
their own names, and nothing from here; this folder is on their path.
"""
