# SPDX-License-Identifier: Apache-2.0

"""Makes Cinder return attachment lists that are empty or outdated."""

import collections
import copy

# What a list shows then.
EMPTY, LAGGING = 'empty', 'lagging'
FAULTS = (EMPTY, LAGGING)
LISTS = ('attachment_get_all', 'attachment_get_page')


class WrongLists:
    """Has one list of Nova's CinderStatusFixture show something else.

    :param rules: the fixture
    """

    def __init__(self, rules):
        self._rules = rules
        self._old = self._true = None

    def remember(self):
        """Have a list that lags behind show what is attached now."""
        self._old = copy.deepcopy(self._attachments)

    def begin(self, fault):
        """Show a wrong list until :meth:`end`, once."""
        old = self._old if fault == LAGGING else collections.defaultdict(dict)
        self._true = self._attachments
        self._attachments = copy.deepcopy(old)
        show = type(self._rules)._list_view

        def show_once(rows):
            self.end()
            return show(self._rules, rows)

        self._rules._list_view = show_once

    def end(self):
        """Show the true lists again."""
        if self._true is not None:
            self._attachments, self._true = self._true, None
            del self._rules._list_view

    @property
    def _attachments(self):
        return self._rules.base.volume_to_attachment

    @_attachments.setter
    def _attachments(self, rows):
        self._rules.base.volume_to_attachment = rows
