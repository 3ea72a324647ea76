# SPDX-License-Identifier: Apache-2.0

"""A mixed Nova: controllers of one release, a compute of another.

Each release runs in a process of its own, in the environment of the base, on
the services of ``embedded_nova``. What crosses the line between them in
production, messages and requests to placement and Cinder, crosses it here.
"""
