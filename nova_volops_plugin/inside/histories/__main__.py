# SPDX-License-Identifier: Apache-2.0

"""Make histories and print each result as a line of JSON."""

import argparse
import importlib
import json
import logging
import sys
import time

from embedded_nova import program


def main():
    # Hypothesis prints what it finds; only results go to who reads them.
    results = sys.stdout
    sys.stdout = sys.stderr
    parser = argparse.ArgumentParser(prog='histories')
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--batches', type=int)
    parser.add_argument('--minutes', type=float)
    parser.add_argument('--size', type=int, default=20)
    parser.add_argument('--steps', type=int, default=8)
    parser.add_argument('--shortening', type=int, default=60)
    parser.add_argument('--known', action='append', default=[])
    args = parser.parse_args()

    # This patches the standard library for eventlet, in releases that use it:
    # no module that knows of threads may be imported before.
    importlib.import_module('nova.tests.functional')
    from fault_matrix import cloud as matrix_cloud
    from histories import batch
    from histories import cloud

    nova = cloud.HistoryNova('runTest')
    nova.up(list(matrix_cloud.HOSTS))
    logging.getLogger('hypothesis').setLevel(logging.WARNING)
    ends = time.monotonic() + 60 * args.minutes if args.minutes else None
    number = args.first
    known = set(args.known)
    while args.batches is None or number < args.first + args.batches:
        if ends and time.monotonic() > ends:
            break
        result = batch.run(
            nova, args.seed * 1000003 + number, args.size, args.steps, known,
            args.shortening)
        result['batch'] = number
        results.write(json.dumps(result) + '\n')
        results.flush()
        number += 1


if __name__ == '__main__':
    program.run(main)
