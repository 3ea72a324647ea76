# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.
"""What a reboot of a healthy server costs Cinder."""

from nova_volops_plugin.sdk import calls

NAME = 'reboot_cost'
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
        ctx.send(calls.action(server, 'reboot', {'type': 'HARD'}))
        ctx.wait_for_server(server, 'ACTIVE')
        costs[count] = ctx.cloud.count_requests(_SERVICE) - before
    ctx.claim(text, len(set(costs.values())) == 1, ', '.join(
        '%d requests with %d volumes' % (cost, count)
        for count, cost in costs.items()))
