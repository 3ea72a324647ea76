# SPDX-License-Identifier: Apache-2.0

"""What a user may see and do of another project, and a reader of its own.

It runs in the environment of a base, on the cloud of ``fault_matrix``.
"""
