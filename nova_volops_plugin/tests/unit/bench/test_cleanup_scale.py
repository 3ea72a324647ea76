# SPDX-License-Identifier: Apache-2.0

import testtools

from inside_nova.cleanup_scale import cloud
from nova_volops_plugin.lab.bench import cleanup


class CloudTest(testtools.TestCase):

    def test_every_server_once_and_not_in_order(self):
        for number in (1, 2, 1000, 7919, 10000):
            found = list(cloud.order(number))
            self.assertEqual(list(range(number)), sorted(found))
        self.assertNotEqual(sorted(found), found)

    def test_uuids_are_in_the_order_of_the_numbers(self):
        for name in (cloud.server, lambda number: cloud.volume(number, 1),
                     lambda number: cloud.attachment(number, 0)):
            uuids = [name(number) for number in (0, 1, 15, 16, 99999)]
            self.assertEqual(sorted(set(uuids)), uuids)

    def test_attachments(self):
        self.assertEqual((4711, 1),
                         cloud.of_attachment(cloud.attachment(4711, 1)))
        self.assertEqual([0, 1000], [
            number for number in range(2000)
            if cloud.is_lost(number, 0, True)])
        self.assertFalse(cloud.is_lost(0, 1, True))
        self.assertFalse(cloud.is_lost(0, 0, False))


class LeastTest(testtools.TestCase):

    def test_pages(self):
        dangling, healthy = cleanup.VARIANTS
        # The first attachment, two pages of 1,000, the empty one, and the
        # volumes that are detaching.
        for variant in (healthy, dangling):
            self.assertEqual({'cinder': 5}, cleanup.least(1000, variant))
        # 2,001 servers have two attachments fewer than 5 pages hold.
        self.assertEqual({'cinder': 8}, cleanup.least(2001, healthy))
