# SPDX-License-Identifier: Apache-2.0

"""A stand-in for DevStack, to run the plugin's phases in.

Only what DevStack itself would do is replaced: its functions, and the
installation of the tool. The plugin's files run as they are, in bash.
"""

import configparser
import os
import pathlib
import subprocess
import sys

import fixtures

PLUGIN = pathlib.Path(__file__).parents[2] / 'devstack'

# The functions of DevStack that the plugin calls, in their least form.
FUNCTIONS = r'''
function is_service_enabled { [[ ",$ENABLED_SERVICES," == *",$1,"* ]]; }
function is_ubuntu { [[ "$STUB_UBUNTU" == "1" ]]; }
function install_package { echo "install_package $*" >> "$STUB_CALLS"; }
function define_plugin { echo "define_plugin $*" >> "$STUB_CALLS"; }
function echo_summary { echo "SUMMARY $*"; }
function warn { shift; echo "WARNING $*" >&2; }
function die { shift; echo "ERROR $*" >&2; exit 1; }
function trueorfalse {
    case "${!2:-}" in
        1|[yY]es|YES|[tT]rue|TRUE) echo True ;;
        0|[nN]o|NO|[fF]alse|FALSE) echo False ;;
        *) echo "$1" ;;
    esac
}
function iniset {
    "$STUB_PYTHON" - "$@" <<'INISET'
import configparser
import sys
path, section, option, value = sys.argv[1:]
parser = configparser.RawConfigParser(default_section=None)
parser.read(path)
if not parser.has_section(section):
    parser.add_section(section)
parser.set(section, option, value)
with open(path, 'w') as file:
    parser.write(file)
INISET
}
'''

# Stands in for python3: its virtual environments hold the tool under test.
PYTHON = r'''#!/bin/bash
if [[ "$1" == "-m" && "$2" == "venv" ]]; then
    mkdir -p "$3/bin"
    echo '#!/bin/sh
echo "pip $*" >> "$STUB_CALLS"' > "$3/bin/pip"
    echo '#!/bin/sh
exec "$STUB_PYTHON" -m nova_volops_plugin.cmd.app "$@"' > "$3/bin/nova-volops"
    chmod 755 "$3"/bin/*
    exit
fi
exec "$STUB_PYTHON" "$@"
'''


class DevStack(fixtures.Fixture):
    """One DevStack: its folders, and its phases.

    :param nova: the folder of its Nova, None for one without Nova
    :param services: the enabled services
    """

    def __init__(self, nova=None, services=('nova', 'tempest')):
        super().__init__()
        self.nova = nova
        self.services = services

    def _setUp(self):
        top = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.data, self.calls = top / 'data', top / 'calls'
        self.nova_conf = top / 'nova.conf'
        self.tempest_conf = top / 'tempest.conf'
        self.python = top / 'python-for-venv'
        self.python.write_text(PYTHON)
        self.python.chmod(0o755)
        self.data.mkdir()
        self.calls.touch()
        self.variables = {
            'DATA_DIR': self.data,
            'ENABLED_SERVICES': ','.join(self.services),
            'NOVA_CONF': self.nova_conf,
            'NOVA_DIR': self.nova or top / 'nova',
            'NOVA_VOLOPS_PYTHON': self.python,
            'STUB_CALLS': self.calls,
            'STUB_PYTHON': sys.executable,
            'STUB_UBUNTU': '0',
            'TEMPEST_CONFIG': self.tempest_conf,
        }

    def run(self, script, **variables):
        """Run bash after DevStack's functions and the plugin's settings.

        :param script: what to run, str
        :param variables: more of local.conf's localrc
        :returns: a :class:`subprocess.CompletedProcess` with text
        """
        environment = dict(os.environ)
        for name, value in dict(self.variables, **variables).items():
            environment[name] = str(value)
        return subprocess.run(
            ['bash', '-c', '%s\nsource "%s/settings"\n%s' % (
                FUNCTIONS, PLUGIN, script)],
            env=environment, cwd=self.data, capture_output=True, text=True)

    def phase(self, *arguments, **variables):
        """Run one phase, for example ``stack``, ``install``."""
        return self.run('source "%s/plugin.sh" %s' % (
            PLUGIN, ' '.join(arguments)), **variables)

    def called(self):
        """What was installed, a list of lines."""
        return self.calls.read_text().splitlines()

    @staticmethod
    def options(path):
        """Read what iniset wrote.

        :returns: a dict of sections, each a dict of str
        """
        parser = configparser.RawConfigParser(default_section=None)
        parser.read(path)
        return {section: dict(parser.items(section))
                for section in parser.sections()}
