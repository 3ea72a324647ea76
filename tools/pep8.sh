#!/bin/sh
# Checks style, Tempest's idempotent ids and shell scripts.
# Usage: pep8.sh [PATH...]; the Python files to look at.
failed=0
flake8 "$@" || failed=1
check-uuid --package tempest_plugin || failed=1
bashate run .ci/run tools/*.sh devstack/plugin.sh devstack/settings \
    devstack/lib/* || failed=1
exit $failed
