# SPDX-License-Identifier: Apache-2.0

"""What has run on the trees of the bases, and what has to run again.

The catalog names the checks, the records say what came of them and on which
trees, the document shows the records.
"""
