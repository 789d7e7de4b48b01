# SPDX-License-Identifier: Apache-2.0
# What experiment scripts share: many runs of the program, some at a time. Source it from the root.

MEMTWIN=${MEMTWIN:-build/memtwin}

# All workloads at their default sizes.
all_workloads() {
    "$MEMTWIN" list workloads | awk '/^[a-z0-9]/ { print $1 }'
}

# workloads_exist WORKLOAD[:SIZE]...: fails if the program has no such one
workloads_exist() {
    local w
    for w in "$@"; do
        all_workloads | grep -qx "${w%%:*}" || {
            echo "no workload '$w' (see $MEMTWIN list workloads)" >&2
            exit 1
        }
    done
}

# Where the results of a run are: result OUT WORKLOAD VARIANT
result() {
    echo "$1/${2//[:,]/-}.$3.json"
}

# For a script that has $CONFIG, $OUT, an array WORKLOADS, and a function `options_of WORKLOAD SCHEME`, the keys that differ:
# the lines for run_all; a figure of a run; a command for each kernel.
runs() { # WORKLOAD SCHEME...
    local w=$1 s
    shift
    for s in "$@"; do
        printf '%s\t%s\n' "$(result "$OUT" "$w" "$s")" "-c $CONFIG -w $w $(options_of "$w" "$s" | xargs)"
    done
}
value() { # WORKLOAD SCHEME FILTER
    jq -r "$3" "$(result "$OUT" "$1" "$2")"
}
each() { # COMMAND...
    local w
    for w in "${WORKLOADS[@]}"; do "$@" "$w"; done
}

# stdin: a run a line: FILE.json<TAB>options of `memtwin run`. JOBS=n: so many at a time (default 2). REUSE=1: what is there is not run
# again, to go on after an interruption. Fails if one fails.
run_all() {
    tr '\t\n' '\0\0' | xargs -0 -r -n 2 -P "${JOBS:-2}" bash -c '
        name=${1%.json}
        [ -z "${REUSE:-}" ] || [ ! -s "$1" ] || exit 0
        rm -f "$1"
        if '"$MEMTWIN"' run $2 --json "$1" -q >"$name.log" 2>&1; then
            echo "  done: ${name##*/}" >&2
        else
            echo "FAILED ($?): $2" >&2
            head -n 40 "$name.log" >&2
            exit 1
        fi' _
}
