# SPDX-License-Identifier: Apache-2.0

"""A cloud on one machine: Nova of a base and the services it needs.

One module per service. ``series`` gives the trees and environments; nothing
in ``series`` knows of this package.
"""
