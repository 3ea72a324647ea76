# SPDX-License-Identifier: Apache-2.0

"""Records which checks passed on which trees, and runs the others.

The catalog names the checks, the records say what came of them and on which
trees, the document shows the records.
"""
