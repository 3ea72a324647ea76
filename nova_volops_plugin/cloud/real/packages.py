# SPDX-License-Identifier: Apache-2.0

"""The distribution's packages of the real cloud."""

import contextlib
import logging
import os
import pathlib
import shutil

from bindep import depends

from nova_volops_plugin import child
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)

# What is needed; the file bindep.txt of a checkout is a link to it.
BINDEP = pathlib.Path(__file__).with_name('data') / 'bindep.txt'
_PROFILE = 'real'

# Debian asks it whether a package may start its service.
_POLICY = pathlib.Path('/usr/sbin/policy-rc.d')


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
    wanted = depends.Depends(BINDEP.read_text(), BINDEP)
    rules = wanted.active_rules([_PROFILE, *wanted.platform_profiles()])
    return dict(wanted.check_rules(rules)).get('missing', [])


def install():
    """Install what is missing; none of it is started.

    :raises BadInput: this is no Debian or Ubuntu, or the user is not root
    :raises VolopsError: apt-get fails
    """
    if not shutil.which('apt-get'):
        raise exceptions.BadInput(
            'the real cloud is made of the packages of Debian or Ubuntu; '
            'there is no apt-get here')
    missing = missing_packages()
    if not missing:
        LOG.info('all packages are installed')
        return
    if os.geteuid():
        raise exceptions.BadInput(
            'installing packages needs root: %s' % ' '.join(missing))
    LOG.info('installing %s', ' '.join(missing))
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
    child.run(['apt-get', '--quiet', *words],
              '"apt-get %s" failed; fix what it says and try again' %
              words[0],
              env={**os.environ, 'DEBIAN_FRONTEND': 'noninteractive'})
