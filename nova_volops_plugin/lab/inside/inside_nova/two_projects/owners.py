# SPDX-License-Identifier: Apache-2.0

"""Makes Cinder show a volume only to its project and to administrators."""

import inspect

import fixtures
from nova import exception
from nova.volume import cinder


class Owners(fixtures.Fixture):
    """Makes Nova's calls to the CinderFixture obey that.

    :param rules: Nova's CinderStatusFixture
    :ivar of: the project's id by the volume's UUID, a dict
    """

    def __init__(self, rules):
        super().__init__()
        self._rules = rules
        self.of = {}

    def setUp(self):
        super().setUp()
        for name in ('get', 'begin_detaching', 'roll_detaching',
                     'attachment_create', 'attachment_get',
                     'attachment_update', 'attachment_complete',
                     'attachment_delete', 'reimage_volume', 'delete'):
            self.useFixture(fixtures.MonkeyPatch(
                'nova.volume.cinder.API.' + name,
                self._guarded(getattr(cinder.API, name))))

    def _guarded(self, call):
        # A mock of the class is not bound to the API, a function is.
        bound = inspect.isfunction(call)

        def guarded(api, context, target, *args, **kwargs):
            volume = self._rules._volume_of(target) or target
            owner = self.of.get(volume, context.project_id)
            if not context.is_admin and context.project_id != owner:
                raise exception.VolumeNotFound(volume_id=volume)
            words = (api, context) if bound else (context,)
            return call(*words, target, *args, **kwargs)

        return guarded
