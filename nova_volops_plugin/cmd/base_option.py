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
"""The option that names a base."""

from nova_volops_plugin.series import base as series_base


def add(parser, what='the base whose Nova is run'):
    """Add ``--base``, by default the one of the newest Nova.

    :param what: what it is, for the help
    """
    newest = series_base.default()
    parser.add_argument(
        '--base', metavar='BASE', default=newest,
        help='%s (default: %s)' % (what, newest))
