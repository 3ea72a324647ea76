# SPDX-License-Identifier: Apache-2.0

import contextlib
import random
import tarfile
import zlib

from nova_volops_plugin.bases import base
from nova_volops_plugin.bases import sdist
from nova_volops_plugin import exceptions
from nova_volops_plugin import patches_folder
from nova_volops_plugin.series import patch
from nova_volops_plugin.series import series_file
from nova_volops_plugin.tests.unit.series import samples

TIMES = 400
PIECES = (b'', b'\0', b'\xff', b'../', b'/etc/passwd', b'\n', b'\r', b'9' * 40,
          b'[x]\n', b'%(x)s', b'diff --git a/../x b/../x\n', b'@@ -1 +1 @@\n',
          b'new file mode 120000\n', b'\xf0\x9f\x98\x80', b'=' * 9999)


class HostileTest(samples.TestCase):
    """Whatever a file holds, it is read or refused in words."""

    def _spoilt(self, content):
        """Yield copies of a file with a few bytes gone, changed or added."""
        source = random.Random(1)
        for _ in range(TIMES):
            spoilt = bytearray(content)
            for _ in range(source.randint(1, 3)):
                start = source.randrange(len(spoilt) + 1)
                end = start + source.choice((0, 0, 1, 1, 8, 500))
                spoilt[start:end] = source.choice((
                    source.choice(PIECES), source.randbytes(2)))
            yield bytes(spoilt)

    def _check(self, path, read):
        refused = 0
        for content in self._spoilt(path.read_bytes()):
            path.write_bytes(content)
            try:
                read()
            except exceptions.BadInput as error:
                refused += 1
                self.assertIn(path.name, str(error))
        self.assertGreater(refused, TIMES // 20)

    def test_base_conf(self):
        self.series.add('one')
        self._check(self.series.root / 'one/base.conf',
                    lambda: base.Base.load('one', self.series.root))

    def test_series(self):
        path = self.series.top / 'series'
        path.write_text('0001-a.patch\n# lacks 0002-b.patch: upstream has it'
                        '\n0003-c.patch\n# differs nova/x.py: a library\n')
        self._check(path, lambda: series_file.SeriesFile.load(path))

    def test_patch(self):
        found = sorted(
            (patches_folder.root() / base.default().name).glob('*.patch'))[1]
        path = self.series.top / found.name
        path.write_bytes(found.read_bytes())

        def read():
            loaded = patch.Patch(path)
            return loaded.subject, loaded.author, loaded.trailers

        self._check(path, read)

    def _read(self, path):
        with sdist.members(path, 'nova-1.0.0') as found:
            return list(found)

    def test_sdist(self):
        path = self.series.top / 'nova.tar.gz'
        samples.sdist(path, '1.0.0', {
            'README.rst': 'Nova', 'nova/a.py': 'import os\n' * 500})
        self._check(path, lambda: self._read(path))

    def test_sdist_inside(self):
        # Its gzip layer is intact, so all that comes is read as tar.
        path = self.series.top / 'nova.tar.gz'
        plain = self.series.top / 'nova.tar'
        with contextlib.closing(tarfile.open(plain, 'w')) as archive:
            for name in ('nova-1.0.0/a', 'nova-1.0.0/' + 'b' * 120):
                member = tarfile.TarInfo(name)
                member.size = 0
                archive.addfile(member)
        refused = 0
        for content in self._spoilt(plain.read_bytes()):
            gzip = zlib.compressobj(wbits=31)
            path.write_bytes(gzip.compress(content) + gzip.flush())
            try:
                self._read(path)
            except exceptions.BadInput:
                refused += 1
        self.assertGreater(refused, TIMES // 20)
