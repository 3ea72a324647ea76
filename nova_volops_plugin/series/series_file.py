# SPDX-License-Identifier: Apache-2.0

"""The file ``series``: which patches a base has, in which order.

One line a patch, its file name. Two comments mean something::

    # lacks 0007-compute-refuse-early.patch: upstream has it since 2.93
    # differs nova/compute/reimage.py: this oslo.db has no such call
    # differs 0008-compute-fail-late.patch: this release fails earlier

The first names a patch of another base that this base lacks, the second a
new module that is not the same in every base, the third a patch with another
message or other lines than in the other bases. All give the reason.
"""

import dataclasses
import re

from nova_volops_plugin.bases import files
from nova_volops_plugin import exceptions

FILE = re.compile(r'(\d{4})-[a-z0-9][a-z0-9.-]{0,70}\.patch', re.ASCII)
_LACKS = re.compile(r'# lacks (\S+): (\S.*)')
_DIFFERS = re.compile(r'# differs (\S+): (\S.*)')
_MAX_PATCHES = 1000


@dataclasses.dataclass(frozen=True)
class SeriesFile:
    """One series file.

    :param patches: file names, a tuple of str
    :param lacks: a dict of file name and reason
    :param differs: a dict of path in Nova's tree, or of a patch's file name,
        and reason
    """

    patches: tuple = ()
    lacks: dict = dataclasses.field(default_factory=dict)
    differs: dict = dataclasses.field(default_factory=dict)

    @classmethod
    def load(cls, path):
        """Read a series file.

        :param path: its :class:`pathlib.Path`
        :raises BadInput: a line is malformed, comes twice or is out of order
        """
        patches, lacks, differs = [], {}, {}
        for number, line in enumerate(
                files.read_text(path).splitlines(), 1):
            where = '%s, line %d' % (path, number)
            if match := _LACKS.fullmatch(line):
                _require_name(match[1], where)
                lacks[match[1]] = match[2]
            elif match := _DIFFERS.fullmatch(line):
                differs[match[1]] = match[2]
            elif line.startswith(('# lacks', '# differs')):
                raise exceptions.BadInput(
                    '%s is %r; write "# lacks FILE: REASON" or "# differs '
                    'PATH: REASON"' % (where, line[:80]))
            elif line.strip() and not line.startswith('#'):
                _require_name(line, where)
                if patches and line[:4] <= patches[-1][:4]:
                    raise exceptions.BadInput(
                        '%s: %s does not come after %s; numbers rise' %
                        (where, line, patches[-1]))
                patches.append(line)
        if len(patches) > _MAX_PATCHES:
            raise exceptions.BadInput(
                '%s names %d patches; at most %d are read' %
                (path, len(patches), _MAX_PATCHES))
        return cls(tuple(patches), lacks, differs)

    def dump(self):
        """Return the file's text."""
        lines = list(self.patches)
        lines += ['# lacks %s: %s' % item for item in self.lacks.items()]
        lines.sort(key=lambda line: line.removeprefix('# lacks '))
        lines += ['# differs %s: %s' % item
                  for item in sorted(self.differs.items())]
        return ''.join(line + '\n' for line in lines)


def _require_name(name, where):
    if not FILE.fullmatch(name):
        raise exceptions.BadInput(
            '%s: %r is no patch\'s file name, which is four digits and a '
            'lower-case slug: 0001-area-imperative-subject.patch' %
            (where, name[:80]))
