# SPDX-License-Identifier: Apache-2.0

"""Connections to a cloud, from its environ()."""

import uuid

from keystoneauth1 import service_token
import openstack

from nova_volops_plugin import exceptions


def connect(environ):
    """Return an openstack.connection.Connection.

    :param environ: the ``OS_*`` variables, a dict of str; nothing else, no
        clouds.yaml and no variable of the process, is looked at
    """
    return openstack.connect(
        load_yaml_config=False, load_envvars=False,
        **{name[len('OS_'):].lower(): value
           for name, value in environ.items()})


def server(environ, name):
    """Return the UUID of a server, a str.

    :param environ: as for :func:`connect`, of a user who sees all projects
    :param name: its name, or its UUID, for which nobody is asked
    :raises BadInput: no server has the name, or several have
    """
    try:
        return str(uuid.UUID(name))
    except ValueError:
        found = [each.id for each in connect(environ).compute.servers(
            details=False, all_projects=True) if each.name == name]
    if not found:
        raise exceptions.BadInput('there is no server %r' % name)
    if found[1:]:
        raise exceptions.BadInput(
            '%d servers are named %r; say which by its UUID: %s' %
            (len(found), name, ', '.join(sorted(found))))
    return found[0]


class _BothTokens(service_token.ServiceTokenAuthWrapper):
    """Also finds versions, which that of older keystoneauth1 does not.

    The last one for Python 3.10 is among these.
    """

    def get_api_major_version(self, session, **kwargs):
        return self.user_auth.get_api_major_version(session, **kwargs)

    def get_endpoint_data(self, session, **kwargs):
        return self.user_auth.get_endpoint_data(session, **kwargs)


def connect_as_service(environ, service_environ):
    """Return a connection of a user whose requests a service vouches for.

    :param environ: the user's variables, as for :func:`connect`
    :param service_environ: those of the service
    """
    connection = connect(environ)
    connection.session.auth = _BothTokens(
        user_auth=connection.session.auth,
        service_auth=connect(service_environ).session.auth)
    return connection
