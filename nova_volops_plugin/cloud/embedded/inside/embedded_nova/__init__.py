# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Nova's services and the neighbours they need, in one process.

Nova runs on its own functional test fixtures: they know how to put the
services of their release into one process with in-memory messaging, SQLite,
a fake libvirt, and stand-ins for Cinder, Glance and Neutron. What is here
gives them a REST API on loopback.

The code has to run on every base's Python, from 3.9 on, and has no
dependency but the base's own.
"""
