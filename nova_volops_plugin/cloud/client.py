# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.
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
