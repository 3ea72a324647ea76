# SPDX-License-Identifier: Apache-2.0

"""Generates the table of all patches in ``nova-patches/README.rst``."""

import pathlib

from nova_volops_plugin.bases import files
from nova_volops_plugin.bases import microversion
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import numbering

_START = '.. patches: written by "nova-volops patch export"\n'
_END = '.. end of patches\n'


def render(series, late=()):
    """Return the table as reStructuredText.

    :param series: a dict of base name and (its
        :class:`nova_volops_plugin.series.series_file.SeriesFile`, its list of
        :class:`nova_volops_plugin.series.patch.Patch`)
    :param late: the names of bases that lag behind, whose patches may have
        other numbers
    """
    names = sorted(series)
    rows = {}
    for name in sorted(names, key=lambda name: name in late):
        for patch in series[name][1]:
            row = rows.setdefault(numbering.key(patch), {'patch': patch})
            row[name] = added_microversion(patch) or 'yes'
    lines = ['.. list-table::', '   :header-rows: 1', '   :widths: auto', '']
    lines += _row(['Patch', 'Purpose'] + names + ['Upstream'])
    for row in sorted(rows.values(), key=lambda row: row['patch'].name):
        patch = row['patch']
        lines += _row(
            [patch.name[:4], patch.subject] +
            [row.get(name) or _lack(series[name][0], patch.name)
             for name in names] +
            [patch.trailer('Upstream-Status') or ''])
    return '\n'.join(lines) + '\n'


def added_microversion(patch):
    """Return the microversion a patch adds, None for none."""
    return microversion.last('\n'.join(
        text for change in patch.changes for line, text in change.added))


def write(root, series, late=()):
    """Put the table into README.rst; return whether that changed it."""
    path = pathlib.Path(root) / 'README.rst'
    if not path.is_file():
        return False
    old = files.read_text(path)
    head, rest = _split(path, old)
    new = head + '\n' + render(series, late) + '\n' + rest
    if new != old:
        path.write_text(new)
    return new != old


def check(root, series, late=()):
    """Yield a message when README.rst has not the series' table."""
    path = pathlib.Path(root) / 'README.rst'
    if not path.is_file():
        return
    try:
        head, rest = _split(path, files.read_text(path))
    except exceptions.BadInput as error:
        yield str(error)
        return
    table = render(series, late)
    if head + '\n' + table + '\n' + rest != files.read_text(path):
        yield ('its table is not the series\': write it by "nova-volops '
               'patch export"')


def _split(path, text):
    if text.count(_START) != 1 or text.count(_END) != 1:
        raise exceptions.BadInput(
            '%s needs the lines %r and %r once, the table comes between' %
            (path, _START.strip(), _END.strip()))
    head, rest = text.split(_START)
    return head + _START, _END + rest.split(_END)[1]


def _lack(listed, file_name):
    for lacking, reason in listed.lacks.items():
        # The number is another one in a base that lags behind.
        if lacking[5:] == file_name[5:]:
            return 'no: ' + reason
    return 'no'


def _row(cells):
    return ['   %s - %s' % ('*' if number == 0 else ' ', cell)
            for number, cell in enumerate(cells)]
