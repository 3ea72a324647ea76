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
"""Send requests and print what came of each as a line of JSON."""

import importlib
import json
import sys

from embedded_nova import program


def main():
    # This patches the standard library for eventlet, in releases that use it:
    # no module that knows of threads may be imported before.
    importlib.import_module('nova.tests.functional')
    from fault_matrix import cloud
    from two_projects import attempts

    nova = cloud.MatrixNova('runTest')
    nova.up(list(cloud.HOSTS))
    for result in attempts.run(nova):
        sys.stdout.write(json.dumps(result) + '\n')
        sys.stdout.flush()


if __name__ == '__main__':
    program.run(main)
