# SPDX-License-Identifier: Apache-2.0

"""Send requests and print each result as a line of JSON."""

import argparse
import random

from inside_nova.embedded_nova import program

# So many requests may change something before all is made anew.
CHANGES = 15


def main():
    parser = argparse.ArgumentParser(prog='bad_input')
    parser.add_argument('--number', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()

    program.patch()
    from inside_nova.bad_input import probe
    from inside_nova.fault_matrix import cloud

    nova = cloud.MatrixNova('runTest')
    nova.up(list(cloud.HOSTS))
    source = random.Random(args.seed)
    left = args.number
    while left:
        left -= probe.run(nova, source, left, CHANGES, program.tell)


if __name__ == '__main__':
    program.run(main)
