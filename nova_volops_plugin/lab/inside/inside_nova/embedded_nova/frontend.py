# SPDX-License-Identifier: Apache-2.0

"""All services of the cloud at one address, each with its own prefix."""

from inside_nova.embedded_nova import hypervisor
from inside_nova.embedded_nova import identity
from inside_nova.embedded_nova import images
from inside_nova.embedded_nova import volumes
from inside_nova.embedded_nova import web


def serve(nova, passwords, more_apps=None):
    """Return a server for all services, listening but not serving yet.

    :param nova: an :class:`services.EmbeddedNova` that is up
    :param passwords: a dict of each user's name and password
    :param more_apps: a dict of more prefixes and WSGI applications
    """
    keystone = identity.Identity(passwords)
    return web.Server(web.Prefixes({
        'identity': keystone,
        'compute': keystone.authenticated(
            nova.wsgi_app(), _to_nova, public=('', '/v2', '/v2.1')),
        'placement': keystone.authenticated(
            nova.placement_app(), _to_placement, public=('',)),
        'volume': keystone.authenticated(
            volumes.Volumes(nova.cinder, nova.glance), public=('', '/v3')),
        'image': keystone.authenticated(
            images.Images(nova.glance), public=('',)),
        'hypervisor': keystone.authenticated(hypervisor.Hypervisor(nova)),
        **{prefix: keystone.authenticated(app)
           for prefix, app in (more_apps or {}).items()},
    }))


def _to_nova(environ, user):
    """Tell as the context of Nova's API fixture reads it."""
    environ.update({
        'HTTP_X_AUTH_USER': user,
        'HTTP_X_AUTH_PROJECT_ID': identity.PROJECT_ID,
        'HTTP_X_ROLES': ','.join(identity.ROLES[user])})


def _to_placement(environ, user):
    """Tell as placement's noauth2 middleware reads it."""
    environ['HTTP_X_AUTH_TOKEN'] = (
        'admin' if user == 'admin' else
        '%s:%s' % (user, identity.PROJECT_ID))
