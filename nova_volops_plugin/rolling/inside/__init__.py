# SPDX-License-Identifier: Apache-2.0

"""The only folder that the processes of a mixed cloud have on their path."""
