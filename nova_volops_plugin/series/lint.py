# SPDX-License-Identifier: Apache-2.0

"""What a series must hold beyond applying: each check and how to mend it."""

import dataclasses

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import environment
from nova_volops_plugin import exceptions
from nova_volops_plugin import patches_folder
from nova_volops_plugin.series import lint_migrations
from nova_volops_plugin.series import lint_pairs
from nova_volops_plugin.series import lint_patch
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import series_file
from nova_volops_plugin.series import table


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    """One thing to mend.

    :param file: relative to the folder of all bases
    :param check: the check's name
    :param message: what is wrong and how to mend it
    """

    file: str
    check: str
    message: str


def lint(root=None):
    """Check all bases' series.

    :param root: as in :func:`nova_volops_plugin.bases.base.names`
    :returns: a sorted list of :class:`Finding`
    """
    root = root or patches_folder.root()
    findings = set()
    series, releases = {}, {}
    for name in nova_base.names(root):
        try:
            base = nova_base.Base.load(name, root)
            listed = series_file.SeriesFile.load(base.path / 'series')
            for file, message in _folder(base, listed):
                findings.add(Finding(file, 'files', message))
            series[name] = listed, series_patch.load(base)
            releases[name] = base.release
        except exceptions.BadInput as error:
            findings.add(Finding(name, 'readable', str(error)))
    for name, (listed, patches) in series.items():
        for patch in patches:
            for check, message in lint_patch.check(patch):
                findings.add(Finding(
                    '%s/%s' % (name, patch.name), check, message))
    if not findings or all(each.check != 'readable' for each in findings):
        for file, check, message in lint_pairs.check(series):
            findings.add(Finding(file, check, message))
        for file, message in lint_migrations.check(
                [(name, series[name][1])
                 for name in sorted(series, key=releases.get)]):
            findings.add(Finding(file, 'migrations', message))
        for message in table.check(root, series):
            findings.add(Finding('README.rst', 'table', message))
    return sorted(findings)


def _folder(base, listed):
    """Compare the files of a base's folder with its series file."""
    present = {path.name for path in base.path.glob('*.patch')}
    for name in sorted(present - set(listed.patches)):
        yield ('%s/%s' % (base.name, name),
               'the file "series" does not name it: delete it, or write the '
               'series again by "nova-volops patch export"')
    for name in sorted(set(listed.patches) - present):
        yield ('%s/series' % base.name,
               'it names %s, which is missing: write the series again by '
               '"nova-volops patch export"' % name)
    try:
        environment.pins(base)
    except exceptions.BadInput as error:
        yield '%s/constraints.txt' % base.name, str(error)
