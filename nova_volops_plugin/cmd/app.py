# SPDX-License-Identifier: Apache-2.0

"""nova-volops: the command line."""

import importlib.metadata
import logging
import signal
import sys

from cliff import app
from cliff import commandmanager
import pbr.version

from nova_volops_plugin import child
from nova_volops_plugin.cmd import progress
from nova_volops_plugin import exceptions
from nova_volops_plugin import state

PACKAGE = 'nova_volops_plugin'
LAB = 'lab '


class Commands(commandmanager.CommandManager):
    """Imports a command's modules when that command runs, not before.

    cliff's own imports those of all commands, an SDK among them, each time.
    """

    def load_commands(self, namespace):
        self.group_list.append(namespace)
        for entry in importlib.metadata.entry_points(group=namespace):
            self.commands[entry.name.replace('_', ' ')] = entry

    def __iter__(self):
        # The names that commands of the lab had before are not shown.
        return ((name, entry) for name, entry in self.commands.items()
                if LAB + name not in self.commands)


class _NothingAsked(BaseException):
    """There is no command on the command line."""


class VolopsApp(app.App):
    """Hands each command the state folder and maps errors to exit codes."""

    # What cliff logs its errors with.
    LOG = logging.getLogger(PACKAGE + '.cmd.app')

    def __init__(self):
        super().__init__(
            description='Volume features for released Novas, as patches',
            version=pbr.version.VersionInfo('nova-volops').version_string(),
            command_manager=Commands('nova_volops.commands'),
            deferred_help=True)
        self.state = None
        self.words = None
        self.error = None

    def build_option_parser(self, description, version, argparse_kwargs=None):
        # An option of a command can begin as one of these does.
        parser = super().build_option_parser(
            description, version, dict(argparse_kwargs or {},
                                       allow_abbrev=False))
        parser.add_argument(
            '--state-dir',
            metavar='DIR',
            help='where downloads, trees, environments and clouds are kept '
                 '(default: $%s, else the XDG cache folder)' %
                 state.ENVIRONMENT_VARIABLE)
        return parser

    def configure_logging(self):
        super().configure_logging()
        # Other libraries have a say where the user wants more.
        console = logging.getLogger().handlers[-1]
        console.addFilter(lambda record: self.options.verbose_level > 1 and
                          not record.name.startswith(PACKAGE))
        own = logging.getLogger(PACKAGE)
        own.setLevel(logging.INFO)
        own.handlers[:] = [progress.Handler(
            self.stderr, not self.options.verbose_level)]

    def initialize_app(self, argv):
        self.state = state.StateDir(self.options.state_dir)

    def run(self, argv):
        try:
            return super().run(argv)
        except _NothingAsked:
            self.parser.print_help(self.stderr)
            self.stderr.write('\nCommands:\n' + self._commands(''))
            return exceptions.BadInput.exit_code

    def interact(self):
        # A shell of its own is what nobody has asked for.
        raise _NothingAsked

    def run_subcommand(self, argv):
        self.error = None
        self.words = list(argv)
        group = self._commands(' '.join(argv))
        if group and ' '.join(argv) not in self.command_manager.commands:
            self.stderr.write('say which command:\n' + group)
            return exceptions.BadInput.exit_code
        try:
            result = super().run_subcommand(argv)
        except ModuleNotFoundError as error:
            # A client's installation has the program, and not all it needs.
            if error.name.startswith(PACKAGE):
                raise
            self.LOG.error(
                '%s is not installed; install all that the tool needs by '
                'pip install "nova-volops[tool]"', error.name)
            return exceptions.VolopsError.exit_code
        except KeyboardInterrupt as interrupt:
            return 128 + (interrupt.args or [signal.SIGINT])[0]
        return getattr(self.error, 'exit_code', result)

    def _commands(self, group):
        """Return a line for each command of a group, of all for ''."""
        return ''.join(
            '  nova-volops %s\n' % name
            for name, _entry in sorted(self.command_manager)
            if not group or name.startswith(group + ' '))

    def prepare_to_run_command(self, cmd):
        # argparse takes what follows an option for nothing where all that
        # came before it could do without.
        make = cmd.get_parser

        def get_parser(prog_name):
            parser = make(prog_name)
            parser.parse_args = parser.parse_intermixed_args
            return parser

        cmd.get_parser = get_parser

    def clean_up(self, cmd, result, err):
        # cliff shows a command's error and makes every one exit code 1.
        self.error = err


def _stop(number, _frame):
    # What was started is stopped on the way out, once: tox sends a Ctrl-C of
    # the terminal again.
    for each in child.STOPPED_BY:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt(number)


def main(argv=None):
    for each in child.STOPPED_BY:
        signal.signal(each, _stop)
    return VolopsApp().run(sys.argv[1:] if argv is None else argv)


if __name__ == '__main__':
    sys.exit(main())
