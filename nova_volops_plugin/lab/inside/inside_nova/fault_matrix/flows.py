# SPDX-License-Identifier: Apache-2.0

"""The flows: their preparation and their requests.

Each is a class with a ``NAME``, a ``prepare(case)`` that must succeed and a
``run(case)`` whose calls to Cinder are made to fail.
"""

import contextlib
import io

from cinderclient import exceptions as cinder_exceptions
import fixtures
from nova import context
from nova import exception
from nova.volume import cinder

from inside_nova.embedded_nova import images


class Flow:
    """What is the same for all.

    :cvar QUIET: whether the user need not be told that nothing was done
    :cvar CRASHES: whether services are stopped in it, too
    """

    QUIET = False
    CRASHES = False

    def clean_up(self, case, after):
        """Do what is documented about attachments that no device has.

        :param after: as in :meth:`go_on`, which follows it
        :returns: whether anything was done
        """
        return False

    def go_on(self, case, after):
        """Do what a user, an operator or Cinder does about what is left.

        :param after: the :class:`snapshot.Snapshot`, in which nothing goes on
        :returns: whether anything was done
        """
        return False


class AttachReadOnly(Flow):
    """A volume is attached read-only to a server that runs."""

    NAME = 'attach-ro'

    def prepare(self, case):
        case.volume('data')
        self.server = case.boot()

    def run(self, case):
        case.ask('POST', '/servers/%s/os-volume_attachments' % self.server,
                 {'volumeAttachment': {'volumeId': case.volumes['data'],
                                       'attach_mode': 'ro'}})


class BootReadOnly(Flow):
    """A server is created on a volume with another one read-only."""

    NAME = 'boot-ro'

    def prepare(self, case):
        case.root()
        case.volume('data')

    def run(self, case):
        body = case.boot_request('data', root='root')
        body['server']['block_device_mapping_v2'][1]['attach_mode'] = 'ro'
        case.add_server(case.ask('POST', '/servers', body))


class MultiCreate(Flow):
    """Two servers are created on one multiattach volume."""

    NAME = 'multi-create'
    CRASHES = True

    def prepare(self, case):
        case.volume('shared', multiattach=True)

    def run(self, case):
        case.ask('POST', '/servers', case.boot_request(
            'shared', min_count=2, max_count=2))
        for number, server in enumerate(case.nova.call(
                'GET', '/servers').body['servers'], 1):
            case.servers['server%d' % number] = server['id']
            case.roles[server['id']] = 'server%d' % number


class _Offloaded(Flow):

    def prepare(self, case):
        case.volume('old')
        case.volume('new', size=2)
        self.server = case.boot()
        case.action(self.server, 'shelve')
        case.action(self.server, 'shelveOffload')
        case.attach(self.server, 'old')


class AttachOffloaded(_Offloaded):
    """A volume is attached to a server that is on no host."""

    NAME = 'attach-offloaded'

    def run(self, case):
        case.ask('POST', '/servers/%s/os-volume_attachments' % self.server,
                 {'volumeAttachment': {'volumeId': case.volumes['new']}})


class DetachOffloaded(_Offloaded):
    """A volume is detached from a server that is on no host."""

    NAME = 'detach-offloaded'

    def run(self, case):
        case.ask('DELETE', '/servers/%s/os-volume_attachments/%s' % (
            self.server, case.volumes['old']))


class SwapOffloaded(_Offloaded):
    """A volume is swapped for another on a server that is on no host."""

    NAME = 'swap-offloaded'
    CRASHES = True

    def run(self, case):
        _swap(case, self.server, copy_data=False)

    def go_on(self, case, after):
        _clean_up()
        return True


class SwapShelved(Flow):
    """A volume of a shelved server is copied to another on its host."""

    NAME = 'swap-shelved'
    CRASHES = True

    def prepare(self, case):
        case.volume('old')
        case.volume('new', size=2)
        self.server = case.boot('old')
        case.action(self.server, 'shelve')

    def run(self, case):
        _swap(case, self.server, copy_data=True)


class MigrateShelved(Flow):
    """Cinder migrates a volume of a shelved server to another backend."""

    NAME = 'migrate-shelved'
    CRASHES = True

    def prepare(self, case):
        case.volume('old', migration_status='migrating')
        case.volume('new', size=2,
                    migration_status='target:%s' % case.volumes['old'])
        self.server = case.boot('old')
        case.action(self.server, 'shelve')

    def run(self, case):
        _swap(case, self.server, copy_data=True)
        # However it ends, Cinder is left with one of the two.
        self.new = case.volumes.pop('new')

    def go_on(self, case, after):
        if case.answers[-1].code < 400 or any(
                row.volume == self.new for row in after.attachments):
            return False
        # Cinder was refused the swap, so it ends the migration.
        with contextlib.suppress(exception.InvalidInput,
                                 cinder_exceptions.NotFound):
            cinder.API().migrate_volume_completion(
                context.get_admin_context(), case.volumes['old'], self.new,
                error=True)
        return True


def _swap(case, server, copy_data):
    case.ask('PUT', '/servers/%s/os-volume_attachments/%s' % (
        server, case.volumes['old']),
        {'volumeAttachment': {'volumeId': case.volumes['new'],
                              'copy_data': copy_data}})


class _OnVolumes(Flow):
    """An action of a server with two volumes, one of them its root."""

    def prepare(self, case):
        case.root()
        case.volume('data')
        self.server = case.boot('data', root='root')

    def run(self, case):
        case.act(self.server, *self.ACTION)


class _Releasing(_OnVolumes):
    """A host releases the volumes, and keeps them reserved.

    If that fails, a volume stays reserved besides its old attachment while
    Cinder may be deleting that.

    :cvar REBOOTS: whether a reboot mends the server in ERROR
    :cvar RESERVED_AFTER: how the names of the calls begin
    """

    REBOOTS = True
    RESERVED_AFTER = ('attachment_delete',)

    def clean_up(self, case, after):
        if not case.calls.may_have_taken_effect(self.RESERVED_AFTER):
            return False
        state = after.servers.get(self.server)
        if self.REBOOTS and state and state.vm_state == 'error':
            case.nova.call('POST', '/servers/%s/action' % self.server,
                           {'reboot': {'type': 'HARD'}})
            case.settle()
        _clean_up()
        return True


class Shelve(_Releasing):
    """A server on a volume is shelved, and leaves its host at once."""

    NAME = 'shelve'
    ACTION = ('shelve',)


class Unshelve(_OnVolumes):
    """An offloaded server, given a volume since, gets a host again."""

    NAME = 'unshelve'
    ACTION = ('unshelve',)
    CRASHES = True

    def prepare(self, case):
        super().prepare(case)
        case.volume('since')
        case.action(self.server, 'shelve')
        case.attach(self.server, 'since', attach_mode='ro')


class Resize(_Releasing):
    """A server is resized onto the other host."""

    NAME = 'resize'
    ACTION = 'resize', {'flavorRef': '2'}


class RevertResize(_Releasing):
    """A resize is reverted."""

    NAME = 'resize-revert'
    ACTION = ('revertResize',)
    # It is on neither host as a whole: the user deletes it.
    REBOOTS = False

    def prepare(self, case):
        super().prepare(case)
        case.action(self.server, *Resize.ACTION)


class LiveMigrate(_OnVolumes):
    """A server is live migrated to the other host."""

    NAME = 'live-migrate'
    ACTION = 'os-migrateLive', {'host': None, 'block_migration': 'auto'}


class LiveMigrateRollback(LiveMigrate):
    """A live migration fails on the hypervisor and is rolled back."""

    NAME = 'live-migrate-rollback'

    def prepare(self, case):
        super().prepare(case)
        case.undo.enter_context(fixtures.MonkeyPatch(
            'inside_nova.embedded_nova.guests.Domain.migrateToURI3', _fail))


def _fail(domain, *args, **kwargs):
    domain.fail_job()


class Rebuild(_OnVolumes):
    """A server gets a new image on its root volume."""

    NAME = 'rebuild'
    ACTION = 'rebuild', {'imageRef': images.OTHER_IMAGE}
    CRASHES = True

    def go_on(self, case, after):
        if after.servers[self.server].vm_state != 'error':
            return False
        # Its user asks again, once Cinder has written what it was asked for.
        case.nova.wait(
            'the end of the re-image',
            lambda: case.nova.rules.status(
                case.volumes['root']) != 'downloading')
        self.run(case)
        return True


class Evacuate(_Releasing):
    """A server is rebuilt on another host as its own is down."""

    NAME = 'evacuate'
    ACTION = 'evacuate', {}
    # One step looks the volume up and deletes the attachment.
    RESERVED_AFTER = (*_Releasing.RESERVED_AFTER, 'get(')

    def prepare(self, case):
        super().prepare(case)
        case.undo.callback(self._set_down, case, False)
        self._set_down(case, True)

    @staticmethod
    def _set_down(case, down):
        service, = case.nova.call(
            'GET', '/os-services?binary=nova-compute&host=compute1').body[
                'services']
        case.nova.call('PUT', '/os-services/' + service['id'],
                       {'forced_down': down})

    def run(self, case):
        super().run(case)
        case.calls.pause()
        self._set_down(case, False)
        case.nova.recover('compute1')


class _Dangling(Flow):

    # How the host is connected to the volume whose attachment was replaced.
    CONNECTOR = None

    def prepare(self, case):
        case.root()
        for role in ('kept', 'gone', 'replaced', 'stray', 'elsewhere'):
            case.volume(role)
        self.server = case.boot('kept', 'gone', 'replaced', root='root')
        rules = case.nova.rules
        for role in ('gone', 'replaced'):
            row, = rules.attachments(case.volumes[role])
            rules.remove_attachment(row['id'])
        for role, status, connector in (
                ('replaced', 'attached', self.CONNECTOR),
                ('stray', 'reserved', None),
                ('elsewhere', 'attached', {'host': 'compute2'})):
            rules.add_attachment(
                case.volumes[role], self.server, status, connector)
            rules.set_unchanged_for(case.volumes[role], 7200)


class RebootCleanUp(_Dangling):
    """A reboot repairs what Nova and Cinder disagree on."""

    NAME = 'reboot-cleanup'
    # A reboot does not fail for Cinder's sake; what it leaves it logs.
    QUIET = True

    def run(self, case):
        case.act(self.server, 'reboot', {'type': 'HARD'})

    def go_on(self, case, after):
        self.run(case)
        return True


class ManageCleanUp(_Dangling):
    """nova-manage repairs what Nova and Cinder disagree on."""

    NAME = 'manage-cleanup'
    CONNECTOR = {'host': 'compute1', 'mode': 'rw'}
    # The return code when all is fixed.
    SUCCESS = 4

    def run(self, case):
        code = _clean_up()
        case.exit_codes.append(code)
        if code != self.SUCCESS:
            case.told = True

    def go_on(self, case, after):
        _clean_up()
        return True


def _clean_up():
    """Have nova-manage repair all servers; return its return code."""
    from nova.cmd import volume_attachment_cleanup

    with contextlib.redirect_stdout(io.StringIO()):
        return volume_attachment_cleanup.main(all_servers=True, apply=True)


FLOWS = (
    AttachReadOnly, BootReadOnly, MultiCreate, AttachOffloaded,
    DetachOffloaded, SwapOffloaded, SwapShelved, MigrateShelved, Shelve,
    Unshelve, Resize, RevertResize, LiveMigrate, LiveMigrateRollback,
    Evacuate, Rebuild, RebootCleanUp, ManageCleanUp)
