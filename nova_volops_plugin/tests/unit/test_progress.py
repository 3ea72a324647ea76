# SPDX-License-Identifier: Apache-2.0

"""What the command line shows while it works, and what it does not."""

import io
import logging

import fixtures
import testtools

from nova_volops_plugin.cmd import app

OWN = 'nova_volops_plugin.cloud.some'


class Terminal(io.StringIO):

    def isatty(self):
        return True


class ProgressTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        # What one application adds is not for the next one.
        for name in ('', app.PACKAGE):
            logger = logging.getLogger(name)
            self.addCleanup(logger.handlers.__setitem__, slice(None),
                            logger.handlers[:])
            self.addCleanup(logger.setLevel, logger.level)

    def _said(self, stream, *options):
        volops = app.VolopsApp()
        volops.stdout, volops.stderr = io.StringIO(), stream
        folder = self.useFixture(fixtures.TempDir()).path
        self.assertEqual(2, volops.run(
            [*options, '--state-dir', folder, 'no-such-command']))
        stream.truncate(0)
        stream.seek(0)
        logging.getLogger(OWN).info('starting %s', 'it')
        logging.getLogger(OWN).info('1 passed', extra={'counter': True})
        logging.getLogger(OWN).info('2 passed', extra={'counter': True})
        logging.getLogger(OWN).info('it is %d', 2)
        logging.getLogger('urllib3').warning('Retrying')
        volops.LOG.error('it failed')
        return stream.getvalue()

    def test_terminal(self):
        self.assertEqual(
            'starting it\n1 passed\r\033[K2 passed\r\033[Kit is 2\n'
            'it failed\n', self._said(Terminal()))

    def test_elsewhere(self):
        self.assertEqual('starting it\nit failed\n',
                         self._said(io.StringIO()))

    def test_quiet(self):
        for stream in (Terminal(), io.StringIO()):
            self.assertEqual('it failed\n', self._said(stream, '--quiet'))

    def test_verbose(self):
        self.assertEqual('starting it\nRetrying\nit failed\n',
                         self._said(io.StringIO(), '--verbose'))
