# SPDX-License-Identifier: Apache-2.0

import pathlib
import subprocess
import sys

import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.sdk import microversions


class TestMicroversions(testtools.TestCase):

    def test_before(self):
        self.assertEqual('2.104', microversions.before('2.105'))
        self.assertEqual('2.99', microversions.before('2.100'))

    def test_are_those_of_the_bases(self):
        bases = sorted(nova_base.load_all(), key=lambda base: base.release,
                       reverse=True)
        self.assertEqual(tuple(base.name for base in bases),
                         microversions.BASES)
        for base in bases:
            self.assertEqual(base.features, {
                feature: microversions.of(base.name, feature)
                for feature in microversions.FEATURES})

    def test_clients_need_no_tool(self):
        """The library and the commands import nothing of the extras."""
        code = (
            'import sys\n'
            'for name in ("bindep", "pyflakes"):\n'
            '    sys.modules[name] = None\n'
            'from nova_volops_plugin.osc import attachment, plugin, server\n'
            'from nova_volops_plugin.sdk import operations\n'
            'print(*(name for name in sys.modules\n'
            '        if name.startswith("nova_volops_plugin.")))\n')
        loaded = subprocess.run(
            [sys.executable, '-c', code], text=True, check=True,
            stdout=subprocess.PIPE,
            cwd=pathlib.Path(__file__).parents[4]).stdout.split()
        self.assertEqual({'osc', 'sdk'}, {
            name.split('.')[1] for name in loaded})
