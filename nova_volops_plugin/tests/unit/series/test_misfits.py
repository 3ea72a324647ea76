# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin.bases import git
from nova_volops_plugin.series import misfits
from nova_volops_plugin.tests.unit.series import samples

RELEASED = '''
import lib


class Driver:
    def config(self, instance, info):
        self.wait(events=[], deadline=1)

    def wait(self, events, deadline=None):
        pass

    @lib.adds_an_argument
    def spawn(self, context, func):
        pass


def act(driver):
    driver.config(1, 2)
    driver.spawn(print)
    lib.get(default=1)


driver = Driver()
'''
NEWER = RELEASED.replace('instance, info', 'info').replace(
    '1, 2', '2').replace('deadline', 'timeout') + '''
def track(func, *args, **kwargs):
    pass
'''


class MisfitsTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        base = self.series.add('one', '2.0.0', nova__driver_py='')
        self.path, _repository = self.series.fetch(base.name)
        self.git = git.isolated(self.path)

    def _commit(self, name, code, path='nova/driver.py'):
        self.series.commit(self.path, {path: code}, name)
        return self.git.line('rev-parse', 'HEAD')

    def _find(self, ported, path='nova/driver.py'):
        released = self._commit('released', RELEASED)
        source = self._commit('source', NEWER)
        self._commit('released again', RELEASED)
        return misfits.find(
            self.git, self._commit('ported', ported, path), source, released)

    def test_nothing(self):
        self.assertEqual([], self._find(RELEASED + '''
def more(driver, *args, **kwargs):
    driver.config(3, info=4)
    driver.wait([], deadline=2)
    driver.config(*args)
    driver.config(**kwargs)
    driver.spawn(more)
    lib.only_there(driver)
'''))

    def test_name(self):
        self.assertEqual(
            [('nova/driver.py', RELEASED.count('\n') + 1,
              'nothing here is called track')],
            self._find(RELEASED + 'lib.track(act)\n'))

    def test_name_of_a_module(self):
        self.assertEqual([], self._find(
            'import track\n\ntrack.get(1)\n', 'nova/track.py'))

    def test_what_does_not_fit(self):
        for added, what in (
                ('driver.wait([], timeout=2)\n',
                 'no wait here takes these arguments'),
                ('driver.config(2)\n',
                 'no config here takes these arguments'),
                ('act(1, 2)\n', 'no act here takes these arguments'),
                ('def act_later(driver):\n    driver(context)\n',
                 'context is not defined there')):
            self.assertEqual([what], [
                found for _path, _line, found in self._find(RELEASED + added)])

    def test_tests_are_left_out(self):
        self.assertEqual([], self._find(
            'track(act)\n', 'nova/tests/unit/test_driver.py'))
