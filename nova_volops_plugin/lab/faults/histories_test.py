# SPDX-License-Identifier: Apache-2.0

"""Formats a failed history as a functional test of the series."""

import json
import re

_ROLE = re.compile(r'"\{(\w+)\}"')
_IN_PATH = re.compile(r'\{(\w+)\}')
_HEAD = '''
class HistoryTest(shelved_volumes.TestCase):

    def test_%s(self):
        # %s
'''


def test_of(found):
    """Return the source of a test, a str.

    Requests are sent again as they were; what hit one is set up before it
    where the StrictCinderFixture can, and told by a comment where it cannot.

    :param found: a :class:`nova_volops_plugin.lab.faults.histories.Found`
    """
    lines = [_HEAD % (re.sub(r'\W+', '_', found.kind), found.text)]
    for name in sorted(_names(found), key=_volumes_first):
        if not name.startswith('server'):
            lines.append('%s = self.cinder.rules.add_volume(size=2%s)' % (
                name, _fields(name)))
    for step in found.steps:
        lines += _step(step)
    return lines[0] + ''.join(
        '        %s\n' % line if line else '\n' for line in lines[1:])


def _names(found):
    return set(_IN_PATH.findall(json.dumps(found.steps)))


def _volumes_first(name):
    return name.startswith('server'), name


def _fields(name):
    if name == 'shared':
        return ', multiattach=True'
    return ', bootable=True' if name.startswith('root') else ''


def _step(step):
    for trouble in step.get('troubles', ()):
        yield from _trouble(trouble)
    if not step['requests']:
        yield '# %s' % ' '.join(map(str, step['step']))
    for method, path, body, code in step['requests']:
        call = 'self.api.api_request(%s, method=%r%s)' % (
            _path(path), method,
            ', body=%s' % _body(body) if body is not None else '')
        yield '# answered %d' % code
        yield ('server = ' if (method, path) == ('POST', '/servers')
               else '') + call


def _path(path):
    names = _IN_PATH.findall(path)
    text = repr(_IN_PATH.sub('%s', path))
    return '%s %% (%s,)' % (text, ', '.join(names)) if names else text


def _body(body):
    text = _ROLE.sub(r'\1', json.dumps(body))
    for word, python in (('true', 'True'), ('false', 'False'),
                         ('null', 'None')):
        text = re.sub(r'(?<=[ \[:])%s\b' % word, python, text)
    return text


def _trouble(trouble):
    if trouble['kind'] == 'call' and not trouble['fault'].startswith(
            'crash'):
        name, _part, number = trouble['call'].partition('#')
        error = {'timeout': 'cinder_status.timeout()',
                 'lost': 'cinder_status.timeout()'}.get(
            trouble['fault'], 'cinder_status.http_error(%s)' %
            trouble['fault'])
        after = ', after=True' if trouble['fault'] == 'lost' else ''
        yield 'self.cinder.rules.fail(%r, %s, nth=%s%s)' % (
            name.partition('(')[0], error, number or 1, after)
    else:
        yield '# injected into the next: %s' % json.dumps(trouble)
