# SPDX-License-Identifier: Apache-2.0

"""What the other threads of this process do."""

import contextlib
import pathlib
import sys
import threading

# Threads in these functions of futurist, the fake driver of oslo.messaging and
# the loops of oslo.service wait for work.
_IDLE = {'_wait_for_work', 'poll', '_sleep'}
# No more is above such a function.
_FRAMES = 4


def run():
    """Return whether one runs, or would on a machine that is not busy.

    Threads that wake up only to see that there is no work do not count.
    """
    frames = sys._current_frames()
    return any(
        thread is not threading.current_thread() and
        _state(thread) in ('R', 'D') and
        not _is_idle(frames.get(thread.ident))
        for thread in threading.enumerate())


def _state(thread):
    path = pathlib.Path('/proc/self/task/%s/stat' % thread.native_id)
    with contextlib.suppress(OSError):
        # The name before it may have any characters.
        return path.read_text().rpartition(') ')[2][:1]


def _is_idle(frame):
    for _depth in range(_FRAMES):
        if frame is None:
            return False
        if frame.f_code.co_name in _IDLE:
            return True
        frame = frame.f_back
    return False
