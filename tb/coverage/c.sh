#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures line coverage of the C model, its harness and the program with gcc and gcovr, in the C tests and in scripts that run the program.
#   tb/coverage/c.sh [--report] [TEST]...
# TEST is ROOM/test_X, a script of tests/, or driver-BLOCK (the block's random driver with the model alone, at the points of its lockstep test).
# The default is all C tests, the scripts below and all drivers.    --report only writes reports of earlier runs.
# OUT=folder   default build/coverage      JOBS=n   parallel tests (default 2)      CYCLES=n   cycles of a driver at a point (default 100000)
# Writes OUT/c.txt and OUT/c.json (docs/results/verification.md). The exit code is 1 if a hole is not explained.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. tb/harness/blocks.bash
. tb/progress.bash
export OUT=${OUT:-build/coverage}
export CYCLES=${CYCLES:-100000}
JOBS=${JOBS:-2}
SCRIPTS=(tests/cli/{config,cosim,detail,documents,errors,help,interrupt,json,mismatch,pages,plants,progress,record,repeat,reuse,screen}.sh tests/dram/cmd_dram.sh tests/gmmu/lockstep.sh tests/harness/library.sh
    tests/mutation/engine.sh tests/sm/schedulers.sh tests/trace/{exported,run_trace,twins}.sh tests/uvm/{paged,plants}.sh)

die() {
    echo "coverage: $*" >&2
    exit 1
}

everything() {
    printf '%s\n' tests/*/test_*.c | sed 's|^tests/||; s|[.]c$||'
    printf '%s\n' "${SCRIPTS[@]}"
    blocks | sed 's/^/driver-/'
}

driver() {
    local point
    parameters cosim "$1" | while read -r point; do
        build/gcov/memtwin cosim "$1" $(printf -- ' -p %s' $point | sed 's/^ -p $//') --model-only --cycles "$CYCLES" --seed 11 || return 1
    done
}

one_test() {
    local log=$OUT/c-logs/${1//\//-}.log
    progress "$1"
    case $1 in
    driver-*) driver "${1#driver-}" ;;
    *.sh) MEMTWIN=build/gcov/memtwin bash "$1" ;;
    *) "build/gcov/tests/$1" ;;
    esac >"$log" 2>&1 </dev/null || { echo "coverage: $1 failed: $log" >&2; return 1; }
}
export -f one_test driver points parameters progress

# run_all TEST...: runs the tests, whose counters go to $counts, beside gcc's notes for the objects
run_all() {
    local t targets=(build/gcov/memtwin)
    for t in "$@"; do
        case $t in */test_*) targets+=("build/gcov/tests/$t") ;; esac
    done
    make -s -j"$JOBS" "${targets[@]}" >"$OUT/gcov.log" 2>&1 || die "the build failed: $OUT/gcov.log"
    rm -rf "$counts" "$OUT/c-logs"
    mkdir -p "$counts" "$OUT/c-logs"
    find build/gcov/obj -name '*.gcno' -print0 | xargs -0 cp --parents -t "$counts"
    progress_begin coverage $# "$OUT/progress"
    GCOV_PREFIX=$counts GCOV_PREFIX_STRIP=$(tr -cd / <<<"$PWD" | wc -c) xargs -0 -n 1 -P "$JOBS" bash -c 'one_test "$1"' _ < <(printf '%s\0' "$@") ||
        die "a test failed"
}

show_help "$@"
for n in "$CYCLES" "$JOBS"; do [[ $n =~ ^[1-9][0-9]*$ ]] || die "CYCLES and JOBS must be positive integers, not '$n'"; done
run=y all=
[ "${1:-}" != --report ] || { run=; shift; }
[ $# -gt 0 ] || { all=1; set -- $(everything); }
known=$(everything)
for t in "$@"; do grep -qxF -- "$t" <<<"$known" || [[ $t == tests/*.sh && -e $t ]] || die "no test $t"; done
command -v gcovr >/dev/null || die "gcovr is not installed"
mkdir -p "$OUT"
counts=$(realpath "$OUT")/gcda
rm -f "$OUT"/c.*
[ -z "$run" ] || run_all "$@"
gcovr -r . --object-directory . -f cmodel/ -f tb/ -f sim/ --json "$OUT/gcovr.json" "$counts" >"$OUT/gcovr.log" 2>&1 || die "gcovr failed: $OUT/gcovr.log"
{
    jq -r --arg block all -f tb/coverage/c.jq "$OUT/gcovr.json"
    # each room, which is cmodel/X, tb/X, sim or sim/X, counts as a block here
    jq -r --arg block all -f tb/coverage/c.jq "$OUT/gcovr.json" | grep '^file' |
        awk -F '\t' -v OFS='\t' '{ n = split($3, p, "/"); $2 = n > 2 ? p[1] "/" p[2] : p[1]; print }'
} | awk -f tb/coverage/c.awk >"$OUT/c.counts"
tb/coverage/report.sh c lines "$OUT" tb/coverage/explained_c.txt "$all"
