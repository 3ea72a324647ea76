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

import argparse
import importlib
import json
import random
import sys

from embedded_nova import program

# So many requests may change something before all is made anew.
CHANGES = 15


def main():
    parser = argparse.ArgumentParser(prog='bad_input')
    parser.add_argument('--number', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()

    # This patches the standard library for eventlet, in releases that use it:
    # no module that knows of threads may be imported before.
    importlib.import_module('nova.tests.functional')
    from bad_input import probe
    from fault_matrix import cloud

    nova = cloud.MatrixNova('runTest')
    nova.up(list(cloud.HOSTS))
    source = random.Random(args.seed)
    left = args.number
    while left:
        left -= probe.run(nova, source, left, CHANGES, _print)


def _print(result):
    sys.stdout.write(json.dumps(result) + '\n')
    sys.stdout.flush()


if __name__ == '__main__':
    program.run(main)
