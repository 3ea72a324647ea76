# SPDX-License-Identifier: Apache-2.0

"""What a check leaves in the state folder when it ends."""

import json
import pathlib

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import python
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.rolling import mixed
from nova_volops_plugin import result
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.tests.unit import command_line

BASE = python.newest_base()
OLDER = nova_base.Base.load(nova_base.sample()[-1])
STEP = mixed.Step('story', 'attach', '409', '409', True)


class KeptTest(command_line.TestCase):

    def _run(self, *words):
        return self.volops(*words)[0]

    def _kept(self):
        return {path.name: json.loads(path.read_text())
                for path in pathlib.Path(self.folder).glob('results/*')}

    def _steps(self, *steps):
        self.patch(mixed, 'run', lambda *args: iter(steps))

    def test_failed(self):
        self._steps(STEP, mixed.Step('story', 'swap', '409', '202', False))
        self.assertEqual(3, self._run('rolling'))
        (name, kept), = self._kept().items()
        self.assertEqual(
            'rolling-%s-%s-unpatched.json' % (BASE, BASE), name)
        self.assertEqual({BASE.name: BASE.tree,
                          BASE.name + '-unpatched': BASE.base_tree},
                         kept['trees'])
        self.assertEqual({'passed': 1, 'failed': 1, 'skipped': 0},
                         kept['counts'])
        self.assertEqual(['rolling'], kept['command'])
        self.assertRegex(kept['machine']['date'], r'^\d{4}-\d\d-\d\d$')

    def test_another_base_is_kept_apart(self):
        self._steps(STEP)
        self._run('rolling')
        self._run('rolling', '--older', OLDER.name)
        self.assertEqual(2, len(self._kept()))
        self.assertIn('rolling-%s-%s.json' % (BASE, OLDER), self._kept())

    def test_broken_down(self):
        def fail(*args):
            raise exceptions.VolopsError('a part failed')

        self.patch(mixed, 'run', fail)
        self.assertEqual(1, self._run('rolling'))
        self.assertEqual({}, self._kept())

    def test_tests_of_nova(self):
        self.patch(nova_tests, 'run',
                   lambda *args, **kwargs: nova_tests.Result(20, 0, 3))
        self.assertEqual(
            0, self._run('patch', 'test', BASE.name, '--unpatched'))
        name = 'patch-test-%s-unpatched' % BASE
        kept = self._kept()[name + '.json']
        self.assertEqual({BASE.name + '-unpatched': BASE.base_tree},
                         kept['trees'])
        self.assertEqual(20, kept['counts'][result.PASSED])
        self.assertEqual(3, kept['counts'][result.SKIPPED])
        # The tree of some topics is not that of the whole series.
        self._run('patch', 'test', BASE.name, '--only', 'fixes')
        self.assertEqual({}, self._kept()['patch-test.json']['trees'])
