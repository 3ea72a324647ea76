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

"""Which of Nova's test modules a series touches.

Those are the test modules its patches change or add, the unit tests that
Nova's naming gives to each module they change, and the samples' tests when
they change notification samples.
"""

import pathlib

from nova_volops_plugin.series import patch as series_patch

_NOTIFICATIONS = (
    'nova/tests/functional/notification_sample_tests/test_instance.py')
# Where Nova itself departs from its naming.
_NAMED_OTHERWISE = {
    'nova/compute/manager.py': 'nova/tests/unit/compute/test_compute_mgr.py',
}


def modules(base, tree, kind):
    """Return the dotted names of the test modules, sorted.

    :param base: a :class:`nova_volops_plugin.series.base.Base`
    :param tree: the work tree's :class:`pathlib.Path`
    :param kind: ``unit`` or ``functional``
    """
    changed = {change.path for patch in series_patch.load(base)
               for change in patch.changes}
    paths = {path for name in changed for path in _tests(name)}
    return sorted(
        path.removesuffix('.py').replace('/', '.') for path in paths
        if path.startswith('nova/tests/%s/' % kind) and
        (tree / path).is_file())


def _tests(name):
    path = pathlib.PurePosixPath(name)
    if name.startswith('doc/notification_samples/'):
        yield _NOTIFICATIONS
    elif path.suffix != '.py' or path.parts[0] != 'nova':
        return
    elif path.parts[1] == 'tests':
        if path.name.startswith('test_'):
            yield name
    elif name in _NAMED_OTHERWISE:
        yield _NAMED_OTHERWISE[name]
    else:
        yield str(pathlib.PurePosixPath(
            'nova/tests/unit', *path.parts[1:-1], 'test_' + path.name))
