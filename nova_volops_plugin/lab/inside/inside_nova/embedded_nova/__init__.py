# SPDX-License-Identifier: Apache-2.0

"""Nova's services and those it needs, in one process.

Nova runs on its own functional test fixtures: they know how to put the
services of their release into one process with in-memory messaging, SQLite,
a fake libvirt, and stand-ins for Cinder, Glance and Neutron. What is here
gives them a REST API on loopback.

The code has to run on every base's Python, from 3.9 on, and has no
dependency but the base's own.
"""
