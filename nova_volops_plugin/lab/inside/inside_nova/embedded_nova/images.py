# SPDX-License-Identifier: Apache-2.0

"""A Glance API for the images of Nova's GlanceFixture."""

from inside_nova.embedded_nova import web

# Two that Nova's GlanceFixture has.
IMAGE = '155d900f-4e14-4e4c-a73d-069cbf4541e6'
OTHER_IMAGE = '70a599e0-31e7-49b7-b260-868f441e862b'
# What the image API names at the top of an image; all else is a property.
_FIELDS = (
    'id', 'name', 'created_at', 'updated_at', 'status', 'container_format',
    'disk_format', 'size', 'min_ram', 'min_disk', 'protected', 'visibility',
    'tags')


class Images(web.Router):
    """Images can be listed and shown.

    :param glance: Nova's GlanceFixture
    """

    def __init__(self, glance):
        super().__init__()
        self._glance = glance
        self.add('GET', '', self._versions)
        self.add('GET', '/v2/images', self._list)
        self.add('GET', '/v2/images/(?P<image>[^/]+)', self._show)

    def _versions(self, request):
        return 300, {'versions': [{
            'id': 'v2.9', 'status': 'CURRENT',
            'links': [{'rel': 'self',
                       'href': request.application_url + '/v2/'}]}]}

    def _list(self, request):
        images = [_view(image) for image in self._glance.images.values()]
        name = request.GET.get('name')
        return 200, {
            'images': [image for image in images
                       if name in (None, image['name'])],
            'first': '/v2/images', 'schema': '/v2/schemas/images'}

    def _show(self, request, image):
        found = self._glance.images.get(image)
        if found is None:
            raise web.Refusal(404, 'no image %s' % image)
        return 200, _view(found)


def _view(image):
    view = {key: value for key, value in image['properties'].items()
            if value is not None}
    view.update({name: image.get(name) for name in _FIELDS})
    for moment in ('created_at', 'updated_at'):
        # An older fixture does not date the snapshots that Nova makes.
        view[moment] = view[moment] and view[moment].strftime(
            '%Y-%m-%dT%H:%M:%SZ')
    view.update({
        'file': '/v2/images/%s/file' % image['id'],
        'self': '/v2/images/%s' % image['id'],
        'schema': '/v2/schemas/image'})
    return view
