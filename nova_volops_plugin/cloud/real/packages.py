# SPDX-License-Identifier: Apache-2.0

"""The distribution's packages that the real cloud is made of."""

import contextlib
import os
import pathlib
import shutil
import subprocess

from nova_volops_plugin import exceptions

# Debian asks it whether a package may start its service.
_POLICY = pathlib.Path('/usr/sbin/policy-rc.d')

PACKAGES = (
    'ceph-common',
    'ceph-mgr',
    'ceph-mon',
    'ceph-osd',
    'cpio',
    'dosfstools',
    'gcc',
    'iproute2',
    'kmod',
    'libvirt-clients',
    'libvirt-daemon',
    'libvirt-daemon-driver-qemu',
    'libvirt-daemon-system',
    'libvirt-dev',
    'mariadb-server',
    'memcached',
    'mtools',
    'pkg-config',
    'python3-dev',
    'python3-rados',
    'python3-rbd',
    'python3-venv',
    'qemu-block-extra',
    'qemu-system-x86',
    'qemu-utils',
    'rabbitmq-server',
    'syslinux',
    'util-linux',
)


def check():
    """See to it that everything is installed.

    :raises VolopsError: something is missing; nothing was changed
    """
    missing = missing_packages()
    if missing:
        raise exceptions.VolopsError(
            'the real cloud lacks %s; install them as root by "nova-volops '
            'cloud install --profile real"' % ', '.join(missing))


def missing_packages():
    """Return the sorted names of the packages that are not installed."""
    lines = subprocess.run(
        ['dpkg-query', '--show', '--showformat',
         '${Package} ${db:Status-Abbrev}\\n', *PACKAGES],
        capture_output=True, text=True, check=False).stdout.splitlines() \
        if shutil.which('dpkg-query') else []
    there = {line.split()[0] for line in lines if line.split()[1:] == ['ii']}
    return [name for name in PACKAGES if name not in there]


def install(progress=lambda text: None):
    """Install what is missing; none of it is started.

    :param progress: called with one line of text a step
    :raises BadInput: this is no Debian or Ubuntu, or the user is not root
    :raises VolopsError: apt-get fails
    """
    if not shutil.which('apt-get'):
        raise exceptions.BadInput(
            'the real cloud is made of the packages of Debian or Ubuntu; '
            'there is no apt-get here')
    missing = missing_packages()
    if not missing:
        progress('all packages are installed')
        return
    if os.geteuid():
        raise exceptions.BadInput(
            'installing packages needs root: %s' % ' '.join(missing))
    progress('installing %s' % ' '.join(missing))
    _apt('update')
    with _policy():
        _apt('install', '--yes', '--no-install-recommends', *missing)


@contextlib.contextmanager
def _policy():
    """Have no package start its service: the cloud runs its own."""
    if _POLICY.exists():
        yield
        return
    _POLICY.write_text('#!/bin/sh\nexit 101\n')
    try:
        _POLICY.chmod(0o755)
        yield
    finally:
        _POLICY.unlink()


def _apt(*words):
    done = subprocess.run(
        ['apt-get', '--quiet', *words], capture_output=True, text=True,
        env={**os.environ, 'DEBIAN_FRONTEND': 'noninteractive'}, check=False)
    if done.returncode:
        raise exceptions.VolopsError(
            '"apt-get %s" ended with %d; mend what it says and try again\n'
            '%s' % (words[0], done.returncode, '\n'.join(
                (done.stdout + done.stderr).splitlines()[-10:])))
