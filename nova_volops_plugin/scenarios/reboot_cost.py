# SPDX-License-Identifier: Apache-2.0

"""The calls to Cinder of a reboot of a healthy server."""

NAME = 'reboot_cost'
FEATURE = 'dangling_cleanup'
COUNTS = (1, 8)
_SERVICE = 'cinder-api'


def run(ctx):
    text = 'a reboot asks Cinder as often with %d volumes as with %d' % (
        COUNTS[1], COUNTS[0])
    if ctx.cloud.count_requests(_SERVICE) is None:
        ctx.skip(text, 'the Cinder of this cloud does not log its requests')
        return
    server = ctx.boot('demo-healthy')
    attached, costs = 0, {}
    for count in COUNTS:
        while attached < count:
            attached += 1
            ctx.attach(server, ctx.create_volume('demo-%d' % attached))
        before = ctx.cloud.count_requests(_SERVICE)
        ctx.reboot(server)
        costs[count] = ctx.cloud.count_requests(_SERVICE) - before
    ctx.claim(text, len(set(costs.values())) == 1, ', '.join(
        '%d requests with %d volumes' % (cost, count)
        for count, cost in costs.items()))
