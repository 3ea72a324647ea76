# SPDX-License-Identifier: Apache-2.0

"""Run histories and print each result as a line of JSON."""

import argparse
import json
import logging
import sys
import time

from inside_nova.embedded_nova import program
from inside_nova.histories import released


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
    parser.add_argument('--known', action='append', default=[])
    parser.add_argument('--guide', type=json.loads, default={})
    parser.add_argument('--again', type=argparse.FileType())
    parser.add_argument('--series')
    args = parser.parse_args()

    if args.series:
        released.take_modules(args.series)
    program.patch()
    if args.series:
        released.ask_as_released()
    from inside_nova.histories import again
    from inside_nova.histories import batch
    from inside_nova.histories import cloud
    from inside_nova.histories import guide
    from inside_nova.histories import operations
    from inside_nova.histories import watchdog

    nova = cloud.HistoryNova('runTest')
    nova.up(list(cloud.HOSTS))
    # To format what goes well takes a tenth of the time.
    for chatty in ('hypothesis', 'nova', 'placement'):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    if args.again:
        for found in json.load(args.again):
            # What does not end would not end here either.
            results.write(json.dumps(found['kind'] != 'hang' and bool(
                again.shows(nova, found['signature'], found['steps']))) + '\n')
            results.flush()
        return
    ends = time.monotonic() + 60 * args.minutes if args.minutes else None
    number = args.first
    known = set(args.known)
    guided = guide.Guide(args.guide, operations.NAMES + operations.BY_HAND)
    while args.batches is None or number < args.first + args.batches:
        if ends and time.monotonic() > ends:
            break
        one = batch.Batch(
            nova, args.seed * 1000003 + number, known, guided)

        def tell(result):
            results.write(json.dumps(dict(result, batch=number)) + '\n')
            results.flush()

        with watchdog.watched(one, tell):
            tell(one.run(args.size, args.steps))
        number += 1
        if one.mistaken:
            # What is left of the cloud is of no use.
            break


if __name__ == '__main__':
    program.run(main)
