# SPDX-License-Identifier: Apache-2.0
# What experiment scripts share: many runs of the program, some at a time. Source it from the root.

MEMTWIN=${MEMTWIN:-build/memtwin}

# The L1D's DL-MSHR of Gu and Chen: 128 sets of two slots, any of which can be a head.
export PAPER_DL="-s l1d.mshr=dl -s l1d.dl_sets=128 -s l1d.dl_slots=2 -s l1d.dl_reserved_heads=64 -s l1d.dl_pools=shared"

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

# anew OUT WORKLOAD...: OUT holds no result of these from now on but of the runs that are asked for. With REUSE=1 those that are there lie
# in OUT/before, where run_all looks for them.
anew() {
    local out=$1 w file
    for w in "${@:2}"; do
        for file in "$out/${w//[:,]/-}".*; do
            if [ -z "${REUSE:-}" ] || [ ! -f "$file" ] || [ -L "$file" ]; then
                rm -f "$file"
            else
                mkdir -p "$out/before"
                mv "$file" "$out/before"
            fi
        done
    done
}

# stands_for FILE OPTIONS: FILE is the result of that run, whole or cut off at sim.max_cycles, which is the same each time. Its identity
# says so, but for what changes no statistic: whether there were twins (of the Verilog of today: that of a commit), the data check, and details.
stands_for() {
    local identity
    identity=$("$MEMTWIN" run $2 --identity 2>&1) && jq -e --arg identity "$identity" --arg options " $2 " '
        def wanted(option): $options | test(" --" + option + " ");
        .identity == $identity and (.end == "cut_off" or (.end == "done" and .complete != false))
            and .check.enabled == wanted("check") and has("detail") == wanted("detail") and (.lockstep.twins > 0) == wanted("twin")
            and ((wanted("twin") | not) or (.version | endswith(", clean)")))' "$1" >/dev/null 2>&1
}

# run_one FILE.json OPTIONS: REUSE=1: unless there is a result of that run
run_one() {
    local name=${1%.json} before=${1%/*}/before/${1##*/}
    if [ -n "${REUSE:-}" ]; then
        [ -e "$1" ] || [ ! -e "$before" ] || mv "$before" "$1"
        [ ! -s "$1" ] || ! stands_for "$1" "$2" || return 0
    fi
    rm -f "$1" "$before"
    if "$MEMTWIN" run $2 --json "$1" -q >"$name.log" 2>&1; then
        echo "  done: ${name##*/}" >&2
    else
        echo "FAILED ($?): $2" >&2
        head -n 40 "$name.log" >&2
        return 1
    fi
}

# stdin: a run a line: FILE.json<TAB>options of `memtwin run`. JOBS=n: so many at a time (default 2). REUSE=1: what is there, of the same
# configuration, workload or trace, and program, is not run again, to go on after an interruption. Fails if one fails.
run_all() {
    export MEMTWIN
    export -f stands_for run_one
    tr '\t\n' '\0\0' | xargs -0 -r -n 2 -P "${JOBS:-2}" bash -c 'run_one "$@"' _
}
