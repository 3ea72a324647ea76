# SPDX-License-Identifier: Apache-2.0

"""Runs the command line in this process, as a user would."""

import json

from nova_volops_plugin.tests.unit import command_line
from nova_volops_plugin.tests.unit.series import samples


class TestCase(samples.TestCase):

    def volops(self, *words):
        """Run ``nova-volops patch WORDS``; return exit code, out and err."""
        return command_line.run(
            self.series.state.path, 'patch', *map(str, words),
            '--patches', str(self.series.root))

    def json(self, *words):
        """Run a command that must succeed silently; return its data."""
        code, out, err = self.volops(*words, '-f', 'json')
        self.assertEqual((0, ''), (code, err))
        return json.loads(out)
