# SPDX-License-Identifier: Apache-2.0

"""Run cases and print each result as a line of JSON."""

import argparse
import fnmatch
import json
import pathlib

from inside_nova.embedded_nova import program


def main():
    parser = argparse.ArgumentParser(prog='fault_matrix')
    parser.add_argument('--flow', action='append', default=[])
    parser.add_argument('--call', default='*')
    parser.add_argument('--fault', action='append', default=[])
    parser.add_argument('--sample', type=int)
    parser.add_argument('--ended', type=pathlib.Path)
    args = parser.parse_args()
    ended = _ended(args.ended)

    program.patch()
    from inside_nova.fault_matrix import calls
    from inside_nova.fault_matrix import cloud
    from inside_nova.fault_matrix import flows
    from inside_nova.fault_matrix import runner

    chosen = {flow.NAME: flow for flow in flows.FLOWS
              if not args.flow or flow.NAME in args.flow}
    program.require('flow', args.flow, [flow.NAME for flow in flows.FLOWS])
    program.require('fault', args.fault, calls.ALL_FAULTS)
    nova = cloud.MatrixNova('runTest')
    nova.up(list(cloud.HOSTS))
    run = runner.Runner(nova)
    plan = []
    names = []
    for flow in chosen.values():
        healthy = run.record(flow)
        program.tell(healthy)
        names += healthy['calls']
        plan += [(flow, call, fault)
                 for call, fault in runner.plan(flow, healthy['calls'])
                 if fnmatch.fnmatchcase(call, args.call) and (
                     not args.fault or fault in args.fault)]
    if not fnmatch.filter(names, args.call):
        program.require('call', [args.call], names)
    for flow, call, fault in _sample(plan, args.sample):
        program.tell(ended.get((flow.NAME, call, fault)) or
                     run.run(flow, call, fault))


def _ended(path):
    """Return the results of an earlier run by flow, call and fault."""
    results = [json.loads(line) for line in path.read_text().splitlines()
               ] if path else []
    return {(result['flow'], result['call'], result['fault']): result
            for result in results}


def _sample(plan, number):
    """Return a number of cases, evenly taken from all; all for None."""
    if number is None or number >= len(plan):
        return plan
    return [plan[index * len(plan) // number] for index in range(number)]


if __name__ == '__main__':
    program.run(main)
