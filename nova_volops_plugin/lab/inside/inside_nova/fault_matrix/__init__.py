# SPDX-License-Identifier: Apache-2.0

"""Each volume flow of the patched Nova with each call to Cinder failing.

It runs in the environment of a base, on the services of ``embedded_nova``,
in one process and one case after the other.
"""
