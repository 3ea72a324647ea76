# SPDX-License-Identifier: Apache-2.0

"""The part of Cinder's API that users of Nova need."""

import uuid

from nova import exception

from inside_nova.embedded_nova import identity
from inside_nova.embedded_nova import web

MICROVERSION = '3.70'
STATUSES = (
    'attaching', 'available', 'detaching', 'downloading', 'error', 'in-use',
    'reserved')


class Volumes(web.Router):
    """Volumes, their types and their attachments.

    :param cinder: a :class:`cinder.Cinder`
    :param glance: Nova's GlanceFixture
    """

    def __init__(self, cinder, glance):
        super().__init__()
        self._cinder = cinder
        self._glance = glance
        self.add('GET', '', self._versions)
        self.add('GET', '/v3', self._versions)
        for method, path, handler in (
                ('GET', '/volumes', self._list),
                ('GET', '/volumes/detail', self._list),
                ('POST', '/volumes', self._create),
                ('GET', '/volumes/(?P<volume>[^/]+)', self._show),
                ('DELETE', '/volumes/(?P<volume>[^/]+)', self._delete),
                ('POST', '/volumes/(?P<volume>[^/]+)/action', self._act),
                ('GET', '/types', self._list_types),
                ('GET', '/types/(?P<type_id>[^/]+)', self._show_type),
                ('GET', '/attachments', self._list_attachments),
                ('GET', '/attachments/detail', self._list_attachments),
                ('POST', '/attachments', self._create_attachment),
                ('POST', '/attachments/(?P<attachment>[^/]+)/action',
                 self._complete_attachment),
                ('DELETE', '/attachments/(?P<attachment>[^/]+)',
                 self._delete_attachment),
                # Not Cinder's: what makes it fail the next call of a kind.
                ('POST', '/faults', self._create_fault),
                ('DELETE', '/faults', self._delete_faults)):
            # The project is in the path of older clients, and not needed.
            self.add(method, '/v3(/%s)?' % identity.PROJECT_ID + path, handler)

    def _dispatch(self, request):
        try:
            return super()._dispatch(request)
        except exception.NotFound as error:
            raise web.Refusal(404, error.format_message())
        except exception.Invalid as error:
            raise web.Refusal(400, error.format_message())

    def _versions(self, request):
        return 300 if not request.path_info.strip('/') else 200, {
            'versions': [{
                'id': 'v3.0', 'status': 'CURRENT', 'version': MICROVERSION,
                'min_version': '3.0', 'updated': '2021-09-16T00:00:00Z',
                'links': [{'rel': 'self', 'href':
                           request.application_url + '/v3/'}]}]}

    def _view(self, volume_id):
        volume = self._cinder.show(volume_id)
        attachments = [{
            'id': volume_id,
            'volume_id': volume_id,
            'attachment_id': row['id'],
            'server_id': row['instance_uuid'],
            'device': (row.get('connector') or {}).get('mountpoint'),
            'host_name': (row.get('connector') or {}).get('host'),
            'attached_at': None,
        } for row in self._cinder.attachments(volume_id)
            if row['attach_status'] == 'attached']
        view = {
            'id': volume_id,
            'name': volume['display_name'],
            'description': volume['display_description'],
            'status': volume['status'],
            'size': volume['size'],
            'multiattach': volume['multiattach'],
            'bootable': str(bool(volume.get('bootable'))).lower(),
            'volume_type': volume.get('volume_type_id'),
            'availability_zone': volume['availability_zone'],
            'created_at': volume.get('created_at') or None,
            'migration_status': volume.get('migration_status'),
            'metadata': volume.get('volume_metadata') or {},
            'attachments': attachments,
            'encrypted': False,
            'user_id': 'admin',
            'os-vol-tenant-attr:tenant_id': identity.PROJECT_ID,
            'links': [],
        }
        if volume.get('volume_image_metadata'):
            view['volume_image_metadata'] = volume['volume_image_metadata']
        return view

    def _list(self, request):
        views = [self._view(volume_id) for volume_id in self._cinder.ids()]
        return 200, {'volumes': [
            view for view in views
            if request.GET.get('name') in (None, view['name']) and
            request.GET.get('status') in (None, view['status'])]}

    def _show(self, request, volume):
        return 200, {'volume': self._view(volume)}

    def _create(self, request):
        asked = web.json_of(request, 'volume')
        size = asked.get('size')
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise web.Refusal(400, 'size must be a whole number of GiB')
        type_name = asked.get('volume_type') or 'standard'
        by_id = {_type_id(name): name for name in self._cinder.types}
        type_name = by_id.get(type_name, type_name)
        if type_name not in self._cinder.types:
            raise web.Refusal(404, 'no volume type %s; there are: %s' % (
                type_name, ', '.join(sorted(self._cinder.types))))
        for field in ('snapshot_id', 'source_volid', 'backup_id'):
            if asked.get(field):
                raise web.Refusal(400, 'the embedded cloud makes volumes '
                                       'empty or of an image, not of %s' %
                                  field)
        image = None
        if asked.get('imageRef'):
            image = self._glance.images.get(asked['imageRef'])
            if image is None:
                raise web.Refusal(400, 'no image %s' % asked['imageRef'])
        volume = self._cinder.add(
            size, asked.get('name'), asked.get('description'), type_name,
            image)
        return 202, {'volume': self._view(volume)}

    def _delete(self, request, volume):
        self._cinder.delete(volume)
        return 202, None

    def _act(self, request, volume):
        action = web.json_of(request)
        if set(action) != {'os-reset_status'}:
            raise web.Refusal(400, 'the only action is os-reset_status')
        web.administrators_only(request)
        status = web.json_of(request, 'os-reset_status', 'status')
        if status not in STATUSES:
            raise web.Refusal(400, 'status must be one of %s' %
                              ', '.join(STATUSES))
        self._cinder.set_status(volume, status)
        return 202, None

    def _list_types(self, request):
        return 200, {'volume_types': [
            self._type_view(name) for name in sorted(self._cinder.types)]}

    def _show_type(self, request, type_id):
        for name in self._cinder.types:
            if type_id in (name, _type_id(name)):
                return 200, {'volume_type': self._type_view(name)}
        raise web.Refusal(404, 'no volume type %s' % type_id)

    def _type_view(self, name):
        return {'id': _type_id(name), 'name': name, 'is_public': True,
                'description': None, 'extra_specs': self._cinder.types[name]}

    def _list_attachments(self, request):
        return 200, {'attachments': [
            _attachment_view(row) for row in self._cinder.attachments(
                request.GET.get('volume_id'), request.GET.get('instance_id'))]}

    def _attachment(self, attachment_id):
        for row in self._cinder.attachments():
            if row['id'] == attachment_id:
                return row
        raise web.Refusal(404, 'no attachment %s' % attachment_id)

    def _create_attachment(self, request):
        web.administrators_only(request)
        attachment_id = self._cinder.add_attachment(
            web.json_of(request, 'attachment', 'volume_uuid'),
            web.json_of(request, 'attachment', 'instance_uuid'))
        return 200, {'attachment': _attachment_view(
            self._attachment(attachment_id))}

    def _complete_attachment(self, request, attachment):
        web.administrators_only(request)
        if set(web.json_of(request)) != {'os-complete'}:
            raise web.Refusal(400, 'the only action is os-complete')
        self._attachment(attachment)
        self._cinder.complete_attachment(attachment)
        return 204, None

    def _delete_attachment(self, request, attachment):
        web.administrators_only(request)
        self._attachment(attachment)
        self._cinder.remove_attachment(attachment)
        return 200, {'attachments': []}

    def _create_fault(self, request):
        web.administrators_only(request)
        code = web.json_of(request, 'fault', 'code')
        if not isinstance(code, int) or not 400 <= code < 600:
            raise web.Refusal(400, 'code must be an HTTP status from 400 on')
        try:
            self._cinder.fail_next(web.json_of(request, 'fault', 'call'), code)
        except ValueError as error:
            raise web.Refusal(400, str(error))
        return 201, None

    def _delete_faults(self, request):
        web.administrators_only(request)
        self._cinder.heal()
        return 204, None


def _attachment_view(row):
    return {
        'id': row['id'],
        'status': row['attach_status'],
        'instance': row['instance_uuid'],
        'volume_id': row['volume_id'],
        'attach_mode': row.get('attach_mode'),
        'attached_at': None,
        'detached_at': None,
    }


def _type_id(name):
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))
