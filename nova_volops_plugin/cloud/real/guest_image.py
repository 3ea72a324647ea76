# SPDX-License-Identifier: Apache-2.0

"""Builds the images of the guests that report their disks.

A guest is the distribution's kernel and busybox on a disk that boots by
itself. It proves on its console what the hypervisor's settings only claim.
"""

import gzip
import hashlib
import logging
import pathlib
import re
import shutil
import subprocess
import tempfile

from nova_volops_plugin.bases import lock
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)

# Two tags, so that a guest can tell after a rebuild which image it runs.
TAGS = ('alpha', 'beta')

# Debian's name, then Ubuntu's.
_KERNELS = ('linux-image-cloud-amd64', 'linux-image-virtual')
_MODULES = ('virtio_pci', 'virtio_blk', 'virtio_scsi', 'sd_mod', 'virtio_net',
            'button', 'evdev')
# An emulated processor that waits for its turn misses the ticks by which the
# kernel checks its timer.
_SYSLINUX = '''\
default volops
prompt 0
label volops
  kernel vmlinuz
  append initrd=initrd console=ttyS0 quiet panic=1 no_timer_check
'''
_POWER_BUTTON = '#!/bin/busybox sh\npoweroff -f\n'
_MEGABYTE = 1024 ** 2


def recipe():
    """Return what the images are made by, as some hexadecimal digits."""
    words = repr((_init(), _MODULES, _SYSLINUX, _POWER_BUTTON, TAGS))
    return hashlib.sha256(words.encode()).hexdigest()[:12]


def ensure(state):
    """Build the images when they are missing.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :returns: a dict of each tag and its image's path
    :raises VolopsError: the packages cannot be downloaded or lack something
    """
    folder = state.path / 'guests' / recipe()
    images = {tag: folder / (tag + '.raw') for tag in TAGS}
    folder.mkdir(parents=True, exist_ok=True)
    with lock.hold(folder / '.lock'):
        if not all(image.exists() for image in images.values()):
            LOG.info('building the images of the guests')
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                _build(pathlib.Path(scratch), images)
    return images


def _init():
    return (units.DATA / 'guest_init.sh').read_text()


def _build(scratch, images):
    packages = scratch / 'packages'
    packages.mkdir()
    _unpack(['busybox-static'] + _kernel_packages(), packages)
    kernel = next(iter(sorted(packages.glob('boot/vmlinuz-*'))), None)
    if not kernel:
        raise exceptions.VolopsError('the kernel\'s package has no vmlinuz')
    root = scratch / 'root'
    _fill_root(root, packages, kernel.name.split('-', 1)[1])
    for tag, image in images.items():
        (root / 'etc/tag').write_text(tag + '\n')
        initrd = scratch / 'initrd'
        archive = _run('find . | cpio -o -H newc -R 0:0 --quiet',
                       shell=True, cwd=root)
        initrd.write_bytes(gzip.compress(archive, 6))
        part = scratch / image.name
        _make_disk(part, tag, kernel, initrd, scratch)
        part.rename(image)


def _kernel_packages():
    """Return the names of the packages of the newest kernel."""
    for name in _KERNELS:
        listed = subprocess.run(
            ['apt-cache', 'depends', '--recurse', '--no-recommends',
             '--no-suggests', '--no-enhances', '--no-conflicts',
             '--no-breaks', '--no-replaces', name],
            capture_output=True, text=True, check=False).stdout
        found = sorted(set(re.findall(
            r'^(linux-(?:image|modules)-\d\S*)$', listed, re.MULTILINE)))
        if found:
            return found
    raise exceptions.VolopsError(
        'no kernel package to make guests of: none of %s is known to apt; '
        'run "apt-get update"' % ', '.join(_KERNELS))


def _unpack(names, folder):
    with tempfile.TemporaryDirectory() as downloads:
        _run(['apt-get', '--quiet', '-o', 'APT::Sandbox::User=root',
              'download', *names], cwd=downloads)
        for package in sorted(pathlib.Path(downloads).glob('*.deb')):
            _run(['dpkg', '--extract', package, folder])


def _fill_root(root, packages, release):
    (root / 'bin').mkdir(parents=True)
    (root / 'etc/acpi/PWRF').mkdir(parents=True)
    modules = root / 'modules'
    modules.mkdir()
    shutil.copy(packages / 'bin/busybox', root / 'bin/busybox')
    _write_script(root / 'init', _init())
    _write_script(root / 'etc/acpi/PWRF/00000080', _POWER_BUTTON)
    (packages / 'usr').mkdir(exist_ok=True)
    _run(['depmod', '--basedir', packages, release])
    order = []
    for module in _MODULES:
        steps = _run(['modprobe', '--dirname', packages, '--set-version',
                      release, '--show-depends', module])
        for path in re.findall(r'^insmod (\S+)', steps.decode(), re.MULTILINE):
            name = pathlib.Path(path).name
            if name not in order:
                order.append(name)
                shutil.copy(path, modules / name)
    (modules / 'order').write_text('\n'.join(order) + '\n')


def _make_disk(path, tag, kernel, initrd, scratch):
    size = kernel.stat().st_size + initrd.stat().st_size + 2 * _MEGABYTE
    with open(path, 'wb') as disk:
        # Cinder and Nova count in whole sectors of any size.
        disk.truncate(-(-size // (4 * _MEGABYTE)) * 4 * _MEGABYTE)
    conf = scratch / 'syslinux.cfg'
    conf.write_text(_SYSLINUX)
    _run(['mkfs.vfat', '-n', tag.upper(), path])
    for source, name in ((kernel, 'vmlinuz'), (initrd, 'initrd'),
                         (conf, 'syslinux.cfg')):
        _run(['mcopy', '-i', path, source, '::' + name])
    _run(['syslinux', '--install', path])


def _write_script(path, text):
    path.write_text(text)
    path.chmod(0o755)


def _run(command, **kwargs):
    try:
        return subprocess.run(
            command, capture_output=True, check=True, **kwargs).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        words = getattr(error, 'stderr', b'').decode(errors='replace')
        raise exceptions.VolopsError(
            'the guest\'s image cannot be built: %s %s' % (
                error, ' '.join(words.split())[-300:]))
