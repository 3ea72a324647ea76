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

"""Lets one process at a time make or change a thing of the state folder."""

import contextlib
import fcntl


@contextlib.contextmanager
def hold(path, progress=lambda text: None):
    """Hold a lock file; wait while another process holds it.

    The kernel lets go of it however the process ends.

    :param path: the lock file's :class:`pathlib.Path`; made when missing
    :param progress: called with one line of text before waiting
    """
    with open(path, 'a') as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress('waiting for another process that works on %s' %
                     path.stem.lstrip('.'))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
