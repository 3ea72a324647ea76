# SPDX-License-Identifier: Apache-2.0

"""The file ``series``: the patches of a base in their order.

One line a patch, its file name. Four comments mean something::

    # topic shelved: needs fixes dangling
    # lacks 0007-compute-refuse-early.patch: upstream has it since 2.93
    # differs nova/compute/reimage.py: this oslo.db has no such call
    # differs 0008-compute-fail-late.patch: this release fails earlier

The first is the heading of the patches of a topic, and names the topics that
these need. The second names a patch of another base that this base lacks, the
third a new module that is not the same in every base, the fourth a patch with
another message or other lines than in the other bases; these give the reason.
"""

import dataclasses
import re

from nova_volops_plugin.bases import files
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import topics as series_topics

FILE = re.compile(r'(\d{4})-[a-z0-9][a-z0-9.-]{0,70}\.patch', re.ASCII)
_LACKS = re.compile(r'# lacks (\S+): (\S.*)')
_DIFFERS = re.compile(r'# differs (\S+): (\S.*)')
_TOPIC = re.compile(r'# topic (\S+?)(?:: needs((?: \S+)+))?')
_MAX_PATCHES = 1000


@dataclasses.dataclass(frozen=True)
class SeriesFile:
    """One series file.

    :param patches: file names, a tuple of str
    :param lacks: a dict of file name and reason
    :param differs: a dict of path in Nova's tree, or of a patch's file name,
        and reason
    :param topics: the :class:`nova_volops_plugin.series.topics.Topics`, empty
        where the series has no headings
    """

    patches: tuple = ()
    lacks: dict = dataclasses.field(default_factory=dict)
    differs: dict = dataclasses.field(default_factory=dict)
    topics: series_topics.Topics = dataclasses.field(
        default_factory=series_topics.Topics)

    @classmethod
    def load(cls, path):
        """Read a series file.

        :param path: its :class:`pathlib.Path`
        :raises BadInput: a line is malformed, comes twice or is out of order
        """
        patches, lacks, differs = [], {}, {}
        topics, needs = {}, {}
        for number, line in enumerate(
                files.read_text(path).splitlines(), 1):
            where = '%s, line %d' % (path, number)
            if match := _LACKS.fullmatch(line):
                _require_name(match[1], where)
                lacks[match[1]] = match[2]
            elif match := _DIFFERS.fullmatch(line):
                differs[match[1]] = match[2]
            elif match := _TOPIC.fullmatch(line):
                _require_topic(match[1], (match[2] or '').split(), needs,
                               patches and not topics, where)
                needs[match[1]] = tuple((match[2] or '').split())
                topics[match[1]] = []
            elif line.startswith(('# lacks', '# differs', '# topic')):
                raise exceptions.BadInput(
                    '%s is %r; write "# lacks FILE: REASON", "# differs '
                    'PATH: REASON", "# topic NAME" or "# topic NAME: needs '
                    'NAMES"' % (where, line[:80]))
            elif line.strip() and not line.startswith('#'):
                _require_name(line, where)
                if patches and line[:4] <= patches[-1][:4]:
                    raise exceptions.BadInput(
                        '%s: %s does not come after %s; numbers rise' %
                        (where, line, patches[-1]))
                patches.append(line)
                if topics:
                    topics[[*topics][-1]].append(line)
        if len(patches) > _MAX_PATCHES:
            raise exceptions.BadInput(
                '%s names %d patches; at most %d are read' %
                (path, len(patches), _MAX_PATCHES))
        return cls(tuple(patches), lacks, differs, series_topics.Topics(
            (name, series_topics.Topic(name, needs[name], tuple(named)))
            for name, named in topics.items()))

    def dump(self):
        """Return the file's text."""
        lines = list(self.patches)
        lines += ['# lacks %s: %s' % item for item in self.lacks.items()]
        lines.sort(key=lambda line: line.removeprefix('# lacks '))
        end = len(lines)
        for topic in reversed(self.topics.values()):
            if topic.patches:
                end = lines.index(topic.patches[0])
            lines.insert(end, '# topic ' + topic.name + (
                ': needs ' + ' '.join(topic.needs) if topic.needs else ''))
        lines += ['# differs %s: %s' % item
                  for item in sorted(self.differs.items())]
        return ''.join(line + '\n' for line in lines)


def _require_name(name, where):
    if not FILE.fullmatch(name):
        raise exceptions.BadInput(
            '%s: %r is no patch\'s file name, which is four digits and a '
            'lower-case slug: 0001-area-imperative-subject.patch' %
            (where, name[:80]))


def _require_topic(name, needs, before, late, where):
    if late:
        raise exceptions.BadInput(
            '%s: patches come before the first topic; give them a heading, '
            'too' % where)
    for each in (name, *needs):
        if not series_topics.NAME.fullmatch(each) or len(each) > 40:
            raise exceptions.BadInput(
                '%s: %r is no name of a topic, which is words in lower case '
                'with hyphens between them' % (where, each[:80]))
    if name in before:
        raise exceptions.BadInput(
            '%s: topic %s comes twice; its patches have to be in a row' %
            (where, name))
    for each in needs:
        if each not in before:
            raise exceptions.BadInput(
                '%s: topic %s needs %s, which no heading above names' %
                (where, name, each))
