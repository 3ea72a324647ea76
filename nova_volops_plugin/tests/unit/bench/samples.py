# SPDX-License-Identifier: Apache-2.0

"""Results made of invented measurements."""

from nova_volops_plugin.lab.bench import results


def result(**fields):
    """Return a Result of two variants at two sizes, measured twice each."""
    samples = [
        results.Sample(variant, size, seconds * size,
                       {'rest': 1, 'cinder': calls(size), 'refused': 0},
                       {'api_seconds': 0.5})
        for seconds in (1.0, 3.0) for size in (1, 2)
        for variant, calls in (('patched', lambda size: 1),
                               ('as released', lambda size: size + 1))]
    return results.Result(**dict({
        'name': 'reboot', 'base': 'new', 'samples': samples,
        'calls': {'patched': {'1': {'cinder': {'attachment_get_all': 1}}}},
        'machine': {'cores': '2'}}, **fields))
