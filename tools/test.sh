#!/usr/bin/env bash
# Runs every check of this repository, or the steps that are named, those that
# fail fastest first. tools/stage.sh says how they end.
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

# tests FOLDER: what stestr counts. A run without a test proves nothing.
tests() {
    local rc
    export OS_TEST_PATH=./nova_volops_plugin/tests/$1
    # A fifth of the time of our tests is waiting.
    stestr run --concurrency $(($(nproc) + 1)) | tee "$stages/stestr"
    rc=${PIPESTATUS[0]}
    sed -nE 's/( \[[0-9.]+s\])? \.\.\. SKIPPED//
        T; s/^\{[0-9]+\} /skipped: /p' "$stages/stestr"
    awk -F ': ' '
        /^ - [A-Z][A-Za-z ]*: [0-9]+$/ { count[substr($1, 4)] = $2 }
        END {
            passed = count["Passed"] + count["Expected Fail"]
            failed = count["Failed"] + count["Unexpected Success"]
            if (passed + failed + count["Skipped"])
                printf "stestr: %d passed, %d failed, %d skipped\n",
                    passed, failed, count["Skipped"]
        }' "$stages/stestr"
    if grep -Eq '^ - (Failed|Unexpected Success): [1-9]' "$stages/stestr"; then
        stestr failing --list | sed 's/^/failed: /'
    fi
    return "$rc"
}

# sphinx STEP FOLDER: warnings are errors.
sphinx() {
    stage "$1" checks \
        "sphinx-build -W --keep-going -q -b html $2/source $2/build/html"
}

step() {
    case $1 in
    pep8) stage "$1" checks tools/pep8.sh ;;
    lint | verify) stage "$1" checks "nova-volops patch $1" ;;
    unit | functional) stage "$1" tests "$1" ;;
    nova-*) stage "$1" nova-volops patch test --sample "${1#nova-}" ;;
    docs) sphinx docs doc ;;
    api-ref | releasenotes) sphinx "$1" "$1" ;;
    esac
}

steps='pep8 lint verify unit docs api-ref releasenotes functional'
for folder in nova-patches/*/; do
    steps+=" nova-$(basename "$folder")"
done
for name; do
    if [[ " $steps " != *" $name "* ]]; then
        echo "there is no step '$name'; the steps are: $steps" >&2
        exit 2
    fi
done
for name in ${*:-$steps}; do
    step "$name"
done
total
