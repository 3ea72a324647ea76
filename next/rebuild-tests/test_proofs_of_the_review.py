import contextlib
import ddt
from unittest import mock
from nova.compute import rpcapi
from nova import exception
from nova import objects
from nova.tests.fixtures import cinder_status
from nova.tests.functional.compute import test_reimage as tr
from nova.virt import fake


@ddt.ddt
class E1(tr.ReimageTestCase):
    def setUp(self):
        super().setUp()
        self.flags(reclaim_instance_interval=3600)
        for n in ('soft_delete', 'restore'):
            p = mock.patch.object(fake.FakeDriver, n,
                                  side_effect=NotImplementedError)
            p.start()
            self.addCleanup(p.stop)
        self._boot()
        self.libvirt()

    def libvirt(self):
        """power_on defines the guest anew, and fails without a root."""
        drv = self.compute.driver
        orig = drv.power_on

        def power_on(context, instance, network_info, block_device_info=None, **kw):
            if self.root not in [d['volume_id'] for d in (block_device_info or {}).get('block_device_mapping', ())]:
                raise exception.DiskNotFound(location='root')
            if instance.uuid not in drv.instances:
                drv.spawn(context, instance, instance.image_meta, [], None, {}, block_device_info=block_device_info)
            return orig(context, instance, network_info, block_device_info=block_device_info, **kw)
        p = mock.patch.object(drv, 'power_on', power_on)
        p.start()
        self.addCleanup(p.stop)

    def _restore(self):
        self.api.delete_server(self.server_id)
        with contextlib.suppress(Exception):
            self.api.post_server_action(self.server_id, {'restore': {}})

    @ddt.data(*range(8, 14))
    def test_restore(self, nth):
        self.rules.calls = []
        off = mock.patch.object(self.compute.driver, 'power_off',
                                side_effect=self.compute.driver.power_off)
        po = off.start()
        self.addCleanup(off.stop)
        seen = []

        def before(name):
            seen.append(name)
            if len(seen) == nth:
                self.at = name
                po.reset_mock()
                self.rules.before_call = None
                self._restore()
                self.offs = po.call_count
        self.rules.before_call = before
        self._rebuild(self.old_image)
        self.rules.before_call = None
        self.report(nth, po)

    def report(self, nth, po):
        i = self._instance()
        bdm = self._bdms().root_bdm()
        try:
            ps = self.compute.driver.get_info(i).state
        except Exception as e:
            ps = repr(e)
        print('RESULT', nth, getattr(self, 'at', None), 'vm', i.vm_state, i.task_state,
              'power', ps,
              'root', self.rules.status(self.root), 'conn',
              (bdm.connection_info or '')[:12], 'reimaged', len(self.rules.calls_of('reimage_volume')),
              'offs', getattr(self, 'offs', None), po and po.call_count,
              'rows', [(r['attach_status'], bool(r['connector']), r['id'] == bdm.attachment_id) for r in self.rules.attachments(self.root)],
              'fault', i.fault and i.fault.message[:90])

    def test_soft_delete_then_refused(self):
        def before(name):
            if name == 'reimage_volume':
                self.rules.before_call = None
                self.api.delete_server(self.server_id)
        self.rules.fail('reimage_volume', cinder_status.http_error(400))
        self.rules.before_call = before
        self._rebuild(self.old_image)
        self.report('refused', None)

    def test_soft_delete_during_download(self):
        self.rules.reimage_polls = 4
        self.events = False
        seen = []

        def before(name):
            seen.append(name)
            if len(seen) > 9 and name == 'get' and self.rules.calls_of('reimage_volume'):
                self.rules.before_call = None
                self.api.delete_server(self.server_id)
        self.rules.before_call = before
        self._rebuild()
        self.report('sd', None)
        with contextlib.suppress(Exception):
            self.api.post_server_action(self.server_id, {'restore': {}})
        self.report('sd-restored', None)
        with contextlib.suppress(Exception):
            self.api.post_server_action(self.server_id, {'reboot': {'type': 'HARD'}})
        self.report('sd-rebooted', None)

    @ddt.data('error', 'hang')
    def test_hard_reboot_after_failure(self, outcome):
        self.rules.reimage_outcome = outcome
        with mock.patch('nova.compute.reimage_checks.timeout', return_value=0.3):
            self._rebuild()
        self.report(outcome, None)
        with contextlib.suppress(Exception):
            self.api.post_server_action(self.server_id, {'reboot': {'type': 'HARD'}})
        self.report(outcome + '-rebooted', None)

    @ddt.data(401, 403, 413, 500)
    def test_api_codes(self, code):
        self.rules.fail('get', cinder_status.http_error(code))
        print('RESULT get', code, self._rebuild())
        self.rules.heal()
        self.rules.fail('attachment_get_all', cinder_status.http_error(code))
        print('RESULT list', code, self._rebuild())

    def test_overwritten_registry(self):
        """B registers while A waits for Placement."""
        orig = self.compute.manager.reportclient.get_allocations_for_consumer
        done = []

        def gac(*a, **k):
            if not done:
                done.append(1)
                self.api.post_server_action(
                    self.server_id, {'os-resetState': {'state': 'active'}})
                with mock.patch.object(rpcapi.ComputeAPI, 'rebuild_instance') as cast:
                    self.api.post_server_action(self.server_id, {'rebuild': {'imageRef': self.new_image}})
                # B is on the host, and waits for Placement.
                self.compute.manager._reimages[self.server_id] = ('req-b', {})
            return orig(*a, **k)
        with mock.patch.object(self.compute.manager.reportclient, 'get_allocations_for_consumer', gac):
            self._rebuild(self.old_image)
        print('DONE', done, self.connected)
        self.report('registry %s' % self.connected, None)

    def test_evacuated(self):
        def before(name):
            if name == 'attachment_delete':
                self.rules.before_call = None
                self._evacuate()
        self.rules.before_call = before
        self.start_service('compute', host='other')
        self.flags(rpc_response_timeout=10)
        self._rebuild(self.old_image)
        self.report('evac', None)
        i = self._instance()
        print(i.host, i.vm_state, [(b.volume_id == self.root, b.attachment_id, b.connection_info[:60]) for b in self._bdms()], self.rules.attachments(self.root))

    def _evacuate(self):
        svc = self.admin_api.get_services(binary='nova-compute', host=self.compute.host)[0] if hasattr(self, 'admin_api') else self.api.get_services(binary='nova-compute', host=self.compute.host)[0]
        self.api.put_service_force_down(svc['id'], True)
        self.api.post_server_action(self.server_id, {'os-resetState': {'state': 'active'}})
        self.api.post_server_action(self.server_id, {'evacuate': {}})
        i = self._instance()
        print('RESULT after evac', i.host, i.vm_state, i.task_state, i.fault and i.fault.message, [(b.volume_id == self.root, b.attachment_id, b.connection_info[:60]) for b in self._bdms()])

    def test_spec_of_unrebuilt(self):
        from nova.compute import reimage_request
        i = self._instance()
        print('RESULT sysmeta', i.system_metadata.get('image_base_image_ref'))
