# SPDX-License-Identifier: Apache-2.0

"""Identifies the files that a check reads, as the patches leave them.

A result is valid for a later tree if the two differ only in files that the
check does not read.
"""

import functools
import hashlib
import pathlib
import re

from nova_volops_plugin.series import combination

DOCS = r'(api-ref|doc/source|releasenotes)/'
_MODULE_OF = r'nova/tests/%s/(.*/)?test_\w+\.py$'
_TEST_MODULE = _MODULE_OF % '(unit|functional)'
# A cloud, and the unit tests, import fixtures and helpers of functional tests,
# but no module of them.
TESTS = DOCS + '|' + _TEST_MODULE
FUNCTIONAL_TESTS = DOCS + '|' + _MODULE_OF % 'functional'
NOTHING = r'(?!)'


def digest(base, topic, unread, own_tests=False):
    """Return 64 hexadecimal digits that differ when a file that is read does.

    The patches name the content of a file before and after them by its blob
    id. The rest of the tree is that of the release.

    :param base: the :class:`nova_volops_plugin.bases.base.Base`
    :param topic: the name of the only topic, with those that it needs, or None
    :param unread: a regular expression, which matches the start of each path
        that is not read
    :param own_tests: True if the topic's own tests are run without those of
        the topics that it needs
    :raises BadInput: the series or a patch is malformed
    """
    patches, own = _patches(base, topic)
    changes = [change for patch in patches for change in patch.changes]
    left_out = _tests_of_others(changes, own) if own_tests else ()
    found = hashlib.sha256(base.base_tree.encode())
    for change in changes:
        if change.path not in left_out and not re.match(unread, change.path):
            found.update(('%s %s %s\n' % (
                change.path, change.old, change.new)).encode())
    return found.hexdigest()


def _tests_of_others(changes, own):
    """Return the paths of added test modules that no patch of own names."""
    text = '\n'.join(line for patch in own for line in patch.lines)
    return {change.path for change in changes
            if change.creates and re.match(_TEST_MODULE, change.path) and
            pathlib.PurePosixPath(change.path).stem not in text}


@functools.lru_cache(maxsize=None)
def _patches(base, topic):
    """Return the patches of a tree, and those of the topic itself."""
    series = combination.Series(base)
    if topic is None:
        return series.all, series.all
    return (series.own(series.topics.with_needs([topic])),
            series.own([topic]))
