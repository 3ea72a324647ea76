# SPDX-License-Identifier: Apache-2.0

"""The resources of a new cloud: flavors, images, a network, types."""

import openstack

from nova_volops_plugin.cloud.real import cinder
from nova_volops_plugin.cloud.real import guest_image
from nova_volops_plugin.cloud.real import keystone
from nova_volops_plugin.cloud.real import units

NETWORK = 'volops'
# The guests need 128 MiB; Tempest resizes to the second.
FLAVORS = {
    'volops': {'ram': 128, 'vcpus': 1, 'disk': 1},
    'volops-larger': {'ram': 192, 'vcpus': 1, 'disk': 1},
}
# A tag and what sets the disks' bus. Glance lists the newest first, and who
# takes the first of the list gets the last one of these.
IMAGES = {
    'volops-sata': ('alpha', {'hw_disk_bus': 'sata'}),
    'volops-ide': ('alpha', {'hw_disk_bus': 'ide'}),
    'volops-scsi': (
        'alpha', {'hw_disk_bus': 'scsi', 'hw_scsi_model': 'virtio-scsi'}),
    'volops-beta': ('beta', {}),
    'volops-alpha': ('alpha', {}),
}
_RECIPE = 'volops_recipe'


class VolumeTypes(units.Step):
    """A type a backend for one server, and one for several at once."""

    name = 'volume-types'
    requires = ('cinder-api', 'identities')

    def do(self):
        with keystone.administrator(self.layout) as cloud:
            storage = cloud.block_storage
            known = {kind.name for kind in storage.types()}
            for backend, (_pool, types) in cinder.BACKENDS.items():
                for name, multiattach in types.items():
                    specs = {'volume_backend_name': backend}
                    if multiattach:
                        specs['multiattach'] = '<is> True'
                    if name not in known:
                        storage.create_type(name=name, extra_specs=specs)


class Network(units.Step):
    """A network that all projects share."""

    name = 'network'
    requires = ('neutron', 'identities')

    def do(self):
        with keystone.administrator(self.layout) as cloud:
            network = cloud.network.find_network(NETWORK) or \
                cloud.network.create_network(name=NETWORK, shared=True)
            if not network.subnet_ids:
                cloud.network.create_subnet(
                    name=NETWORK, network_id=network.id, ip_version=4,
                    cidr='10.86.0.0/20', enable_dhcp=False)


class Images(units.Step):
    """The images of the guests, one a bus."""

    name = 'images'
    requires = ('glance', 'identities')

    def key(self):
        return guest_image.recipe()

    def do(self):
        files = guest_image.ensure(self.layout.state)
        with keystone.administrator(self.layout) as cloud:
            there = set()
            for image in cloud.image.images():
                if image.name not in IMAGES:
                    continue
                if (image.status == 'active' and
                        image.properties.get(_RECIPE) == self.key()):
                    there.add(image.name)
                else:
                    cloud.image.delete_image(image)
            for name, (tag, properties) in IMAGES.items():
                if name not in there:
                    cloud.image.create_image(
                        name, filename=str(files[tag]), disk_format='raw',
                        container_format='bare', visibility='public',
                        validate_checksum=False,
                        **{_RECIPE: self.key()}, **properties)


class Flavors(units.Step):
    """The flavors, which are Nova's own."""

    name = 'flavors'
    requires = ('nova-api', 'identities')
    of_variant = True

    def do(self):
        with keystone.administrator(self.layout) as cloud:
            for name, what in FLAVORS.items():
                try:
                    cloud.compute.create_flavor(name=name, **what)
                except openstack.exceptions.ConflictException:
                    # Made by an attempt that ended before it was noted.
                    pass
