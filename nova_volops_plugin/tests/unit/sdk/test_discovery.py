# SPDX-License-Identifier: Apache-2.0

import ddt

from nova_volops_plugin.sdk import discovery
from nova_volops_plugin.sdk import microversions
from nova_volops_plugin.tests.unit.sdk import stub


def _first(base):
    """Return the microversion that a base's attach_mode begins with."""
    return microversions.number(microversions.of(base, 'attach_mode'))


def _last(base):
    """Return the last microversion of a base's series."""
    return microversions.number(microversions.last(base))


def _text(number):
    return '%d.%d' % number


def _after(number, count=1):
    return number[0], number[1] + count


BASES = microversions.BASES
FIRSTS = [_first(base) for base in BASES]
OLD, NEW = min(BASES, key=_first), max(BASES, key=_first)
RELEASED = _after(_first(NEW), -1)
LATER = _after(_last(NEW), 14)
# With which no base's attach_mode begins.
BETWEEN = next(_after(_first(OLD), count) for count in range(1, 99)
               if _after(_first(OLD), count) not in FIRSTS)
REBUILD = microversions.number(microversions.of(OLD, 'rebuild'))


@ddt.ddt
class TestDiscovery(stub.TestCase):

    def _discovery(self, *args, **kwargs):
        return discovery.Discovery(self.connect(*args, **kwargs))

    @ddt.data(*BASES)
    def test_base(self, base):
        """Of bases with the same numbers any will do."""
        found = self._discovery(_last(base), _first(base))
        self.assertEqual(_first(base), _first(found.base()))

    @ddt.data(
        # As released, the second with other things at the series' numbers.
        (_after(_first(OLD), -1), None),
        (_last(OLD), None),
        (RELEASED, None),
        # A later release that uses the numbers for other things, or that
        # has attach_mode of its own under other numbers.
        (LATER, None),
        (LATER, BETWEEN),
        (LATER, _after(_last(NEW))),
    )
    @ddt.unpack
    def test_no_base(self, latest, knows_from):
        self.assertIsNone(self._discovery(latest, knows_from).base())

    @ddt.data(OLD, NEW)
    def test_latest_of_the_series(self, base):
        found = self._discovery(_last(base), _first(base))
        self.assertEqual(
            {_text(_last(base))}, {found.require(feature)
                                   for feature in discovery.FEATURES})

    def test_later_versions_are_not_the_series(self):
        self.assertEqual(_text(_last(NEW)), self._discovery(
            LATER, _first(NEW)).require('attach_mode'))

    def test_part_of_the_series(self):
        first = _first(NEW)
        found = self._discovery(first, first)
        self.assertEqual(_text(first), found.require('multi_create'))
        error = self.assertRaises(
            discovery.NotOffered, found.require, 'shelved')
        self.assertEqual(
            'shelved needs a Nova with the nova-volops series and compute '
            'API version %s; the latest version of this cloud is %s' % (
                ' or '.join('%s (base %s)' % (
                    microversions.of(base, 'shelved'), base)
                    for base in sorted(BASES)), _text(first)), str(error))

    @ddt.data(*BASES)
    def test_shelved_without_attach_mode(self, base):
        """The number says nothing: the cloud is asked for this topic, too"""
        shelved = microversions.of(base, 'shelved')
        number = microversions.number(shelved)
        found = self._discovery(_last(base), swaps_from=number)
        self.assertEqual(shelved, found.require('shelved'))
        self.assertRaises(
            discovery.NotOffered, found.require, 'attach_mode')
        self.assertLessEqual(len([
            request for request in self.sent()
            if request.method in ('POST', 'PUT')]), 3)
        asked = len(self.sent())
        found.require('shelved')
        self.assertEqual(asked, len(self.sent()))

    def test_without_the_series(self):
        found = self._discovery(RELEASED)
        for feature in ('attach_mode', 'multi_create', 'shelved'):
            error = self.assertRaises(
                discovery.NotOffered, found.require, feature)
            self.assertEqual(feature, error.feature)
            self.assertIn('%s, and it does not know %s' % (
                _text(RELEASED), 'copy_data' if feature == 'shelved'
                else 'attach_mode'), str(error))
        self.assertEqual(_text(REBUILD), found.require('rebuild'))

    def test_too_old_for_a_rebuild(self):
        latest = _after(REBUILD, -3)
        error = self.assertRaises(
            discovery.NotOffered,
            self._discovery(latest).require, 'rebuild')
        self.assertEqual(
            'rebuild needs compute API version %s or greater; the latest '
            'version of this cloud is %s' % (_text(REBUILD), _text(latest)),
            str(error))

    def test_asked_version(self):
        asked = _text(_first(NEW))
        found = self._discovery(_last(NEW), _first(NEW), asked)
        self.assertEqual(asked, found.require('attach_mode'))
        error = self.assertRaises(
            discovery.NotOffered, found.require, 'shelved')
        self.assertEqual(
            'compute API version %s or greater is required to support '
            'shelved; version %s was asked for' % (
                microversions.of(NEW, 'shelved'), asked), str(error))

    def test_asked_once(self):
        found = self._discovery(_last(NEW), _first(NEW))
        found.require('attach_mode')
        asked = len(self.sent())
        found.require('shelved')
        self.assertEqual(asked, len(self.sent()))
        # Another connection to the same API needs its version at most.
        self._discovery(_last(NEW), _first(NEW)).require('shelved')
        self.assertEqual([], [request for request in self.sent()[asked:]
                              if request.method == 'POST'])

    @ddt.data(*BASES, None)
    def test_two_requests(self, base):
        found = self._discovery(
            _last(base or NEW), base and _first(base))
        found.base()
        posts = [request for request in self.sent()
                 if request.method == 'POST']
        self.assertLessEqual(len(posts), 2 if base else 1)

    def test_no_such_feature(self):
        error = self.assertRaises(
            ValueError, self._discovery(_last(NEW)).require, 'nope')
        self.assertIn("no feature 'nope'; there are: attach_mode,",
                      str(error))

    def test_strange_answers(self):
        found = self._discovery(_last(NEW), _first(NEW))
        for code, words in ((403, '403'), (503, '503'), (202, '202')):
            self.mock.post(stub.ANY, status_code=code)
            error = self.assertRaises(
                discovery.exceptions.SDKException, found.base)
            self.assertIn(words, str(error))
