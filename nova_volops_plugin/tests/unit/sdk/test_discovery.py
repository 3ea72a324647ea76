# SPDX-License-Identifier: Apache-2.0

import ddt

from nova_volops_plugin import patches_folder
from nova_volops_plugin.sdk import discovery
from nova_volops_plugin.sdk import microversions
from nova_volops_plugin.tests.unit.sdk import stub


def _base_of(version):
    """Return the base whose attach_mode begins with a microversion."""
    return next(base for base in patches_folder.names()
                if microversions.of(base, 'attach_mode') == version)


@ddt.ddt
class TestDiscovery(stub.TestCase):

    def _discovery(self, *args, **kwargs):
        return discovery.Discovery(self.connect(*args, **kwargs))

    @ddt.data(
        # latest, knows attach_mode from, is a cloud of
        ((2, 106), (2, 105), _base_of('2.105')),
        ((2, 93), (2, 91), _base_of('2.91')),
        # As released, the second with other things at 2.91.
        ((2, 90), None, None),
        ((2, 93), None, None),
        ((2, 104), None, None),
        # A later release that uses the numbers for other things, or that
        # has attach_mode of its own under other numbers.
        ((2, 120), None, None),
        ((2, 120), (2, 100), None),
        ((2, 120), (2, 110), None),
    )
    @ddt.unpack
    def test_base(self, latest, knows_from, base):
        self.assertEqual(base, self._discovery(latest, knows_from).base())

    @ddt.data(
        ((2, 106), (2, 105), '2.106'), ((2, 93), (2, 91), '2.93'))
    @ddt.unpack
    def test_latest_of_the_series(self, latest, knows_from, version):
        found = self._discovery(latest, knows_from)
        self.assertEqual(
            {version}, {found.require(feature)
                        for feature in discovery.FEATURES})

    def test_later_versions_are_not_the_series(self):
        self.assertEqual('2.106', self._discovery(
            (2, 120), (2, 105)).require('attach_mode'))

    def test_part_of_the_series(self):
        found = self._discovery((2, 105), (2, 105))
        self.assertEqual('2.105', found.require('multi_create'))
        error = self.assertRaises(
            discovery.NotOffered, found.require, 'shelved')
        self.assertEqual(
            'shelved needs a Nova with the nova-volops series and compute '
            'API version %s; the latest version of this cloud is 2.105' %
            ' or '.join('%s (base %s)' % (
                microversions.of(base, 'shelved'), base)
                for base in patches_folder.names()), str(error))

    def test_without_the_series(self):
        found = self._discovery((2, 104))
        for feature in ('attach_mode', 'multi_create', 'shelved'):
            error = self.assertRaises(
                discovery.NotOffered, found.require, feature)
            self.assertEqual(feature, error.feature)
            self.assertIn('2.104, and it does not know attach_mode',
                          str(error))
        self.assertEqual('2.93', found.require('rebuild'))

    def test_too_old_for_a_rebuild(self):
        error = self.assertRaises(
            discovery.NotOffered,
            self._discovery((2, 90)).require, 'rebuild')
        self.assertEqual(
            'rebuild needs compute API version 2.93 or greater; the latest '
            'version of this cloud is 2.90', str(error))

    def test_asked_version(self):
        self.assertEqual('2.105', self._discovery(
            (2, 106), (2, 105), '2.105').require('attach_mode'))
        error = self.assertRaises(
            discovery.NotOffered, self._discovery(
                (2, 106), (2, 105), '2.105').require, 'shelved')
        self.assertEqual(
            'compute API version 2.106 or greater is required to support '
            'shelved; version 2.105 was asked for', str(error))

    def test_asked_once(self):
        found = self._discovery((2, 106), (2, 105))
        found.require('attach_mode')
        asked = len(self.sent())
        found.require('shelved')
        self.assertEqual(asked, len(self.sent()))

    def test_strange_answers(self):
        found = self._discovery((2, 106), (2, 105))
        for code, words in ((403, '403'), (503, '503'), (202, '202')):
            self.mock.post(stub.ANY, status_code=code)
            error = self.assertRaises(
                discovery.exceptions.SDKException, found.base)
            self.assertIn(words, str(error))
