#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures line and toggle coverage of the Verilog in the lockstep tests. Each block runs alone, at its points tagged cosim. Verilator counts,
# and counts are summed over points and instances (docs/results/verification.md).
#   tb/coverage/rtl.sh --list [BLOCK]...           lists the points
#   tb/coverage/rtl.sh [--report] [BLOCK]...      default: all blocks of cmodel/blocks.def;  --report only writes reports of earlier runs
# CYCLES=n        cycles per point (default 40000; the tests run more)      JOBS=n  parallel points (default 2)
# OUT=folder      default build/coverage                         MEMTWIN_RTL=folder  other Verilog
# Writes OUT/rtl.txt and OUT/rtl.json. Lines of tb/coverage/explained.txt explain holes. The exit code is 1 if a hole is not explained.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. tb/harness/blocks.bash
. tb/progress.bash
CYCLES=${CYCLES:-40000}
JOBS=${JOBS:-2}
OUT=${OUT:-build/coverage}
MEMTWIN=${MEMTWIN:-build/memtwin}
root=${MEMTWIN_RTL:+${MEMTWIN_RTL%/rtl}/}
export CYCLES OUT MEMTWIN
export MEMTWIN_TWINS=$OUT/twins
# Signals wider than 128 bits are covered at points where they are narrower, since a counter per bit would take most of the run time.
export TWIN_VFLAGS='--coverage-line --coverage-toggle --coverage-max-width 128' TWIN_CFLAGS=-O0

die() {
    echo "coverage: $*" >&2
    exit 1
}

one_point() { # BLOCK POINT
    local log
    log=$(mktemp "$OUT/raw/log.XXXXXX")
    progress "$1 $2"
    MEMTWIN_COVERAGE=$OUT/raw/$1 "$MEMTWIN" cosim "$1" $(printf -- ' -p %s' $2 | sed 's/^ -p $//') --cycles "$CYCLES" --seed 11 >"$log" 2>&1 || {
        echo "coverage: $1 $2: $(tail -n 1 "$log")" >&2
        return 1
    }
    rm "$log"
}
export -f one_point progress

# merge BLOCK: merges the counters of all points into one file. Module parameters and instance paths are removed from counter names. A bit
# that has changed once has only left its power-up state, 0, so it counts as not changing. Observers are not counted.
merge() {
    local soh=$'\001' stx=$'\002'
    sed -i -E "/${soh}f${stx}[^$soh]*_observe\.v$soh/d; s|(${soh}f${stx})[^$soh]*rtl/([^/]*/[^/]*$soh)|\1rtl/\2|; /${stx}v_toggle/s/' 1\$/' 0/; s|(${soh}page${stx}v_[a-z]+/[A-Za-z0-9_]+)__[A-Za-z0-9_]*|\1|; s|${soh}h${stx}[^${soh}']*||" "$OUT/raw/$1"/*.dat
    verilator_coverage --write "$OUT/raw/$1.dat" "$OUT/raw/$1"/*.dat >/dev/null
}

run_all() {
    progress_begin coverage "$(for block in "$@"; do points cosim "$block"; done | wc -l)" "$OUT/progress"
    for block in "$@"; do
        rm -rf "$OUT/raw/$block" "$OUT/raw/$block.dat"
        [ -n "$(points cosim "$block")" ] || die "no point of $block is tagged cosim"
        mkdir -p "$OUT/raw/$block"
        parameters cosim "$block" | sed "s/^/$block\t/"
    done | tr '\t\n' '\0\0' | xargs -0 -n 2 -P "$JOBS" bash -c 'one_point "$1" "$2"' _ || die "a run failed"
    for block in "$@"; do merge "$block"; done
}

# counts BLOCK...: prints the counts of each block and of all blocks together
counts() {
    local block
    for block in "$@"; do awk -v root="$root" -v block="$block" -f tb/coverage/rtl.awk "$OUT/raw/$block.dat"; done | grep '^file'
    verilator_coverage --write "$OUT/raw/all.dat" $(printf -- "$OUT/raw/%s.dat " "$@") >/dev/null
    awk -v root="$root" -v block=all -f tb/coverage/rtl.awk "$OUT/raw/all.dat"
}

show_help "$@"
for n in "$CYCLES" "$JOBS"; do [[ $n =~ ^[1-9][0-9]*$ ]] || die "CYCLES and JOBS must be positive integers, not '$n'"; done
if [ "${1:-}" = --list ]; then points cosim "${@:2}"; exit; fi
run=y all=
[ "${1:-}" != --report ] || { run=; shift; }
[ $# -gt 0 ] || { all=1; set -- $(blocks); }
for block in "$@"; do reason=$(check_block "$block") || die "$reason"; done
reason=$(check_rtl "$@") || die "$reason"
for tool in verilator verilator_coverage jq; do command -v $tool >/dev/null || die "$tool is not installed"; done
mkdir -p "$OUT"
rm -f "$OUT"/rtl.*
[ -z "$run" ] || run_all "$@"
counts "$@" >"$OUT/rtl.counts"
tb/coverage/report.sh rtl lines,arms,bits "$OUT" tb/coverage/explained.txt "$all"
