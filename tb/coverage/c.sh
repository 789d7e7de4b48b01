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
SCRIPTS=(tests/cli/{cosim,detail,documents,errors,help,json,kernels,lockstep_drive,mismatch,plants}.sh tests/dram/cmd_dram.sh
    tests/gmmu/lockstep.sh tests/harness/interrupts.sh tests/sm/schedulers.sh tests/trace/{exported,run_trace}.sh tests/uvm/plants.sh)

die() {
    echo "coverage: $*" >&2
    exit 1
}

one_test() {
    echo "coverage: $1" >&2
    case $1 in
    *.sh) MEMTWIN=build/gcov/memtwin bash "$1" ;;
    *) "$1" ;;
    esac >"$LOGS/${1//\//-}.log" 2>&1 || { echo "coverage: $1 failed: $LOGS/${1//\//-}.log" >&2; return 1; }
}
export -f one_test

run_all() {
    make -s -j"$JOBS" gcov >"$OUT/gcov.log" 2>&1 || die "the build failed: $OUT/gcov.log"
    find $GCOV -name '*.gcda' -delete
    export LOGS=$OUT/c-logs
    rm -rf "$LOGS"
    mkdir -p "$LOGS"
    printf '%s\0' $(find $GCOV/tests -name 'test_*' -type f -perm -u+x | sort) "${SCRIPTS[@]}" |
        xargs -0 -n 1 -P "$JOBS" bash -c 'one_test "$1"' _ || die "a test failed"
}

mkdir -p "$OUT"
rm -f "$OUT"/c.*
[ "${1:-}" = --report ] || run_all
command -v gcovr >/dev/null || die "gcovr is not installed"
gcovr -r . --object-directory . -f cmodel/ -f tb/ -f sim/ --json "$OUT/gcovr.json" $GCOV/obj >"$OUT/gcovr.log" 2>&1 || die "gcovr failed: $OUT/gcovr.log"
