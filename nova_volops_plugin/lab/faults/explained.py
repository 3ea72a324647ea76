# SPDX-License-Identifier: Apache-2.0

"""Broken invariants that are expected, each with its reason."""

import dataclasses
import fnmatch


@dataclasses.dataclass(frozen=True)
class Explanation:
    """Says why a kind of broken invariant is to be expected.

    :param kinds: kinds of invariants, a set of str
    :param reason: a sentence
    :param flow: a pattern as of fnmatch, so are ``call`` and ``fault``
    """

    kinds: set
    reason: str
    flow: str = '*'
    call: str = '*'
    fault: str = '*'

    def fits(self, case, kind):
        """Whether it explains that a case broke an invariant."""
        return (kind in self.kinds and
                fnmatch.fnmatchcase(case.flow, self.flow) and
                fnmatch.fnmatchcase(case.call, self.call) and
                fnmatch.fnmatchcase(case.fault, self.fault))


_ON_ITS_WAY = (
    'As released, a request that is lost between two services leaves its task '
    'state and what the scheduler has allocated. The volumes are as they '
    'were: the user deletes the server and creates another on them, or an '
    'operator clears the task state.')
_NOT_BUILT = (
    'A server that could not be built keeps its block devices, while their '
    'attachments are deleted. Deleting the server removes both.')
_GONE = (
    'Cinder says that the attachment is gone: the block device names it until '
    'a reboot or "nova-manage volume_attachment cleanup" repairs it.')

EXPLANATIONS = (
    Explanation(
        {'untold'}, 'As released, newer APIs answer before the conductor '
        'asks Cinder for the attachment, and the action begins after that: '
        'only the log of the conductor tells of a refusal.',
        flow='attach-ro', call='attachment_create*'),
    Explanation(
        {'untold'}, 'The server has the new volume, and the log of nova-api '
        'names the attachment of the old one, which the clean-up deletes.',
        flow='swap-offloaded', call='attachment_delete*'),
    Explanation(
        {'volume', 'left-volume'}, 'The attachment of the new volume is gone, '
        'by which the host knows the swap. It fails, and Cinder keeps the '
        'status of the volumes until an operator resets it.',
        flow='migrate-shelved', call='attachment_*(new)*', fault='404'),
    *(Explanation(
        {'untold', 'volume', 'left-volume'}, 'Cinder, which asked for the '
        'swap, says that it has ended the migration; the server has the copy, '
        'as the log of the host says.', flow='migrate-shelved',
        call='migrate_volume_completion*', fault=fault)
      for fault in ('400', '404')),
    Explanation(
        {'orphan', 'stuck', 'allocation'}, 'As released, servers whose '
        'conductor stops before it creates them are shown as being built. '
        'The user deletes them, with all that they hold.',
        flow='multi-create', call='sql-insert(instances)*', fault='crash'),
    Explanation(
        {'orphan', 'left-orphan', 'stuck'}, 'As released, '
        'nova-api or a conductor that stops while it creates servers leaves '
        'those it has begun: the user deletes the ones that are shown, an '
        'operator deletes in Cinder the attachment of one that is not.',
        flow='multi-create', fault='crash*'),
    Explanation(
        {'left-stuck'}, 'As released, a conductor that stops before it '
        'deletes the request to build a server leaves the row, which nothing '
        'shows.', flow='multi-create', call='sql-delete(build_requests)*',
        fault='crash'),
    # What the host writes later is undone when it starts.
    *(Explanation({'stuck', 'allocation'}, _ON_ITS_WAY, flow='unshelve',
                  call=call, fault='crash')
      for call in ('sql-*(instance_actions)*', 'sql-update(instance_extra)',
                   'sql-update(instances)#2')),
    Explanation(
        {'unfired'}, 'The hosts build both servers at once, and which of them '
        'makes a transaction, and how many, differs from run to run.',
        flow='multi-create', call='sql-*'),
    Explanation({'device'}, _NOT_BUILT, flow='boot-ro'),
    Explanation({'device'}, _NOT_BUILT, flow='multi-create'),
    Explanation({'device'}, _GONE, call='attachment_*', fault='404'),
    Explanation(
        {'orphan'}, 'As released, the user deletes a server whose revert '
        'fails; the reservation that is kept while Cinder may be deleting an '
        'attachment goes with the clean-up after that.', flow='resize-revert',
        call='attachment_delete*'),
    Explanation(
        {'left-allocation'}, 'As released, deleting a server whose move '
        'failed leaves the allocations of the migration; "nova-manage '
        'placement audit" deletes them.', flow='resize*'),
)


def reason(case):
    """Return why all that a case broke is to be expected, or ``''``."""
    reasons = []
    for kind, _text in case.broken:
        found = next((explanation.reason for explanation in EXPLANATIONS
                      if explanation.fits(case, kind)), None)
        if found is None:
            return ''
        reasons.append(found)
    return ' '.join(dict.fromkeys(reasons))
