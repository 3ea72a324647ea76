# SPDX-License-Identifier: Apache-2.0

"""A rebuild of a root volume with a new image."""

from nova_volops_plugin.lab.bench import variants
from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import microversions

NAME = 'rebuild'
TITLE = 'Rebuild of a volume-backed server: how long the guest is down'
AXIS = 'volumes'
PROFILES = ('embedded',)
EVENT = 'patched, with the event'
POLL = 'patched, by polling alone'
# What the embedded cloud's Cinder needs to re-image a volume.
REIMAGE_SECONDS = 0.5
LIMIT = (
    'Zero: the seconds are those that the guest is down beyond the %.1f s '
    'that Cinder takes to re-image. What is left is the work of Nova, and '
    'without the event up to [DEFAULT]/reimage_poll_interval, 5 s. As '
    'released, Nova waits for an event that is lost until its time is up, '
    'and the server is in ERROR then. What is called more often than as '
    'released only reads attachments and the volume: a rebuild that Cinder '
    'would refuse is refused before the guest is touched, and the end of the '
    're-image is read from the volume, not believed.' % REIMAGE_SECONDS)


def run(run):
    version = microversions.of(run.testbed.base.name, 'rebuild')
    patched = run.testbed.deployment()
    compared = {EVENT: (patched, True), POLL: (patched, False)}
    released = run.testbed.base.microversions[0]
    if microversions.number(released) < microversions.number(version):
        run.skip('%s as released refuses to rebuild such a server.' %
                 run.testbed.base)
    else:
        compared[variants.RELEASED] = (run.testbed.deployment(False), True)
    servers = {deployment: _boot(deployment)
               for deployment, _events in compared.values()}
    for variant in run.alternate(compared):
        deployment, events = compared[variant]
        deployment.set_up(events=events)
        server = servers[deployment]
        answer = deployment.do(
            calls.rebuild(server, deployment.images()[1]), version)
        began = deployment.entry(answer)['began']
        deployment.wait_for_server(server, 'ACTIVE')
        down = _down(
            deployment.cloud.ledger('GET', 'guests/' + server)['guest'],
            began)
        run.add_requests(
            variant, 1, deployment, [answer],
            seconds=down - REIMAGE_SECONDS)
        deployment.set_up()


def _boot(deployment):
    root = deployment.create_volume(
        'bench-root', imageRef=deployment.image(), size=2)
    return deployment.boot(
        'bench-rebuild', image=False, block_device_mapping_v2=[
            calls.volume_device(root, boot_index=0)])


def _down(events, began):
    """Return how long a guest was down since a time, in seconds."""
    events = [(what, time) for what, time in events if time > began]
    return (max(time for what, time in events if what == 'up') -
            min(time for what, time in events if what == 'down'))
