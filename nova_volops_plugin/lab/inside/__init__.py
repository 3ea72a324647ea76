# SPDX-License-Identifier: Apache-2.0

"""On the path of Nova's interpreter, which finds ``inside_nova`` here."""
