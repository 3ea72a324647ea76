# SPDX-License-Identifier: Apache-2.0

"""Keystone: users, roles and the service catalog."""

import contextlib

import openstack

from nova_volops_plugin.cloud import client
from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import mariadb
from nova_volops_plugin.cloud.real import settings
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.cloud.real import wsgi
from nova_volops_plugin import exceptions

ADMIN = 'admin'
DEMO = 'demo'

# Name, type and path of each service's endpoint.
_CATALOG = (
    ('placement', 'placement', ''),
    ('glance', 'image', ''),
    ('cinder', 'block-storage', '/v3'),
    ('neutron', 'network', ''),
    ('nova', 'compute', '/v2.1'),
)


def environ(cloud, user=ADMIN):
    """Return the ``OS_*`` variables of a user who has a project."""
    return {
        'OS_AUTH_TYPE': 'password',
        'OS_AUTH_URL': cloud.url('keystone', '/v3'),
        'OS_USERNAME': user,
        'OS_PASSWORD': cloud.password(user),
        'OS_PROJECT_NAME': user,
        'OS_USER_DOMAIN_NAME': 'Default',
        'OS_PROJECT_DOMAIN_NAME': 'Default',
        'OS_REGION_NAME': settings.REGION,
        'OS_INTERFACE': 'public',
        'OS_IDENTITY_API_VERSION': '3',
    }


def service_environ(cloud, user):
    """Return the ``OS_*`` variables of a service's user.

    :param user: one of ``settings.SERVICE_USERS``
    """
    return {**environ(cloud, user), 'OS_PROJECT_NAME': 'service'}


@contextlib.contextmanager
def administrator(cloud):
    """Give the administrator's :class:`openstack.connection.Connection`.

    :raises VolopsError: a request is refused or fails
    """
    try:
        with client.connect(environ(cloud)) as connection:
            yield connection
    except openstack.exceptions.SDKException as error:
        raise exceptions.VolopsError(str(error)) from error


class Database(units.Step):
    """Keystone's tables, keys and administrator."""

    name = 'keystone-database'
    requires = ('databases',)

    def do(self):
        folder = self.layout.folder('keystone')
        layout.write_ini(folder / 'keystone.conf', {
            'DEFAULT': {'use_stderr': 'true'},
            'database': {
                'connection': mariadb.url(self.layout, 'keystone'),
                'max_pool_size': 5,
            },
            # The slowness of the default protects weak passwords; these are
            # random, and Tempest makes users all the time.
            'identity': {'password_hash_rounds': 4},
            'token': {'provider': 'fernet', 'expiration': 14400},
            'fernet_tokens': {
                'key_repository': self.layout.folder('keystone', 'tokens')},
            'fernet_receipts': {
                'key_repository': self.layout.folder('keystone', 'receipts')},
            'cache': {
                'enabled': 'true',
                'backend': 'oslo_cache.memcache_pool',
                'memcache_servers': layout.address('memcached'),
            },
        })
        manage = [self.layout.environments.neighbours / 'bin/keystone-manage',
                  '--config-file', folder / 'keystone.conf']
        self.run(*manage, 'db_sync')
        for command in ('fernet_setup', 'receipt_setup'):
            self.run(*manage, command, '--keystone-user', 'root',
                     '--keystone-group', 'root')
        self.run(*manage, 'bootstrap',
                 '--bootstrap-username', ADMIN,
                 '--bootstrap-project-name', ADMIN,
                 '--bootstrap-role-name', 'admin',
                 '--bootstrap-service-name', 'keystone',
                 '--bootstrap-region-id', settings.REGION,
                 '--bootstrap-public-url', self.layout.url('keystone', '/v3'),
                 '--bootstrap-internal-url',
                 self.layout.url('keystone', '/v3'),
                 environ={
                     'OS_BOOTSTRAP_PASSWORD': self.layout.password(ADMIN)})


class Api(wsgi.Api):
    """The identity API."""

    name = 'keystone'
    requires = ('keystone-database', 'memcached')
    api = 'keystone'
    module = 'keystone.wsgi.api'
    path = '/v3'

    def environ(self):
        return {'OS_KEYSTONE_CONFIG_DIR': str(self.layout.folder('keystone')),
                'OS_KEYSTONE_CONFIG_FILES': 'keystone.conf'}


class Identities(units.Step):
    """The services' users, the user ``demo`` and the catalog."""

    name = 'identities'
    requires = ('keystone',)

    def do(self):
        with administrator(self.layout) as cloud:
            identity = cloud.identity
            roles = {role.name: role for role in identity.roles()}
            for name in ('service', 'member', 'reader'):
                if name not in roles:
                    roles[name] = identity.create_role(name=name)
            project = _ensure(identity, 'project', 'service')
            for name in settings.SERVICE_USERS:
                user = self._user(identity, name)
                for role in ('admin', 'service'):
                    identity.assign_project_role_to_user(
                        project, user, roles[role])
            identity.assign_project_role_to_user(
                _ensure(identity, 'project', DEMO),
                self._user(identity, DEMO), roles['member'])
            known = {service.type for service in identity.services()}
            for name, kind, path in _CATALOG:
                if kind not in known:
                    service = identity.create_service(name=name, type=kind)
                    for interface in ('public', 'internal'):
                        identity.create_endpoint(
                            service_id=service.id, interface=interface,
                            region_id=settings.REGION,
                            url=self.layout.url(name, path))

    def _user(self, identity, name):
        return _ensure(
            identity, 'user', name, password=self.layout.password(name))


def _ensure(identity, kind, name, **attributes):
    return getattr(identity, 'find_' + kind)(name) or getattr(
        identity, 'create_' + kind)(
            name=name, domain_id='default', **attributes)
