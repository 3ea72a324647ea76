# SPDX-License-Identifier: Apache-2.0

"""What a base is: its data, its release, its environment.

Nothing here applies a patch.
"""
