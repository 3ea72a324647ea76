# SPDX-License-Identifier: Apache-2.0

"""Starts the command line if its requirements are installed."""

import sys


def main():
    """Run the program; return its exit code."""
    try:
        from nova_volops_plugin.cmd import app
    except ImportError as error:
        if (error.name or '').startswith('nova_volops_plugin'):
            raise
        return ('nova-volops: %s is not installed; only the library and the '
                'OpenStackClient commands are. Install the tool by '
                'pip install "nova-volops[tool]"' % error.name)
    return app.main()


if __name__ == '__main__':
    sys.exit(main())
