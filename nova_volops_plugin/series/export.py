# SPDX-License-Identifier: Apache-2.0

"""Writes a git tree's commits as a base's series, reproducibly."""

import dataclasses
import pathlib
import tempfile

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import files
from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import microversion
from nova_volops_plugin.bases import repository
from nova_volops_plugin import exceptions
from nova_volops_plugin import patches_folder
from nova_volops_plugin.series import combination
from nova_volops_plugin.series import difference
from nova_volops_plugin.series import formatting
from nova_volops_plugin.series import numbering
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import replay
from nova_volops_plugin.series import series_file
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import steps
from nova_volops_plugin.series import table
from nova_volops_plugin.series import topics as series_topics


def start(checkout, base):
    """Return the commit the series of a tree begins after.

    It is the newest one with the released base's tree, else the one that
    ``apply`` began at.

    :param checkout: a :class:`nova_volops_plugin.series.checkout.Checkout`
    :raises BadInput: the tree has neither
    """
    for record in checkout.git.line(
            'log', '--first-parent', '--format=%H %T', 'HEAD').splitlines():
        commit, tree = record.split()
        if tree == base.base_tree:
            return commit
    before = checkout.before()
    if before and checkout.git.succeeds(
            'merge-base', '--is-ancestor', before, 'HEAD'):
        return before
    raise exceptions.BadInput(
        '%s has no commit with the tree of nova %s; name the commit the '
        'series begins after with --since' % (checkout.path, base.version))


@dataclasses.dataclass(frozen=True)
class Source:
    """Commits that are written as a base's series.

    :param base: the :class:`nova_volops_plugin.bases.base.Base`
    :param fetched: the :class:`nova_volops_plugin.bases.git.Git` of a tree
        that has the released base
    :param checkout: the tree whose commits are written
    :param since: the commit the series begins after
    :param head: the last commit, by default the tree's
    """

    base: nova_base.Base
    fetched: bases_git.Git
    checkout: object
    since: str
    head: str = None


def export(base, fetched, checkout, since, root=None, alone=False):
    """Write the commits of one tree; see :func:`export_all`."""
    return export_all([Source(base, fetched, checkout, since)], root, alone)


def export_all(sources, root=None, alone=False):
    """Write the commits of trees as the series of their bases.

    Files are written only where they change; other bases' files are renamed
    where numbers move, see :mod:`nova_volops_plugin.series.numbering`. Where
    commits are on another commit than the released base's, such as the tip of
    its branch, what they change is written as it is on the released base.

    :param sources: a list of :class:`Source`
    :param root: as in :func:`nova_volops_plugin.bases.base.names`
    :param alone: number these bases' patches as if there were no others;
        exporting another one afterwards numbers them together again. A base
        that lags behind is always numbered alone, and not with the others
    :returns: the sorted names of the files that were written, renamed or
        removed, relative to the folder of all bases
    :raises BadInput: the commits are no straight line, there are none
        though the base has patches, another base has the same changes in
        another order, the patches of a topic are not in a row, or a change
        cannot be made on the released base
    :raises Conflict: a topic cannot be made without others
    :raises DoesNotApply: they do not apply to the released base
    """
    root = pathlib.Path(root) if root else patches_folder.root()
    bases = nova_base.load_all(root)
    series = {each.name: series_patch.load(each) for each in bases}
    known = {patch.name[5:]: numbering.key(patch)
             for patches in series.values() for patch in patches}
    topics = _topics(bases, series)
    wanted = {}
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
        for source in sources:
            base = source.base
            own = pathlib.Path(folder) / base.name
            own.mkdir()
            patches, last = _format(source, own)
            if series[base.name] and not patches:
                raise exceptions.BadInput(
                    '%s has no commit after the released base, and %s has '
                    'patches; put them on first by "nova-volops patch '
                    'apply"' % (source.checkout.path, base.name))
            series[base.name] = patches
            wanted[base.path / 'base.conf'] = _conf(
                base, _values(source.fetched, base, patches, last, own),
                _topic_trees(source, patches, topics[base.name])).encode()
        late = {each.name for each in bases if each.behind}
        plan = _plan(series, {source.base.name for source in sources}, late,
                     alone)
        wanted.update({
            root / name / file_name: patch.content
            for name, named in plan.items()
            for file_name, patch in named})
    for name, named in plan.items():
        path = root / name / 'series'
        wanted[path] = _series(
            path, named, plan, known, series, topics[name]).encode()
    changed = _write(root, plan, wanted)
    if table.write(root, {
            each.name: (series_file.SeriesFile.load(each.path / 'series'),
                        series_patch.load(each))
            for each in bases}, late):
        changed.append('README.rst')
    return changed


def _plan(series, exported, late, alone):
    """Give the patches their file names, as numbering.plan does."""
    together = exported if alone else series.keys()
    groups = [together - late] * bool(exported - late) + [
        {name} for name in exported & late]
    return {
        name: named for group in groups for name, named in numbering.plan(
            {each: series[each] for each in group}).items()}


def _format(source, folder):
    """Run format-patch where no setting or attribute of the tree counts.

    :returns: a list of :class:`series_patch.Patch`, and the tree id that they
        give, None where it is not known
    """
    checkout, since = source.checkout, source.since
    head = source.head or checkout.head()
    merges = checkout.git.line('rev-list', '--merges', since + '..' + head)
    if merges:
        raise exceptions.BadInput(
            '%s has merges since %s; make the series a straight line by '
            '"git rebase"' % (checkout.path, since))
    bare = bases_git.bare(folder / 'bare', (checkout.git, source.fetched))
    if bare.line('rev-parse', since + '^{tree}') != source.base.base_tree:
        since, head = _on_the_release(
            bare, source, since, head) or (since, head)
    last = bare.line('rev-parse', head + '^{tree}') if bare.line(
        'rev-parse', since + '^{tree}') == source.base.base_tree else None
    return [series_patch.Patch(path) for path in formatting.write(
        bare, since, head, folder / 'out')], last


def _on_the_release(git, source, since, head):
    """Make what has changed in the series on the released base.

    :returns: the ids of the release's commit and of the last one on it, None
        where the series as it was does not fit the other commit
    """
    released = repository.commit(source.fetched, source.base)
    patches = series_patch.load(source.base)
    try:
        old, own = (
            steps.Steps(git, start, [start, *stack.commits(
                git, start, patches)][-1]) for start in (since, released))
    except stack.DoesNotApply:
        return None
    try:
        done = difference.Difference(
            old, steps.Steps(git, since, head), own).run()
    except replay.Stopped as stopped:
        raise exceptions.BadInput(
            'the change of "%s" conflicts with nova %s in %s, and %s is '
            'another Nova. Nothing was written. Make the change on the '
            'release: "nova-volops patch apply %s"' % (
                stopped.subject, source.base.version, ', '.join(
                    each.path for each in stopped.conflicts),
                source.checkout.path, source.base.name))
    return released, done.write(git, released)


def _values(fetched, base, patches, last, folder):
    """Return what base.conf records of the series' last state."""
    git = fetched.scratch(folder / 'objects')
    tree = stack.tree(git, base.base_tree, patches)
    if last and tree != last:
        raise exceptions.VolopsError(
            'the patches of %s give the tree %s, their commits %s; nothing '
            'was written' % (base.name, tree, last))
    values = {('series', 'tree'): tree}
    source = git.attempt('show', '%s:%s' % (tree, microversion.PATH)).stdout
    if last := microversion.last(source.decode(errors='replace')):
        values['microversions', 'series'] = last
    return values


def _topics(bases, series):
    """Return for each base a dict of a change's key and its topic.

    A change that is new to a base is of the topic that it is of in others.
    """
    listed = {
        base.name: series_file.SeriesFile.load(base.path / 'series').topics
        for base in bases}
    everywhere, known = {}, {}
    for name, patches in series.items():
        of_patches = listed[name].of_patches()
        known[name] = {numbering.key(patch): of_patches.get(patch.name)
                       for patch in patches}
        everywhere.update(known[name])
    return {name: {
        change: topic for change, topic in {**everywhere, **own}.items()
        if topic in listed[name]} for name, own in known.items()}


def _arranged(path, named, known):
    """Return the topics of a series, and that of each patch.

    :param named: a list of file name and patch
    :param known: one of what :func:`_topics` returns
    """
    topics = series_file.SeriesFile.load(path).topics
    names = series_topics.assigned(
        [numbering.key(patch) for _file_name, patch in named], known)
    if not topics:
        return topics, names
    return series_topics.arranged(
        topics, [file_name for file_name, _patch in named], names), names


def _topic_trees(source, patches, known):
    """Return the tree of each topic with those it needs, a dict."""
    base = source.base
    topics, names = _arranged(
        base.path / 'series', [(patch.name, patch) for patch in patches],
        known)
    with combination.making(
            source.fetched, base, patches, names) as maker, \
            tempfile.TemporaryDirectory(prefix='nova-volops-') as objects:
        git = source.fetched.scratch(objects)
        return {name: stack.tree(git, base.base_tree, maker.patches(
            topics.with_needs([name]))) for name in topics.with_needs(topics)}


def _series(path, named, plan, known, series, topics):
    """Return a series file's text; reasons stay with their patches.

    :param known: the keys of all bases' patches as they were, by file name
        without its number
    :param series: all bases' patches as they are, by base name
    :param topics: one of what :func:`_topics` returns
    """
    old = series_file.SeriesFile.load(path)
    present = {numbering.key(patch) for file_name, patch in named}
    names = {numbering.key(patch): file_name
             for other in plan.values() for file_name, patch in other}
    somewhere = {numbering.key(patch)
                 for patches in series.values() for patch in patches}
    lacks = {}
    for file_name, reason in old.lacks.items():
        key = known.get(file_name[5:])
        # No base may have it any more, or none that is numbered now.
        if key not in present and (key in somewhere or not key):
            lacks[names.get(key, file_name)] = reason
    differs = {}
    for name, reason in old.differs.items():
        key = known.get(name[5:]) if name.endswith('.patch') else None
        if not key or key in present:
            differs[names.get(key, name)] = reason
    return series_file.SeriesFile(
        tuple(file_name for file_name, patch in named), lacks,
        differs, _arranged(path, named, topics)[0]).dump()


def _conf(base, values, trees):
    """Return a base.conf's text with other values and trees of topics."""
    conf = files.read_conf(base.path / 'base.conf')
    for (section, option), value in values.items():
        conf[section][option] = value
    conf['topics'] = trees
    if not trees:
        conf.remove_section('topics')
    return files.dump_conf(conf)


def _write(root, plan, wanted):
    changed = set()
    for name in plan:
        for path in (root / name).glob('*.patch'):
            if path not in wanted:
                path.unlink()
                changed.add(path)
    for path, content in wanted.items():
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
            changed.add(path)
    return sorted(str(path.relative_to(root)) for path in changed)
