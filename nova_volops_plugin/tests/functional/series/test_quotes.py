# SPDX-License-Identifier: Apache-2.0

"""What the documents quote of Nova and of this repository is there."""

import ast
import pathlib
import re

from tempest import config as tempest_config
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.series import tree as series_tree
from nova_volops_plugin import state
from nova_volops_plugin.tests import documents
from tempest_plugin import config as plugin_config

_ADMIN = documents.TOP / 'doc/source/admin'
_LITERAL = re.compile(r'``(.+?)``', re.DOTALL)
_OPTION = re.compile(r'\[([\w-]+)\] ?/?([a-z][a-z_]+)')
_PACKAGE = documents.TOP / 'nova_volops_plugin'
# Stands for any base, and what the first proof writes.
_MADE = ('nova-patches/BASE', 'doc/source/reference/proof.json')
# keystoneauth1 and oslo.privsep register them.
_REGISTERED_ELSEWHERE = {('cinder', 'auth_type'),
                         ('nova_sys_admin', 'thread_pool_size')}


def _literals():
    """Yield the path of a document and a literal of it."""
    for path in documents.paths():
        for found in _LITERAL.findall(path.read_text()):
            yield path, ' '.join(found.split())


def _rows(path, columns):
    """Yield the rows of the list tables with so many columns, as lists."""
    for row in re.split(r'^   \* - ', path.read_text(),
                        flags=re.MULTILINE)[1:]:
        row = re.split(r'\n(?! )', row)[0]
        cells = re.split(r'^     - ', row, flags=re.MULTILINE)
        if len(cells) == columns:
            yield [' '.join(cell.split()) for cell in cells]


def _in_order(parts, text):
    return re.search('.*'.join(map(re.escape, parts)), text, re.DOTALL)


class QuotesTest(testtools.TestCase):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        base = nova_base.default()
        cls.tree = series_tree.ensure(state.StateDir(), base)
        cls.modules = {}
        for path in sorted((cls.tree / 'nova').rglob('*.py')):
            if 'tests' not in path.parts:
                cls.modules[str(path.relative_to(cls.tree))] = path

    def _calls(self, folder):
        """Yield the method and the message of each line that is logged."""
        for name, path in self.modules.items():
            if not name.startswith(folder):
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and \
                        isinstance(node.func, ast.Attribute) and \
                        isinstance(node.func.value, ast.Name) and \
                        node.func.value.id == 'LOG' and node.args and \
                        isinstance(node.args[0], ast.Constant):
                    yield node.func.attr, node.args[0].value

    def test_log_lines(self):
        levels = {'info': 'INFO', 'warning': 'WARNING', 'error': 'ERROR',
                  'exception': 'ERROR'}
        logged = [(levels[method], message)
                  for method, message in self._calls('nova/compute')
                  if method in levels]
        quoted = [(row[0], _LITERAL.findall(row[1]))
                  for row in _rows(_ADMIN / 'monitoring.rst', 3)
                  if row[0] in levels.values()]
        self.assertGreater(len(quoted), 5)
        for level, parts in quoted:
            self.assertTrue(any(
                level == each and message.startswith(parts[0]) and
                _in_order(parts, message) for each, message in logged),
                'nova-compute logs no %s line "%s"' % (
                    level, ' ... '.join(parts)))

    def _options(self):
        """Return a dict of the names of Nova's options and their defaults."""
        found = {}
        for name, path in self.modules.items():
            if not name.startswith('nova/conf/'):
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and node.args and \
                        isinstance(node.args[0], ast.Constant) and \
                        isinstance(node.func, ast.Attribute) and \
                        node.func.attr.endswith('Opt'):
                    found[node.args[0].value] = next((
                        ast.unparse(keyword.value).strip("'")
                        for keyword in node.keywords
                        if keyword.arg == 'default'), None)
        return found

    def test_options(self):
        options = self._options()
        known = set(options) | {
            opt.name for opt in plugin_config.volume_ops_opts} | {
            opt.name for _group, opts in tempest_config.list_opts()
            for opt in opts}
        quoted = [(path, *pair) for path, text in _literals()
                  for pair in _OPTION.findall(text)]
        self.assertGreater(len(quoted), 10)
        self.assertEqual([], [
            (path.name, group, option) for path, group, option in quoted
            if option not in known and
            (group, option) not in _REGISTERED_ELSEWHERE and
            option != 'send_service_user_token'])
        shown = [pair for row in _rows(_ADMIN / 'configuration.rst', 3)
                 for pair in re.findall(
                     r'``(?:\[\w+\] )?(\w+)``(?: \(([^)]*)\))?', row[0])]
        self.assertGreater(len(shown), 8)
        for option, default in shown:
            if option == 'auth_type':
                continue
            self.assertIn(option, options)
            if default:
                self.assertEqual(default, options[option], option)

    def test_modules_of_nova(self):
        quoted = {(path.name, text) for path, text in _literals()
                  if re.fullmatch(r'[\w/]+\.py', text)}
        self.assertGreater(len(quoted), 10)
        self.assertEqual([], sorted(
            (name, text) for name, text in quoted
            if not any(module == text or module.endswith('/' + text)
                       for module in self.modules) and
            not list(_PACKAGE.rglob(text)) and
            not (documents.TOP / text).exists()))

    def test_paths_of_the_repository(self):
        """A path with a folder of this repository in front, or a room."""
        quoted = {(path.name, text) for path, text in _literals()
                  if re.fullmatch(r'[\w.-]+/[\w./-]*', text) and
                  text.split('/')[0] in {
                      'doc', 'nova-patches', 'devstack', 'tempest_plugin',
                      'nova_volops_plugin', '.ci', 'tools', 'api-ref'} |
                  {each.name for each in _PACKAGE.iterdir()}}
        self.assertGreater(len(quoted), 10)
        self.assertEqual([], sorted(
            (name, text) for name, text in quoted if not any(
                (top / text).exists() for top in (
                    documents.TOP, _PACKAGE, _PACKAGE / 'lab')) and
            text not in _MADE))

    def test_options_of_commands(self):
        """Those that begin a literal; of this package, OSC or nova-manage."""
        import openstackclient
        from osc_lib import shell

        sources = ''.join(
            path.read_text() for folder in (
                _PACKAGE, pathlib.Path(openstackclient.__file__).parent)
            for path in folder.rglob('*.py')) + pathlib.Path(
            shell.__file__).read_text() + self.modules[
            'nova/cmd/manage.py'].read_text()
        quoted = {(path.name, option) for path, text in _literals()
                  for option in re.findall(r'(?:^| )(--[a-z-]+)', text)
                  if not text.startswith('git ')}
        self.assertGreater(len(quoted), 25)
        self.assertEqual([], sorted(
            (name, option) for name, option in quoted
            if "'%s'" % option not in sources))

    def test_traits(self):
        texts = ''.join(path.read_text() for path in self.modules.values())
        quoted = {text for _path, text in _literals()
                  if re.fullmatch(r'CUSTOM_\w+', text) and text != 'CUSTOM_'}
        self.assertNotEqual(set(), quoted)
        for trait in quoted:
            self.assertIn(trait.removeprefix('CUSTOM_'), texts)

    def test_statuses(self):
        """What the API answers where a bus cannot be read-only"""
        text = self.modules[
            'nova/api/openstack/compute/volume_attachments.py'].read_text()
        raised = {}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ExceptHandler):
                kinds = node.type.elts if isinstance(
                    node.type, ast.Tuple) else [node.type]
                code = re.search(r'HTTP(\w+)\(', ast.unparse(node))
                for kind in kinds:
                    if code:
                        raised[ast.unparse(kind).split('.')[-1]] = code[1]
        codes = {'BadRequest': '400', 'Conflict': '409'}
        page = (documents.TOP / 'doc/source/user/attach-mode.rst').read_text()
        rows = dict(re.findall(
            r'^(4\d\d)   (.*?)(?=^4\d\d|^=)', page,
            re.DOTALL | re.MULTILINE))
        for words, error in (('``ide``', 'InvalidBDMAttachModeDiskBus'),
                             ('too old to honour', 'AttachModeNotSupported')):
            self.assertIn(words, rows[codes[raised[error]]])
