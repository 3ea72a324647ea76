# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Records with which tree all tests that a series adds have passed.

base.conf holds the id of that tree for each kind of threads, so that the
tests of a series that has not changed since need not all run again.
"""

import configparser

_SECTION = 'tested'


def is_current(base, mode):
    """Return whether the tests passed with the tree that the series gives.

    :param base: a :class:`nova_volops_plugin.series.base.Base`
    :param mode: one of :data:`nova_volops_plugin.series.threads.MODES`
    """
    return base.tested.get(mode) == base.tree


def record(base, mode):
    """Write that they passed with the tree that the series gives.

    :param base: as for :func:`is_current`, so is ``mode``
    """
    path = base.path / 'base.conf'
    text = path.read_text()
    head, _heading, _tail = text.partition('[%s]\n' % _SECTION)
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    trees = dict(parser[_SECTION] if parser.has_section(_SECTION) else {},
                 **{mode: base.tree})
    path.write_text('%s\n\n[%s]\n%s' % (
        head.rstrip('\n'), _SECTION, ''.join(
            '%s = %s\n' % item for item in sorted(trees.items()))))
