# SPDX-License-Identifier: Apache-2.0

"""Run the controllers or the compute of a mixed cloud.

The controllers take the steps and print each as a line of JSON; a compute
runs until it is ended. "upgraded" is the compute with the code of the
controllers, which starts when it is asked to. In a chain of upgrades all
computes do, and "neighbours" is what is no part of Nova.
"""

import argparse
import os
import sys
import time

from inside_nova.embedded_nova import program

START_SECONDS = 60


def main():
    parser = argparse.ArgumentParser(prog='mixed_nova')
    parser.add_argument('part', choices=(
        'controllers', 'compute', 'upgraded', 'neighbours'))
    parser.add_argument('folder')
    parser.add_argument('--series', action='store_true',
                        help='whether this part has the series, and Cinder')
    parser.add_argument('--both', action='store_true',
                        help='whether the other part has the series, too')
    parser.add_argument('--story', action='append', default=[])
    parser.add_argument('--neighbours', metavar='FOLDER',
                        help='of a chain: where its neighbours and its '
                             'databases are')
    args = parser.parse_args()
    program.patch()
    from inside_nova.mixed_nova import cloud
    from inside_nova.mixed_nova import link

    if args.neighbours:
        _run_of_chain(args, link)
    elif args.part != 'controllers':
        line = link.Link(args.folder, args.part, 'controllers')
        _compute(cloud.Compute(line, 'runTest'), args.series,
                 cloud.REMOTE if args.part == 'compute' else None)
    else:
        _controllers(
            cloud, link.Link(args.folder, 'controllers', 'compute'),
            args.series, args.story, args.both)


def _run_of_chain(args, link):
    from inside_nova.mixed_nova import chain
    from inside_nova.mixed_nova import neighbours

    if args.part == 'neighbours':
        line = link.Link(args.neighbours, 'neighbours', 'nobody')
        outside = neighbours.Neighbours(line, 'runTest')
        outside.up([])
        line.serve(turn_to=line.turn_to, **outside.calls(True))
        _wait()
    outside = link.Link(args.neighbours, 'nobody', 'neighbours')
    outside.wait()
    if args.part != 'controllers':
        line = link.Link(args.folder, args.part, 'controllers')
        _compute(neighbours.Compute(line, outside, 'runTest'), False)
    line = link.Link(args.folder, 'controllers', 'compute')
    outside.call('turn_to', os.path.join(args.folder, 'controllers'))
    nova = neighbours.Controllers(line, outside, args.neighbours, 'runTest')
    nova.up([])
    line.serve(**nova.calls(False))
    line.wait()
    for step in chain.run(nova, args.story):
        program.tell(step)


def _wait():
    while True:
        time.sleep(3600)


def _compute(nova, series, host=None):
    """Run a compute; without its host it waits until it is told to start."""
    nova.link.wait()
    nova.up([])
    if not series:
        nova.use_other_cinder()
    nova.link.serve(**nova.calls(series))
    if host:
        nova.start_compute(host)
        nova.connect(host)
        nova.link.call('started')
    _wait()


def _controllers(cloud, line, series, names, both):
    from inside_nova.mixed_nova import runner

    nova = cloud.Controllers(line, 'runTest')
    # Nova lets no compute join that is older than all others.
    nova.up([] if series else [cloud.LOCAL])
    started = []
    line.serve(started=lambda: started.append(True), **nova.calls(series))
    line.wait()
    if not series:
        nova.use_other_cinder()
    deadline = time.monotonic() + START_SECONDS
    while not started:
        if time.monotonic() > deadline:
            sys.exit('the compute does not start')
        time.sleep(0.1)
    # In a cloud the computes were there before.
    nova.heed_versions()
    nova.map_remote()
    if series:
        nova.start_compute(cloud.LOCAL)
        nova.connect(cloud.LOCAL)
    for step in runner.run(nova, series, names, both):
        program.tell(step)


if __name__ == '__main__':
    program.run(main)
