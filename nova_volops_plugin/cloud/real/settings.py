# SPDX-License-Identifier: Apache-2.0

"""Configuration that all OpenStack services share."""

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import rabbitmq

REGION = 'RegionOne'
SERVICE_USERS = ('nova', 'cinder', 'glance', 'neutron', 'placement')


def login(cloud, user):
    """Return the options that log a service's user in.

    :param cloud: a :class:`layout.Layout`
    :param user: one of SERVICE_USERS
    """
    return {
        'auth_type': 'password',
        'auth_url': cloud.url('keystone', '/v3'),
        'username': user,
        'password': cloud.password(user),
        'user_domain_name': 'Default',
        'project_name': 'service',
        'project_domain_name': 'Default',
        'region_name': REGION,
    }


def common(cloud, user, database=None):
    """Return the sections that all services have.

    :param user: whom the service logs in as
    :param database: the address of its database, if any
    """
    sections = {
        'DEFAULT': {
            'use_stderr': 'true',
            'log_color': 'false',
            'transport_url': rabbitmq.url(cloud),
        },
        'keystone_authtoken': {
            **login(cloud, user),
            'www_authenticate_uri': cloud.url('keystone', '/v3'),
            'memcached_servers': layout.address('memcached'),
            # A token of a user is good for as long as the work takes, if a
            # service's own token comes with it.
            'service_token_roles': 'service',
            'service_token_roles_required': 'true',
        },
        'service_user': {
            **login(cloud, user),
            'send_service_user_token': 'true',
        },
        'oslo_concurrency': {
            'lock_path': cloud.folder(user, 'lock'),
        },
        'oslo_messaging_notifications': {'driver': 'noop'},
        'oslo_messaging_rabbit': {
            # Heartbeats of idle connections keep the broker busy.
            'heartbeat_in_pthread': 'false',
            'rabbit_quorum_queue': 'false',
        },
    }
    if database:
        sections['database'] = {
            'connection': database,
            'max_pool_size': 5,
            'max_overflow': 10,
        }
    return sections
