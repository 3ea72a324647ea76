# SPDX-License-Identifier: Apache-2.0

"""The hosts of servers, and hosts that fail for a while."""

import contextlib

ONE = 'this cloud has one host; start it with --hosts 2'
# The microversion that names services by UUID, and older than a start of
# evacuated servers that is the user's own business.
FORCED_DOWN = '2.53'


def of(ctx, server):
    """Return the name of a server's host."""
    return ctx.server(server)['OS-EXT-SRV-ATTR:host']


def others(ctx, host):
    """Return the names of the other hosts, sorted."""
    return sorted({service['host'] for service in _computes(ctx)} - {host})


@contextlib.contextmanager
def lost(ctx, host):
    """End a host, have Nova know that, and bring it back afterwards.

    Gives whether the cloud could do so.
    """
    if not ctx.cloud.faults.lose_host(host):
        yield False
        return
    ctx.tell('%s is lost' % host)
    try:
        _force_down(ctx, host, True)
        yield True
    finally:
        ctx.cloud.up()
        _force_down(ctx, host, False)


def bring_back(ctx):
    """Have Nova use the hosts that a killed run told it were lost."""
    for service in _computes(ctx):
        if service['forced_down']:
            _force_down(ctx, service['host'], False)


def _computes(ctx, query=''):
    return ctx.call('GET', '/os-services?binary=nova-compute' + query,
                    version=FORCED_DOWN).body.get('services', ())


def _force_down(ctx, host, down):
    for service in _computes(ctx, '&host=' + host):
        ctx.call('PUT', '/os-services/' + service['id'],
                 {'forced_down': down}, FORCED_DOWN)
