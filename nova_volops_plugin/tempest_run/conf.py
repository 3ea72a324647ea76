# SPDX-License-Identifier: Apache-2.0

"""Writes tempest.conf."""

import pathlib

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import nova
from nova_volops_plugin.sdk import microversions
from nova_volops_plugin.series import features as series_features


def sections(environ, facts, base, features, folder, microversion='latest'):
    """Return what tempest.conf holds, a dict of sections.

    Guests are looked at by their consoles; nothing logs in.

    :param environ: the cloud's ``OS_*`` variables of an administrator
    :param facts: a :class:`nova_volops_plugin.tempest_run.discover.Facts`
    :param base: the :class:`nova_volops_plugin.bases.base.Base` of the
        cloud's Nova
    :param features: whether the cloud is told to have the series' features
    :param folder: where Tempest keeps locks and logs, a path
    :param microversion: the newest one of the compute service that tests are
        not skipped for
    """
    several = facts.hosts > 1
    options = {
        'DEFAULT': {'log_dir': folder, 'log_file': 'tempest.log',
                    'debug': True},
        'oslo_concurrency': {'lock_path': pathlib.Path(folder) / 'lock'},
        'auth': {
            'use_dynamic_credentials': True,
            'create_isolated_networks': False,
            'admin_username': environ['OS_USERNAME'],
            'admin_password': environ['OS_PASSWORD'],
            'admin_project_name': environ['OS_PROJECT_NAME'],
            'admin_domain_name': environ['OS_USER_DOMAIN_NAME'],
        },
        'identity': {
            'uri_v3': environ['OS_AUTH_URL'],
            'auth_version': 'v3',
            'region': environ.get('OS_REGION_NAME', 'RegionOne'),
        },
        'identity-feature-enabled': {'api_v2': False},
        'enforce_scope': {'nova': base.enforce_scope},
        'service_available': {
            'cinder': True, 'glance': True, 'neutron': True, 'nova': True,
            'horizon': False, 'swift': False},
        'compute': {
            'image_ref': facts.image,
            'image_ref_alt': facts.other_image,
            'flavor_ref': facts.flavor,
            'flavor_ref_alt': facts.other_flavor,
            'fixed_network_name': facts.network,
            'min_compute_nodes': facts.hosts,
            'min_microversion': '2.1',
            'max_microversion': microversion,
            # As in nova.conf.
            'shelved_offload_time': -1,
            'build_interval': 1,
        },
        'compute-feature-enabled': {
            'attach_encrypted_volume': False,
            'block_migration_for_live_migration': False,
            'cold_migration': several,
            'console_output': True,
            'live_migration': several,
            'rescue': False,
            'resize': True,
            'serial_console': False,
            'shelve': True,
            'suspend': False,
            'swap_volume': True,
            'vnc_console': False,
            'volume_multiattach': bool(facts.multiattach_type),
        },
        'network': {'project_networks_reachable': False},
        'validation': {
            'run_validation': False,
            'connect_method': 'fixed',
            'network_for_ssh': facts.network,
        },
        'volume': {
            'catalog_type': facts.volume_type,
            'min_microversion': '3.0',
            'max_microversion': 'latest',
            'volume_size': 1,
            'build_interval': 1,
            'storage_protocol': 'ceph',
        },
        'volume-feature-enabled': {'backup': False},
    }
    if facts.multiattach_type:
        options['volume']['volume_type_multiattach'] = facts.multiattach_type
    if features:
        options['volume_ops'] = dict(
            volume_ops(base),
            dangling_attachment_age=nova.SETTLED_SECONDS)
    return options


def volume_ops(base, only=None):
    """Return what the plugin's tests are told of a Nova with the series.

    :param base: its :class:`nova_volops_plugin.bases.base.Base`
    :param only: the names of the topics it has, with those that they need; by
        default all
    :returns: a dict of the options of the section ``volume_ops``
    :raises BadInput: the series has no such topic
    """
    found = series_features.of(base, only)
    return {**{feature: feature in found
               for feature in series_features.FEATURES},
            **{feature + '_microversion': microversions.of(base.name, feature)
               for feature in microversions.FEATURES}}


def write(path, options):
    """Write a configuration file that only its owner can read.

    :param path: the file, a :class:`pathlib.Path`
    :param options: a dict of sections, each a dict of options
    """
    # A single $ would name another option.
    layout.write_ini(path, {
        section: {option: str(value).replace('$', '$$')
                  for option, value in values.items()}
        for section, values in options.items()})
