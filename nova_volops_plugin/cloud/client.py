# SPDX-License-Identifier: Apache-2.0

"""Connections to a cloud, of what its environ() tells."""

from keystoneauth1 import service_token
import openstack


def connect(environ):
    """Return an openstack.connection.Connection.

    :param environ: the ``OS_*`` variables, a dict of str; nothing else, no
        clouds.yaml and no variable of the process, is looked at
    """
    return openstack.connect(
        load_yaml_config=False, load_envvars=False,
        **{name[len('OS_'):].lower(): value
           for name, value in environ.items()})


def connect_as_service(environ, service_environ):
    """Return a connection of a user whose requests a service vouches for.

    :param environ: the user's variables, as for :func:`connect`
    :param service_environ: those of the service
    """
    connection = connect(environ)
    connection.session.auth = service_token.ServiceTokenAuthWrapper(
        user_auth=connection.session.auth,
        service_auth=connect(service_environ).session.auth)
    return connection
