#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Line and toggle coverage of the Verilog under the lockstep tests: each block alone, at its points tagged cosim,
# counted by Verilator, summed over points and instances. docs/results/verification.md says how to read it.
#   tb/coverage/rtl.sh --list [BLOCK]...           the points alone
#   tb/coverage/rtl.sh [--report] [BLOCK]...      default: all of cmodel/blocks.def;  --report: only writes reports of earlier runs
# CYCLES=n        cycles of each point (default 40000; the tests run more)  JOBS=n  points at a time (default 2)
# OUT=folder      default build/coverage                         MEMTWIN_RTL=folder  other Verilog
# Reports: OUT/rtl.txt, OUT/rtl.json. A hole is explained by a line of tb/coverage/explained.txt. Exit code 1 if one is not.
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
# Wider signals are left to the points at which they are narrower: a counter for each bit of them would take most of the time.
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

# merge BLOCK: one file of all points. A module's parameters and the place of an instance are taken out of a counter's name. A bit that
# has changed once only has left its power-up state, 0: it counts as standing still.
merge() {
    local soh=$'\001' stx=$'\002'
    sed -i -E "s|(${soh}f${stx})[^$soh]*rtl/([^/]*/[^/]*$soh)|\1rtl/\2|; /${stx}v_toggle/s/' 1\$/' 0/; s|(${soh}page${stx}v_[a-z]+/[A-Za-z0-9_]+)__[A-Za-z0-9_]*|\1|; s|${soh}h${stx}[^${soh}']*||" "$OUT/raw/$1"/*.dat
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

# counts: of each block, and of all together
counts() {
    local block
    for block in "$@"; do awk -v root="$root" -v block="$block" -f tb/coverage/rtl.awk "$OUT/raw/$block.dat"; done | grep '^file'
    verilator_coverage --write "$OUT/raw/all.dat" $(printf -- "$OUT/raw/%s.dat " "$@") >/dev/null
    awk -v root="$root" -v block=all -f tb/coverage/rtl.awk "$OUT/raw/all.dat"
}

if [ "${1:-}" = --help ]; then awk 'NR > 2 && !/^#/ { exit } NR > 2 { sub(/^# ?/, ""); print }' tb/coverage/rtl.sh && exit; fi
for n in "$CYCLES" "$JOBS"; do [[ $n =~ ^[1-9][0-9]*$ ]] || die "CYCLES and JOBS are numbers above 0, and '$n' is none"; done
if [ "${1:-}" = --list ]; then points cosim "${@:2}"; exit; fi
run=y all=
[ "${1:-}" != --report ] || { run=; shift; }
[ $# -gt 0 ] || { all=1; set -- $(blocks); }
for block in "$@"; do blocks | grep -qx -- "$block" || die "no block or option $block"; done
for tool in verilator verilator_coverage jq; do command -v $tool >/dev/null || die "$tool is not installed"; done
mkdir -p "$OUT"
rm -f "$OUT"/rtl.*
[ -z "$run" ] || run_all "$@"
counts "$@" >"$OUT/rtl.counts"
tb/coverage/report.sh rtl lines,arms,bits "$OUT" tb/coverage/explained.txt "$all"
