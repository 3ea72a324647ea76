# SPDX-License-Identifier: Apache-2.0

"""The checks of a single patch.

``Upstream-Status`` is one of::

    Pending | Submitted [URL] | Backport [COMMIT or URL]
    Inappropriate [REASON] | Denied [REASON]
"""

import re

from nova_volops_plugin.series import numbering

SPECS = ('volume-ops-when-shelved', 'volume-multiattach-enhancements',
         'cleanup-dangling-volume-attachments',
         'volume-backed-server-rebuild')
_ORDER = ('Spec', 'Upstream-Status', 'Change-Id', 'Signed-off-by')
_CHANGE_ID = re.compile(r'I[0-9a-f]{40}')
_STATUS = re.compile(
    r'Pending|(?:Submitted|Backport|Inappropriate|Denied) \[[^][]+\]')
_BLOB = re.compile(r'[0-9a-f]{40}')
_ZERO = '0' * 40
_SUBJECT_WIDTH = _BODY_WIDTH = 72
_AMEND = 'Amend the commit ("git rebase -i", reword) and export again'


def check(patch):
    """Yield (check's name, message) for everything wrong with a patch.

    :param patch: a :class:`nova_volops_plugin.series.patch.Patch`
    """
    for name, function in _CHECKS:
        for message in function(patch):
            yield name, message


def _name(patch):
    wanted = '%s-%s.patch' % (patch.name[:4], numbering.slug(patch.subject))
    if patch.name != wanted:
        yield ('its subject makes it %s: write the series again by '
               '"nova-volops patch export"' % wanted)


def _format(patch):
    again = 'write the series again by "nova-volops patch export"'
    if not patch.lines[0].startswith('From %s ' % _ZERO):
        yield 'its first line has a commit id instead of zeros: ' + again
    if any(not _BLOB.fullmatch(blob) for change in patch.changes
           for blob in (change.old, change.new)):
        yield 'an "index" line lacks its full blob ids: ' + again
    if '-- ' in patch.lines[-4:]:
        yield 'it ends with git\'s version: ' + again
    if '---' in patch.lines[:_first_diff(patch)]:
        yield 'it has a list of changed files: ' + again


def _first_diff(patch):
    return next(number for number, line in enumerate(patch.lines)
                if line.startswith('diff --git '))


def _message(patch):
    if not patch.subject:
        yield 'Missing subject. ' + _AMEND
    if len(patch.subject) > _SUBJECT_WIDTH:
        yield ('Malformed subject: %d signs, at most %d. %s' %
               (len(patch.subject), _SUBJECT_WIDTH, _AMEND))
    if patch.subject.endswith('.'):
        yield 'Malformed subject: it ends with a full stop. ' + _AMEND
    body = patch.body[:len(patch.body) - len(patch.trailers)]
    if not any(line.strip() for line in body):
        yield 'Missing body: say why the change is made. ' + _AMEND
    for line in body:
        if len(line) > _BODY_WIDTH and '://' not in line:
            yield ('Malformed body: %r has %d signs, at most %d. %s' %
                   (line[:30], len(line), _BODY_WIDTH, _AMEND))


def _trailers(patch):
    names = [name for name, value in patch.trailers]
    for name in _ORDER:
        if name not in names and name != 'Spec':
            yield ('Missing %s in the last block of the message. %s' %
                   (name, _AMEND))
        if names.count(name) > 1 and name != 'Signed-off-by':
            yield 'Malformed trailers: %s comes twice. %s' % (name, _AMEND)
    known = [name for name in names if name in _ORDER]
    if known != sorted(known, key=_ORDER.index):
        yield ('Malformed trailers: the order is %s. %s' %
               (', '.join(_ORDER), _AMEND))
    spec = patch.trailer('Spec')
    if spec and spec not in SPECS:
        yield ('Malformed Spec %r: it is one of %s. %s' %
               (spec, ', '.join(SPECS), _AMEND))
    status = patch.trailer('Upstream-Status')
    if status and not _STATUS.fullmatch(status):
        yield ('Malformed Upstream-Status %r: it is Pending, Submitted '
               '[URL], Backport [COMMIT], Inappropriate [REASON] or Denied '
               '[REASON]. %s' % (status, _AMEND))
    change = patch.trailer('Change-Id')
    if change and not _CHANGE_ID.fullmatch(change):
        yield ('Malformed Change-Id %r: it is an I and 40 hexadecimal '
               'digits. %s' % (change, _AMEND))
    signers = [value for name, value in patch.trailers
               if name == 'Signed-off-by']
    if signers and patch.author not in signers:
        yield ('Malformed Signed-off-by: none is the author, %s. %s' %
               (patch.author, _AMEND))


def _whitespace(patch):
    for change in patch.changes:
        for line, text in change.added:
            if text != text.rstrip():
                why = 'ends with white space'
            elif re.match(r' *\t', text) and change.path.endswith('.py'):
                why = 'is indented with a tab'
            elif re.match(r'(<{7}|>{7}|\|{7}) ', text):
                why = 'is a conflict mark'
            else:
                continue
            yield ('line %d, an added line of %s, %s. Mend the file, amend '
                   'the commit and export again' % (line, change.path, why))
        if change.creates and change.added and not change.added[-1][1]:
            yield ('%s ends with an empty line. Mend the file, amend the '
                   'commit and export again' % change.path)


def _service_version(patch):
    for change in patch.changes:
        for line, text in change.added:
            if (change.path == 'nova/objects/service.py' and
                    text.startswith('SERVICE_VERSION =')):
                yield ('line %d changes the service version, to which a later '
                       'release gives a meaning of its own: report a '
                       'capability of the virt driver instead, amend the '
                       'commit and export again' % line)


_CHECKS = (
    ('name', _name),
    ('format', _format),
    ('message', _message),
    ('trailers', _trailers),
    ('whitespace', _whitespace),
    ('service-version', _service_version),
)
