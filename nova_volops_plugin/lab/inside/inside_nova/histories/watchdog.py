# SPDX-License-Identifier: Apache-2.0

"""Ends the process if a step of a history hangs."""

import contextlib
import faulthandler
import os
import sys
import threading
import time

# However busy the machine is, no step takes so long.
STEP_SECONDS = 300


@contextlib.contextmanager
def watched(batch, tell):
    """Watch a batch as long as the context lasts.

    :param batch: a :class:`batch.Batch`
    :param tell: called with its result where a step does not end, before
        the process ends; where all threads are goes to stderr
    """
    over = threading.Event()

    def watch():
        before, since = None, 0
        while not over.wait(1):
            now = batch.progress()
            if now != before:
                before, since = now, time.monotonic()
            elif time.monotonic() - since > STEP_SECONDS:
                faulthandler.dump_traceback(sys.__stderr__, all_threads=True)
                batch.give_up()
                tell(batch.result())
                os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()
