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

"""What the tool raises: each error says what is wrong and how to mend it."""


class VolopsError(Exception):
    """A failure the user can mend; shown as one message, without a trace.

    :cvar exit_code: the process's exit code (see doc/source/reference).
    """

    exit_code = 1


class BadInput(VolopsError):
    """The request itself is wrong; nothing was changed."""

    exit_code = 127
