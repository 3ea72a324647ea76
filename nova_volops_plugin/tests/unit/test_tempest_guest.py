# SPDX-License-Identifier: Apache-2.0

import os
import pathlib
import subprocess

import fixtures
from tempest.lib import exceptions as lib_exc
import testtools

from tempest_plugin.common import guest
from tempest_plugin.common import report


class Console:
    """Answers as Nova does; each look shows one more piece of the log."""

    def __init__(self, *pieces):
        self.pieces = list(pieces)
        self.text = ''

    def get_console_output(self, server_id):
        piece = self.pieces.pop(0) if self.pieces else ''
        if isinstance(piece, Exception):
            raise piece
        self.text += piece
        return {'output': self.text}


def printed(number, image='one'):
    return 'volops tag=%s boot=3f1c tick=%d\n' % (image, number)


def console_guest(*pieces, timeout=5):
    return guest.ConsoleGuest(
        Console(*pieces), 'server', report.Parser(), timeout, 0)


class ConsoleGuestTest(testtools.TestCase):

    def test_report_is_newer_than_the_question(self):
        asked = console_guest(printed(1), '', printed(2), printed(3))
        self.assertEqual(2, asked.report().number)

    def test_a_report_begun_before_the_question_does_not_count(self):
        line = printed(2)
        asked = console_guest(
            line[:9], line[9:], printed(3), printed(4))
        self.assertEqual(3, asked.report().number)

    def test_latest_of_several(self):
        asked = console_guest('', printed(1) + printed(2) + printed(3))
        self.assertEqual(2, asked.report().number)

    def test_no_console_yet(self):
        asked = console_guest(lib_exc.Conflict(), printed(1), printed(2))
        self.assertEqual(1, asked.report().number)

    def test_silent_guest(self):
        asked = console_guest('Kernel panic', timeout=0)
        error = self.assertRaises(lib_exc.TimeoutException, asked.report)
        self.assertIn('Kernel panic', str(error))

    def test_mark_is_the_image(self):
        self.assertEqual(
            'two', console_guest(
                '', printed(1, 'two') + printed(2, 'two')).mark_system())

    def test_wait_for(self):
        asked = console_guest(
            '', printed(1) + printed(2), '',
            printed(3, 'two') + printed(4, 'two'))
        seen = asked.wait_for(lambda seen: seen.image == 'two', 'image two')
        self.assertEqual(3, seen.number)

    def test_wait_for_in_vain(self):
        asked = console_guest('', printed(1) + printed(2), timeout=0)
        error = self.assertRaises(
            lib_exc.TimeoutException, asked.wait_for,
            lambda seen: False, 'the impossible')
        self.assertIn('the impossible', str(error))
        self.assertIn("image='one'", str(error))


class SSHGuestTest(testtools.TestCase):
    """The script, run by this machine's shell on files in place of disks"""

    def setUp(self):
        super().setUp()
        folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.sys, self.dev, self.home, tools = [
            folder / name for name in ('sys', 'dev', 'home', 'bin')]
        for path in (self.sys, self.dev, self.home, tools):
            path.mkdir()
        sudo = tools / 'sudo'
        sudo.write_text('#!/bin/sh\nexec "$@"\n')
        sudo.chmod(0o755)
        self.environment = dict(
            os.environ, HOME=str(self.home),
            PATH='%s:%s' % (tools, os.environ['PATH']))

    def add_disk(self, name, content=b'\xeb\x58' + bytes(1022), serial=None):
        block = self.sys / name
        block.mkdir()
        (block / 'size').write_text('%d\n' % (len(content) // 512))
        (block / 'ro').write_text('0\n')
        if serial:
            (block / 'serial').write_text(serial)
        (self.dev / name).write_bytes(content)
        return block

    def exec_command(self, script):
        script = script.replace('/sys/block', str(self.sys)).replace(
            '/dev/$', '%s/$' % self.dev)
        return subprocess.run(
            ['sh', '-c', script], env=self.environment, check=True,
            capture_output=True, text=True).stdout

    def guest(self):
        return guest.SSHGuest(lambda: self, 'marked', 0, 0)

    def test_report(self):
        self.add_disk('vda')
        self.add_disk('vdb', serial='8d1f0c7b-2a94-4386-b')
        seen = self.guest().report()
        root, data = seen.disks
        self.assertEqual(('vda', 1024, '', None),
                         (root.name, root.size, root.serial, root.writable))
        self.assertEqual('eb58' + '00' * 14, data.head)
        self.assertEqual((False, '8d1f0c7b-2a94-4386-b', True),
                         (data.read_only, data.serial, data.writable))

    def test_writing_changes_nothing(self):
        content = bytes(range(256)) * 8
        self.add_disk('vda')
        self.add_disk('vdb', content)
        self.guest().report()
        self.assertEqual(content, (self.dev / 'vdb').read_bytes())

    def test_write_refused(self):
        self.add_disk('vda')
        block = self.add_disk('vdb')
        (block / 'ro').write_text('1\n')
        # A folder in the file's place: nobody, root included, can write it.
        (self.dev / 'vdb').unlink()
        (self.dev / 'vdb').mkdir()
        disk = self.guest().report().disks[1]
        self.assertEqual((True, False), (disk.read_only, disk.writable))

    def test_scsi_serial(self):
        self.add_disk('sda')
        block = self.add_disk('sdb')
        (block / 'device').mkdir()
        (block / 'device' / 'vpd_pg80').write_bytes(
            b'\0\x80\0\x248d1f0c7b-2a94-4386-b7f0-8c3d21e6a95f')
        seen = self.guest().report()
        self.assertEqual('sdb', seen.disk_of(
            '8d1f0c7b-2a94-4386-b7f0-8c3d21e6a95f').name)

    def test_mark(self):
        self.add_disk('vda')
        self.assertEqual('none', self.guest().report().image)
        self.assertEqual('marked', self.guest().mark_system())
        self.assertEqual('marked', self.guest().report().image)
