# SPDX-License-Identifier: Apache-2.0

"""Block devices of requests that create servers."""


def root_device(volume, **kwargs):
    """A block device mapping that makes a volume a server's root.

    :param volume: the volume, dict
    :param kwargs: more of the mapping, for example ``attach_mode``
    :returns: dict
    """
    return dict({'uuid': volume['id'], 'source_type': 'volume',
                 'destination_type': 'volume', 'boot_index': 0}, **kwargs)


def data_device(volume, **kwargs):
    """A block device mapping that gives a server a data volume.

    :param volume: the volume, dict
    :param kwargs: more of the mapping, for example ``attach_mode``
    :returns: dict
    """
    return root_device(volume, boot_index=-1, **kwargs)


def image_device(image_id, **kwargs):
    """A block device mapping that makes a local copy of an image the root.

    :param image_id: the image's id
    :param kwargs: more of the mapping
    :returns: dict
    """
    return dict({'uuid': image_id, 'source_type': 'image',
                 'destination_type': 'local', 'boot_index': 0}, **kwargs)
