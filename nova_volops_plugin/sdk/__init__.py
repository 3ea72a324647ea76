# SPDX-License-Identifier: Apache-2.0

"""The features as a library for openstacksdk.

::

    import openstack
    from nova_volops_plugin.sdk import operations

    volumes = operations.VolumeOperations(openstack.connect(cloud='mine'))
    volumes.attach(server, volume, mode='ro')
    for attachment in volumes.attachments(server):
        print(attachment.volume_id, attachment.attach_mode)
"""
