#!/usr/bin/env bash
# Runs the checks of this repository, those that fail fastest first.
# Usage: test.sh [--all|--rest] [--within SECONDS] [STEP...]
# Without an option they are what ends within a quarter of an hour: of the
# long ones a sample, another one with each commit. After SECONDS no step
# begins, those that are left are skipped; which ones these are differs from
# commit to commit. tools/stage.sh says how they end.
set -u
cd "$(dirname "$0")/.." || exit 2
. tools/stage.sh

# checks COMMAND...: one check each.
checks() {
    local command passed=0 failed=0
    for command; do
        if $command; then
            passed=$((passed + 1))
        else
            echo "failed: $command ended with exit code $?"
            failed=$((failed + 1))
        fi
    done
    echo "checks: $passed passed, $failed failed, 0 skipped"
}

# sphinx STEP FOLDER: warnings are errors.
sphinx() {
    stage "$1" checks \
        "sphinx-build -W --keep-going -q -b html $2/source $2/build/html"
}

too_late() {
    echo "skipped: $1: time: the steps were given $within s"
    echo "$1: 0 passed, 0 failed, 1 skipped"
}

step() {
    case $1 in
    pep8) stage "$1" checks tools/pep8.sh ;;
    lint | verify) stage "$1" checks "nova-volops patch $1" ;;
    unit) stage "$1" python tools/own_tests.py unit ;;
    functional)
        stage "$1" python tools/own_tests.py \
            ${within:+--within $((within - SECONDS))} "$1" "$part"
        ;;
    nova-*)
        stage "$1" nova-volops patch test --sample "$part" "${1#nova-}"
        ;;
    docs) sphinx docs doc ;;
    api-ref | releasenotes) sphinx "$1" "$1" ;;
    esac
}

part=first
case ${1:-} in
--all | --rest)
    part=${1#--}
    shift
    ;;
esac
within=
if [ "${1:-}" = --within ]; then
    within=${2:-}
    if ! [[ $within =~ ^[0-9]+$ ]]; then
        echo "--within wants a number of seconds, not '$within'" >&2
        exit 2
    fi
    shift 2
fi
whole='pep8 lint verify docs api-ref releasenotes unit'
sampled='functional'
for folder in nova-patches/*/; do
    sampled+=" nova-$(basename "$folder")"
done
steps="$whole $sampled"
for name; do
    if [[ " $steps " != *" $name "* ]]; then
        echo "there is no step '$name'; the steps are: $steps" >&2
        exit 2
    fi
done
# What the first part runs whole leaves nothing.
[ $# -gt 0 ] || set -- $([ $part = rest ] || echo $whole) $sampled
[ -z "$within" ] ||
    set -- $(shuf --echo "$@" --random-source=<(
        yes "$(git rev-parse 'HEAD^{tree}' 2>&1)"))
planned=$#
for name; do
    if [ -n "$within" ] && [ $SECONDS -ge "$within" ]; then
        stage "$name" too_late "$name"
    else
        step "$name"
    fi
done
total
