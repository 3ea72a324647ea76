# For tools/test.sh and .ci/run: 'stage' runs something that ends with a line
# 'NAME: N passed, N failed, N skipped', 'total' ends with the sum of these.

stages=$(mktemp -d) || exit 2
trap 'rm -rf "$stages"' EXIT
# Without it the next stage would begin where one ends by itself.
trap 'exit 130' INT
: > "$stages/results"
: > "$stages/reasons"

# What a processor has idled on average since the machine started, in seconds;
# waiting for a disk is idling too.
idled() {
    awk -v ticks="$(getconf CLK_TCK)" -v processors="$(nproc --all)" \
        '$1 == "cpu" { print int(($5 + $6) / ticks / processors) }' /proc/stat
}

# How many stages there will be, where that is known, and how many began.
planned=
begun=0

# stage NAME COMMAND...: run it, note its last line of counts and its lines
# 'failed: WHAT' and 'skipped: WHY'. One that ends without counts, or fails
# though they do not say so, failed; 77 is the exit code of what is skipped.
stage() {
    local name=$1 start=$SECONDS idle counts rc
    idle=$(idled)
    shift
    begun=$((begun + 1))
    echo "== $name${planned:+ ($begun of $planned, after $SECONDS s)}: $*"
    "$@" </dev/null | tee "$stages/out"
    rc=${PIPESTATUS[0]}
    counts=$(sed -nE \
        's/^.*: ([0-9]+ passed, [0-9]+ failed, [0-9]+ skipped)$/\1/p' \
        "$stages/out" | tail -n 1)
    # A claim of the demo is the row of a table.
    grep -E '^(failed|skipped): |^\|.* \| failed +\|' "$stages/out" \
        >> "$stages/reasons"
    case $rc:$counts in
    77:*skipped | 0:*failed* | *:*' '[1-9]*' failed,'*) ;;
    *)
        echo "failed: $name ended with exit code $rc and" \
            "${counts:-no counts}" >> "$stages/reasons"
        counts='0 passed, 1 failed, 0 skipped'
        ;;
    esac
    echo "$counts" >> "$stages/results"
    echo "$name took $((SECONDS - start)) s;" \
        "a processor idled for $(($(idled) - idle)) s of them"
    echo "$name: $counts"
}

# Say what was skipped and what failed, and the sum; fail if something did.
total() {
    LC_ALL=C sort -u -k 1,1r -k 2 "$stages/reasons"
    awk '
        { passed += $1; failed += $3; skipped += $5 }
        END {
            printf "volops: %d passed, %d failed, %d skipped\n",
                passed, failed, skipped
            exit failed > 0
        }' "$stages/results"
}
