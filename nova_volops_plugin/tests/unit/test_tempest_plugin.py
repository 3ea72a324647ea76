# SPDX-License-Identifier: Apache-2.0

import ast
import pathlib
import unittest

import testtools

from tempest_plugin.common import base
from tempest_plugin import config
from tempest_plugin import plugin

PACKAGE = pathlib.Path(plugin.__file__).parent


def test_classes():
    """Every test class of the plugin with tests of its own."""
    suite = unittest.TestLoader().discover(
        str(PACKAGE), top_level_dir=str(PACKAGE.parent))
    found, pending = set(), [suite]
    while pending:
        item = pending.pop()
        if isinstance(item, unittest.TestSuite):
            pending.extend(item)
        else:
            found.add(type(item))
    return found


class PluginTest(testtools.TestCase):

    def test_every_class_is_gated(self):
        """No test runs on a cloud that does not say it has the feature"""
        flags = {opt.name for opt in config.volume_ops_opts
                 if opt.default is False}
        classes = test_classes()
        self.assertGreater(len(classes), 15)
        used = set()
        for test_class in classes:
            self.assertTrue(issubclass(test_class, base.BaseVolumeOpsTest),
                            test_class)
            self.assertTrue(test_class.features, test_class)
            used.update(test_class.features)
        self.assertEqual(flags, used)

    def test_needs_neither_nova_nor_the_tool(self):
        for path in PACKAGE.rglob('*.py'):
            for node in ast.walk(ast.parse(path.read_text())):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom):
                    names = [node.module]
                for name in names:
                    self.assertNotIn(
                        name.split('.')[0], ('nova', 'nova_volops_plugin'),
                        path)
