# SPDX-License-Identifier: Apache-2.0

import os

from tempest import config
from tempest.test_discover import plugins

from tempest_plugin import config as volume_ops_config


class VolumeOpsTempestPlugin(plugins.TempestPlugin):
    """Registers the tests, the options and the clients with Tempest."""

    def load_tests(self):
        package = os.path.dirname(os.path.abspath(__file__))
        return package, os.path.dirname(package)

    def register_opts(self, conf):
        config.register_opt_group(
            conf, volume_ops_config.volume_ops_group,
            volume_ops_config.volume_ops_opts)

    def get_opt_lists(self):
        return [(volume_ops_config.volume_ops_group.name,
                 volume_ops_config.volume_ops_opts)]

    def get_service_clients(self):
        return [
            {'name': 'volume_ops_' + service,
             'service_version': 'volume_ops_%s.%s' % (service, version),
             'module_path': 'tempest_plugin.services.' + module,
             'client_names': [client],
             **config.service_client_config(service)}
            for service, version, module, client in (
                ('compute', 'v2', 'servers_client', 'ServersClient'),
                ('volume', 'v3', 'attachments_client', 'AttachmentsClient'))]
