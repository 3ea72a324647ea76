# SPDX-License-Identifier: Apache-2.0

"""Discovers the features of a cloud and their microversions.

Upstream reserves no microversions: Zed and later use 2.91 and 2.92 for other
things, and a release to come may use 2.105 and 2.106. So a number is believed
only when the API itself answers like the series.
"""

from openstack import exceptions

from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import microversions

# Rebuilds have upstream's number and meaning in every base.
UPSTREAM_FEATURES = ('rebuild',)
FEATURES = microversions.FEATURES
_ANY_UUID = '00000000-0000-4000-8000-000000000000'
# No value of the fields that the series adds. The schema refuses it before a
# server or a volume is looked for; it names the field, or says that there is
# no such property.
_NO_VALUE = 'neither'
_LATEST = ('latest', '2.latest')


class NotOffered(exceptions.NotSupported):
    """The cloud lacks a feature, or was asked for too old a version.

    :ivar feature: the feature's name
    """

    def __init__(self, feature, why):
        super().__init__(why)
        self.feature = feature


class Discovery:
    """What a cloud's compute API offers.

    That takes two requests at most, and two more for the volumes of shelved
    servers on a cloud that has no attach_mode. What is found is kept for the
    other connections of this process to the same API.

    :param connection: an openstack.connection.Connection; the compute
        proxy's ``default_microversion``, if any, is what the user asked for
    """

    _found = {}

    def __init__(self, connection):
        self._connection = connection
        self._bases = {}

    def base(self):
        """Return the base whose series answers, None when none does.

        :raises SDKException: the cloud does not let itself be asked
        """
        return self._base_with('attach_mode')

    def _base_with(self, feature):
        """Return the base whose feature the cloud has, None when none."""
        if feature not in self._bases:
            key = self._compute().get_endpoint(), feature
            found = self._found.get(key) or self._ask(feature)
            self._bases[feature] = found
            if found:
                self._found[key] = found
        return self._bases[feature]

    def require(self, feature):
        """Return the microversion to send for a feature.

        That is the one that the user asked for, or the latest of the series
        that the cloud offers.

        :param feature: one of FEATURES
        :raises ValueError: there is no such feature
        :raises NotOffered: the cloud lacks the feature, or the user asked
            for an older version
        :raises SDKException: the cloud does not let itself be asked
        """
        if feature not in FEATURES:
            raise ValueError('there is no feature %r; there are: %s' % (
                feature, ', '.join(FEATURES)))
        needed = self._first(feature)
        asked = self._compute().default_microversion
        if asked in (None, *_LATEST):
            return self._latest() or needed
        if microversions.number(asked) < microversions.number(needed):
            raise NotOffered(
                feature, 'compute API version %s or greater is required to '
                'support %s; version %s was asked for' %
                (needed, feature, asked))
        return asked

    def _first(self, feature):
        """Return the number that a feature has on this cloud."""
        base = self.base()
        if not base and feature == 'shelved':
            # A cloud may have this topic of the series without the other.
            base = self._base_with(feature)
        if base:
            first = microversions.of(base, feature)
            if self._has(first):
                return first
        elif feature in UPSTREAM_FEATURES:
            first = microversions.of(microversions.BASES[0], feature)
            if self._has(first):
                return first
        raise NotOffered(feature, self._lack(feature))

    def _latest(self):
        if not self.base():
            return None
        numbers = {microversions.of(self.base(), feature)
                   for feature in FEATURES}
        return max(filter(self._has, numbers), key=microversions.number)

    def _lack(self, feature):
        numbers = {base: microversions.of(base, feature)
                   for base in microversions.BASES}
        if feature in UPSTREAM_FEATURES:
            needs = 'compute API version %s or greater' % min(
                numbers.values(), key=microversions.number)
        else:
            needs = ('a Nova with the nova-volops series and compute API '
                     'version %s' % ' or '.join(
                         '%s (base %s)' % (numbers[base], base)
                         for base in sorted(numbers)))
        return '%s needs %s; the latest version of this cloud is %s%s' % (
            feature, needs, '%d.%d' % self._newest(),
            '' if self.base() or feature in UPSTREAM_FEATURES
            else ', and it does not know %s' % (
                'copy_data' if feature == 'shelved' else 'attach_mode'))

    def _ask(self, feature):
        """Return the base with whose number a feature began, or None."""
        offered = [base for base in microversions.BASES
                   if self._has(microversions.of(base, feature))]
        if not offered:
            return None
        newest = microversions.of(offered[0], feature)
        # What a version knows, each later one of the series knows, too.
        if not self._knows(feature, newest):
            return None
        before = microversions.before(newest)
        if not self._knows(feature, before):
            return offered[0]
        # It began earlier: with a base that has no more than this cloud.
        return next((
            base for base in offered
            if microversions.of(base, feature) == before and
            microversions.number(microversions.last(base)) >= self._newest()),
            None)

    def _knows(self, feature, version):
        if feature == 'shelved':
            field = 'copy_data'
            call = calls.swap(
                _ANY_UUID, _ANY_UUID, _ANY_UUID, copy_data=_NO_VALUE)
        else:
            field = 'attach_mode'
            call = calls.attach(_ANY_UUID, _ANY_UUID, attach_mode=_NO_VALUE)
        answer = call.send(self._compute(), version)
        if answer.status_code != 400:
            exceptions.raise_from_response(answer)
            raise exceptions.SDKException(
                'the cloud does not tell whether it knows %s: it answers %d '
                'to a value that no Nova knows' % (field, answer.status_code))
        if feature == 'shelved':
            return 'field/attribute copy_data.' in answer.text
        return "'ro'" in answer.text and "'rw'" in answer.text

    def _has(self, version):
        return microversions.number(version) <= self._newest()

    def _compute(self):
        # To look at it is to connect.
        return self._connection.compute

    def _newest(self):
        """Return the cloud's latest version as microversions.number does."""
        # A cloud without microversions tells none.
        return self._compute().get_endpoint_data().max_microversion or (2, 1)
