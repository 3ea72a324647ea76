# SPDX-License-Identifier: Apache-2.0

"""A series of four topics that meet in the files of a small Nova."""

# The topic of each patch, by its subject.
TOPICS = {
    'Fix a line': 'fixes',
    'Attach in a mode': 'attach-mode',
    'api: Add microversion 2.11': 'attach-mode',
    'Swap volumes of shelved servers': 'shelved',
    'api: Add microversion 2.12': 'shelved',
    'Rebuild': 'rebuild',
}
HEADINGS = {
    'fix-a-line': '# topic fixes',
    'attach-in-a-mode': '# topic attach-mode: needs fixes',
    'swap-volumes-of-shelved-servers': '# topic shelved: needs fixes',
    'rebuild': '# topic rebuild',
}
MANAGER = 'nova/compute/manager.py'
_FIX, _ATTACH, _ATTACH_API, _SWAP, _SWAP_API, _REBUILD = TOPICS


def of(topics):
    """Return the subjects of the patches of topics."""
    return [subject for subject in TOPICS if TOPICS[subject] in topics]


def files(done=()):
    """Return all files the series touches, after some of its patches.

    :param done: their subjects
    :returns: a dict of path and text; what is not there is left out
    """
    def given(*lines):
        return ''.join(line for subject, line in lines
                       if subject in (True, *done))

    numbered = {number: 'line_%d = %d\n' % (number, number)
                for number in range(40)}
    # The hunks of three topics are neighbours.
    if _FIX in done:
        numbered[20] = 'line_20 = 21\n'
    numbered[20] += given((_ATTACH, 'attach_mode.attach()\n'),
                          (_SWAP, 'volume_swap.swap()\n'))
    if _SWAP in done:
        numbered[21] = 'line_21 = 22\n'
    if _REBUILD in done:
        numbered[30] = 'line_30 = 31\n'
    rpc = given((True, ' * 6.4 - old\n'), (_ATTACH, ' * 6.5 - attach\n'),
                (_SWAP, ' * 6.6 - swap\n'))
    api = given((True, ' * 2.10 - old\n'), (_ATTACH_API, ' * 2.11 - mode\n'),
                (_SWAP_API, ' * 2.12 - shelved\n'))
    last = '2.12' if _SWAP_API in done else \
        '2.11' if _ATTACH_API in done else '2.10'
    found = {
        MANAGER: given(
            (True, 'from nova import a\n'),
            (_ATTACH, 'from nova.compute import attach_mode\n'),
            (_SWAP, 'from nova.compute import volume_swap\n'),
            (True, 'from nova import z\n\n')) + ''.join(numbered.values()),
        'nova/compute/rpcapi.py': '"""History:\n\n%s"""\n\n'
        "TARGET = dict(version='%s')\n" % (
            rpc, rpc.splitlines()[-1].split()[1]),
        'nova/api/openstack/api_version_request.py':
        '"""History:\n\n%s"""\n\n_MAX_API_VERSION = \'%s\'\n' % (api, last),
        'nova/api/openstack/compute/rest_api_version_history.rst': given(
            (True, '2.10\n----\n\nOld.\n'),
            (_ATTACH_API, '\n2.11\n----\n\nMode.\n'),
            (_SWAP_API, '\n2.12\n----\n\nShelved.\n')),
        'doc/api_samples/versions/versions-get-resp.json':
        '{\n    "min": "2.1",\n    "version": "%s"\n}\n' % last,
        'nova/compute/attach_mode.py': given(
            (_ATTACH, 'def attach():\n    pass\n')),
        'nova/compute/volume_swap.py': given(
            (_SWAP, 'SWAP = 1\n\n\ndef swap():\n    pass\n')),
        'nova/tests/unit/compute/test_volume_swap.py': given(
            (_SWAP, 'import unittest\n')),
        'nova/compute/reimage.py': given((_REBUILD, 'VALUE = 1\n')),
    }
    return {path: text for path, text in found.items() if text}
