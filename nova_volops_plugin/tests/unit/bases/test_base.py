# SPDX-License-Identifier: Apache-2.0

import pathlib
import re

from nova_volops_plugin.bases import base
from nova_volops_plugin.bases import files
from nova_volops_plugin import exceptions
from nova_volops_plugin.tests.unit.series import samples


class BaseTest(samples.TestCase):

    def _conf(self, old, new):
        self.edit('one/base.conf', old, new)

    def test_load(self):
        self.series.add('one', '1.2.3')
        loaded = base.Base.load('one', self.series.root)
        self.assertEqual('1.2.3', loaded.version)
        self.assertEqual(
            ('3.11', '3.12', '3.13', '3.10'), loaded.pythons)
        self.assertEqual(('native', 'eventlet'), loaded.modes)
        self.assertEqual(('2.10', '2.10'), loaded.microversions)
        self.assertEqual(loaded.modes, loaded.functional_modes)

    def test_names_and_default(self):
        self.series.add('old', '2.0.0')
        self.series.add('new', '10.0.0')
        self.assertEqual(['new', 'old'], base.names(self.series.root))
        self.assertEqual('new', base.default(self.series.root).name)

    def test_sample(self):
        for version in ('4.0.0', '5.0.0', '10.0.0', '6.0.0'):
            self.series.add('of' + version, version)
        for nth, middle in enumerate(('of6.0.0', 'of5.0.0')):
            conf = self.series.root / 'of10.0.0/base.conf'
            head, _tree, _rest = conf.read_text().rpartition('tree = ')
            conf.write_text('%stree = %040x\n' % (head, nth))
            self.assertEqual(['of10.0.0', middle, 'of4.0.0'],
                             base.sample(self.series.root))

    def test_sample_of_few(self):
        self.series.add('old', '2.0.0')
        self.assertEqual(['old'], base.sample(self.series.root))
        self.series.add('new', '10.0.0')
        self.assertEqual(['new', 'old'], base.sample(self.series.root))

    def test_no_other_place_knows_a_base(self):
        top = pathlib.Path(__file__).parents[4]
        # What clients have in place of the patches.
        table = top / 'nova_volops_plugin/sdk/microversions.py'
        name = re.compile(r'\b(%s)\b' % '|'.join(
            map(re.escape, base.names())), re.IGNORECASE)
        self.assertEqual([], [
            '%s: %s' % (path.relative_to(top), line)
            for folder in ('nova_volops_plugin', 'tempest_plugin', 'tools',
                           'devstack')
            for path in sorted((top / folder).rglob('*'))
            if path.is_file() and path.suffix != '.pyc' and path != table
            for line in path.read_text().splitlines() if name.search(line)])

    def test_unknown_base(self):
        self.series.add('one')
        for name in ('two', '../one', '', 'one/../one'):
            self.assertRefused(
                exceptions.BadInput, ['the bases are: one'],
                base.Base.load, name, self.series.root)

    def test_no_base_at_all(self):
        for load in (base.names, base.load_all, base.default, base.sample):
            self.assertRefused(
                exceptions.BadInput, [str(self.series.root), 'no base'],
                load, self.series.root)

    def test_missing_option(self):
        self.series.add('one')
        self._conf('sha256', 'sha512')
        self.assertRefused(
            exceptions.BadInput, ["lacks option 'sha256'", 'base.conf'],
            self.series.load, 'one')

    def test_malformed_options(self):
        self.series.add('one')
        good = (self.series.root / 'one/base.conf').read_text()
        for old, new, words in (
                ('version = 1.0.0', 'version = ../../x', "'../../x'"),
                ('version = 1.0.0', 'version = 1.0.0 --pre', 'a version'),
                ('sha256 = ', 'sha256 = 0', '64 hexadecimal'),
                ('installer = pip==24.0', 'installer = -e /tmp', 'pinned'),
                ('installer = pip==24.0', 'installer = pip', 'pinned'),
                ('versions = 3.11', 'versions = 3.11;rm', 'Python versions'),
                ('base = 2.10', 'base = latest', 'a microversion'),
                ('native eventlet', 'native native', 'its default first'),
                ('native eventlet', '', 'its default first'),
                ('native eventlet', 'green', 'its default first'),
                ('[series]', '[series]\nextra = 1', 'not known'),
                ('[series]', '[[series', 'not an INI file')):
            self._conf(old, new)
            self.assertRefused(
                exceptions.BadInput, [words, 'base.conf'],
                self.series.load, 'one')
            (self.series.root / 'one/base.conf').write_text(good)

    def test_hostile_files(self):
        self.series.add('one')
        conf = self.series.root / 'one/base.conf'
        conf.write_bytes(b'\xff\xfe')
        self.assertRefused(
            exceptions.BadInput, 'not UTF-8', self.series.load, 'one')
        with open(conf, 'wb') as file:
            file.truncate(files.MAX_BYTES + 1)
        self.assertRefused(
            exceptions.BadInput, 'at most', self.series.load, 'one')
        conf.unlink()
        conf.symlink_to('/etc/passwd')
        self.assertRefused(
            exceptions.BadInput, 'not a regular file',
            self.series.load, 'one')
