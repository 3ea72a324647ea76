# SPDX-License-Identifier: Apache-2.0

"""The interface of all cloud profiles."""

import abc
import dataclasses

from nova_volops_plugin.bases import python
from nova_volops_plugin.cloud import faults
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import features


@dataclasses.dataclass(frozen=True)
class ServiceStatus:
    """One service of a running or stopped cloud.

    :param name: the service, for example ``nova-api``
    :param state: ``up``, ``down`` or ``failed``
    :param pid: the process's id, None when there is none
    :param detail: the address it answers on, or why it does not
    """

    name: str
    state: str
    pid: int | None = None
    detail: str = ''


class Cloud(abc.ABC):
    """A cloud that can be started, asked and stopped.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`, by default
        that of the newest Nova
    :param patched: False for the base as its makers released it
    :param hosts: the number of compute hosts
    :param released_hosts: how many of them, the last ones, run the base as
        its makers released it under controllers that are patched
    :param only: the names of the topics that Nova has, with those they need;
        by default all
    :raises BadInput: the series has no such topic
    :cvar guests_run: whether there is something in the guests that runs and
        prints to the console; False where they are definitions only
    :cvar settled_seconds: how long ago a volume must have changed for Nova to
        delete attachments of it that it does not know; None for Nova's
        default, for which a story does not wait
    """

    guests_run = True
    settled_seconds = None

    def __init__(self, state, base=None, patched=True, hosts=1,
                 released_hosts=0, only=None):
        self.state = state
        self.base = base or python.newest_base()
        self.patched = patched
        self.hosts = hosts
        self.released_hosts = released_hosts
        self.only = only
        if only and not patched:
            raise exceptions.BadInput(
                'the unpatched base has no topic; leave out --only or '
                '--unpatched')
        if only:
            features.of(self.base, only)

    @property
    def features(self):
        """What it is said to offer, see :mod:`series.features`.

        An unpatched Nova is asked for everything all the same: that is what
        the patched one is compared with.
        """
        return features.of(self.base, self.only)

    def __enter__(self):
        self.up()
        return self

    def __exit__(self, *exc_info):
        self.down()

    @abc.abstractmethod
    def up(self):
        """Start everything; nothing happens when it is up already.

        :raises VolopsError: when a service does not get ready; what had
            started is stopped
        """

    @abc.abstractmethod
    def down(self, wipe=False):
        """Stop exactly what :meth:`up` started.

        :param wipe: also delete the cloud's state
        """

    @abc.abstractmethod
    def status(self):
        """Return a list of :class:`ServiceStatus`."""

    @abc.abstractmethod
    def environ(self):
        """Return the ``OS_*`` variables of a REST client, as a dict of str."""

    @abc.abstractmethod
    def logs(self):
        """Return a dict of each service's name and its log's path."""

    @abc.abstractmethod
    def console(self, server):
        """Return what a guest has printed to its serial console.

        :param server: the server's UUID
        :returns: the text, str
        """

    @abc.abstractmethod
    def domain_xml(self, server):
        """Return the hypervisor's definition of a guest.

        :param server: the server's UUID
        :returns: libvirt's domain XML, str
        """

    @property
    def faults(self):
        """The :class:`faults.Faults` that can be injected into it."""
        return faults.Faults()

    def service_environ(self):
        """Return the ``OS_*`` variables of a user who counts as a service.

        Cinder lets only a service delete the attachment of a running server.
        """
        return self.environ()

    def nova_manage(self, *words):
        """Run nova-manage, as an operator does beside the API.

        :param words: its arguments, str
        :returns: its exit code and what it printed to stdout, (int, str);
            None if this cloud cannot do so
        """
        return None

    def watchers(self, volume):
        """Return how many clients have a volume open, None if unknown.

        :param volume: the volume's UUID
        """
        return None

    def count_requests(self, service):
        """Return how many requests an API has answered, None if unknown.

        :param service: its name, as in :meth:`status`
        """
        return None
