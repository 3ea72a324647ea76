# SPDX-License-Identifier: Apache-2.0

"""The checks of a series beyond applying it, and how to fix findings."""

import dataclasses
import pathlib

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import environment
from nova_volops_plugin import exceptions
from nova_volops_plugin import patches_folder
from nova_volops_plugin.series import at_commit
from nova_volops_plugin.series import behind
from nova_volops_plugin.series import lint_migrations
from nova_volops_plugin.series import lint_pairs
from nova_volops_plugin.series import lint_patch
from nova_volops_plugin.series import lint_same
from nova_volops_plugin.series import lint_topics
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import series_file
from nova_volops_plugin.series import table


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    """One thing to fix.

    :param file: relative to the folder of all bases
    :param check: the check's name
    :param message: what is wrong and how to fix it
    :param open: whether it is of a base that may lag behind in that
    """

    file: str
    check: str
    message: str
    open: bool = False


def lint(root=None, since=None):
    """Check all bases' series.

    :param root: as in :func:`nova_volops_plugin.bases.base.names`
    :param since: the commit after which what was the same in several bases
        stays so, by default HEAD
    :returns: a list of :class:`Finding`, sorted, open ones last
    :raises BadInput: there are no bases, or there is no such commit
    """
    root = pathlib.Path(root) if root else patches_folder.root()
    findings = set()
    series, bases = {}, {}
    for name in nova_base.names(root):
        try:
            base = nova_base.Base.load(name, root)
            listed = series_file.SeriesFile.load(base.path / 'series')
            for file, message in _folder(base, listed):
                findings.add(Finding(file, 'files', message))
            series[name] = listed, series_patch.load(base)
            bases[name] = base
        except exceptions.BadInput as error:
            findings.add(Finding(name, 'readable', str(error)))
    for name, (listed, patches) in series.items():
        for patch in patches:
            for check, message in lint_patch.check(patch):
                findings.add(Finding(
                    '%s/%s' % (name, patch.name), check, message))
    if not findings or all(each.check != 'readable' for each in findings):
        findings.update(_between(root, bases, series, since))
    return sorted(findings, key=lambda each: (each.open, each))


def _between(root, bases, series, since):
    """Yield what is found when the bases are compared."""
    patches = {name: loaded for name, (listed, loaded) in series.items()}
    topics = lint_topics.by_change(series)
    late = {name for name, base in bases.items() if base.behind}
    changes = {name: behind.behind_changes(base, topics)
               for name, base in bases.items()}
    for found in (
            behind.check(bases, patches, topics),
            lint_pairs.check(series, changes, late),
            lint_same.check(bases, series, changes, at_commit.load(
                root, patches, since), since or 'HEAD')):
        for each in found:
            yield Finding(*each)
    for file, message in lint_migrations.check(
            [(name, patches[name]) for name in sorted(
                bases, key=lambda name: bases[name].release)]):
        yield Finding(file, 'migrations', message)
    for file, message in lint_topics.check(series, {
            name: base.topics for name, base in bases.items()}):
        yield Finding(file, 'topics', message)
    for message in table.check(root, series, late):
        yield Finding('README.rst', 'table', message)


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
