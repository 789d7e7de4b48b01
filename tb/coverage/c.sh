#!/bin/bash
# Line coverage of the C model, its harness and the program, by gcc and gcovr: the C tests, and scripts that run the program.
#   tb/coverage/c.sh              builds, runs, reports
#   tb/coverage/c.sh --report     only reports, of what has been run
# OUT=folder   default build/coverage      JOBS=n   tests at a time (default 2)
# Reports: OUT/c.txt, OUT/c.json. docs/results/coverage.md says how to read them.
set -euo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-build/coverage}
JOBS=${JOBS:-2}
GCOV=build/gcov
SCRIPTS=(tests/cli/{cosim,detail,errors,help,json,mismatch,plants}.sh tests/dram/cmd_dram.sh
    tests/gmmu/lockstep.sh tests/sm/schedulers.sh tests/trace/{exported,run_trace}.sh tests/uvm/plants.sh)

die() {
    echo "coverage: $*" >&2
    exit 1
}

# driver BLOCK: the block's random driver at the points of its lockstep test, the model alone
driver() {
    local point
    sed -n "/<<'POINTS'/,/^POINTS/p" "tests/$1/cosim.sh" | sed '1d;$d' | while read -r point; do
        build/gcov/memtwin cosim "$1" $(printf -- '-p %s ' $point) --model-only --cycles 100000 --seed 11 || return 1
    done
}

one_test() {
    echo "coverage: $1" >&2
    case $1 in
    driver-*) driver "${1#driver-}" ;;
    *.sh) MEMTWIN=build/gcov/memtwin bash "$1" ;;
    *) "$1" ;;
    esac >"$LOGS/${1//\//-}.log" 2>&1 || { echo "coverage: $1 failed: $LOGS/${1//\//-}.log" >&2; return 1; }
}
export -f one_test driver

run_all() {
    make -s -j"$JOBS" gcov >"$OUT/gcov.log" 2>&1 || die "the build failed: $OUT/gcov.log"
    find $GCOV -name '*.gcda' -delete
    export LOGS=$OUT/c-logs
    rm -rf "$LOGS"
    mkdir -p "$LOGS"
    printf '%s\0' $(find $GCOV/tests -name 'test_*' -type f -perm -u+x | sort) "${SCRIPTS[@]}" \
        $(sed -n 's/^BLOCK(\(.*\))/driver-\1/p' cmodel/blocks.def) |
        xargs -0 -n 1 -P "$JOBS" bash -c 'one_test "$1"' _ || die "a test failed"
}

mkdir -p "$OUT"
rm -f "$OUT"/c.*
[ "${1:-}" = --report ] || run_all
command -v gcovr >/dev/null || die "gcovr is not installed"
gcovr -r . --object-directory . -f cmodel/ -f tb/ -f sim/ --json "$OUT/gcovr.json" $GCOV/obj >"$OUT/gcovr.log" 2>&1 || die "gcovr failed: $OUT/gcovr.log"
{
    jq -r --arg block all -f tb/coverage/c.jq "$OUT/gcovr.json"
    # a room is a block here: cmodel/X, tb/X, sim, sim/X
    jq -r --arg block all -f tb/coverage/c.jq "$OUT/gcovr.json" | grep '^file' |
        awk -F '\t' -v OFS='\t' '{ n = split($3, p, "/"); $2 = n > 2 ? p[1] "/" p[2] : p[1]; print }'
} | awk -f tb/coverage/c.awk >"$OUT/counts"
awk -v all=1 -f tb/coverage/explain.awk tb/coverage/explained_c.txt <(grep '^hole' "$OUT/counts") >"$OUT/explained" || die "tb/coverage/explained_c.txt is not up to date"
tb/coverage/report.sh c lines "$OUT"
