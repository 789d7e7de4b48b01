#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lints the blocks with Icarus, Verilator and Yosys at the points tagged lint in rtl/BLOCK/block.points, with OBSERVE=0 and 1: both ends of each parameter and
# each pair of values of the options (tests/harness/points.sh), each arm of a generate. As Verilog-2005, and as SystemVerilog at the defaults. At the points
# tagged fpga_lockstep with MT_FPGA too.
# In tier test a point has OBSERVE=0 and 1 by turns, and Verilator sees those with 1; `make lint` takes all, as tests/rtl/lint_all.sh does.
# Silent when all is well; exit code 1 at the first complaint.
# tier: test, 70 s
#   tests/rtl/lint.sh [--all] [BLOCK]...            --all: the points tagged lint=full too, half of them as SystemVerilog, in Yosys, which takes longest, with
#                                                   OBSERVE=0 and 1 by turns; the benches and the contracts as both
#   tests/rtl/lint.sh --list [--all] [BLOCK]...     which points: BLOCK PARAM=VALUE... a line
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. tb/harness/blocks.bash

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
includes=$(printf -- '-I%s ' rtl/*/)
list='' all=''
[ "${1:-}" != --list ] || { list=1; shift; }
[ "${1:-}" != --all ] || { all=1; shift; }
known=$(blocks)
for block in "$@"; do grep -qx -- "$block" <<<"$known" || { echo "lint: no block '$block'" >&2; exit 1; }; done

fail() { # WHAT FILE
    echo "FAIL $1" >&2
    head -20 "$2" >&2
    exit 1
}

# chosen BLOCK [HALF]: its points: PARAM=VALUE... a line. With HALF those of --all alone have OBSERVE=0 and 1 by turns, in tier test all.
chosen() {
    points lint "$1" | awk -v all="$all" -v half="${2:-}" -v turns="$([ "${TIER:-}" = test ] && echo 1)" '
        $3 == "-" || all {
            left_out = turns || (half != "" && $3 != "-") ? n++ % 2 : -1
            sub(/^[^ ]+ [^ ]+ [^ ]+ ?/, "")
            for (o = 1; o >= 0; o--) if (o != left_out) print $0 ($0 == "" ? "" : " ") "OBSERVE=" o
        }'
}

# try WHAT COMMAND...: a word of output is as bad as a failure
try() {
    local what=$1
    shift
    if ! "$@" >"$tmp/out" 2>&1 || [ -s "$tmp/out" ]; then fail "$1: $what" "$tmp/out"; fi
}

# undeclared FILE...: fails if one of them uses a net above its declaration
undeclared() {
    awk -f tests/rtl/declared.awk "$@" >"$tmp/out"
    [ -s "$tmp/out" ]
}

check_declarations() {
    ! undeclared rtl/*/*.v || fail 'nets that are used above their declaration' "$tmp/out"
    sed '/wire .*fill_len;/d; $a wire fill_len;' rtl/cart/cart_queues.v | sed '/^endmodule/d' >"$tmp/late"
    undeclared "$tmp/late" || fail 'tests/rtl/declared.awk does not see a net that is declared too late' /dev/null
}

# arms of the generates of all Verilog, but those that refuse parameters: FILE NAME a line
arms() {
    awk '/^`ifdef FORMAL/, /^`endif/ { next }
        at && !/ILLEGAL_/ { print at }
        { at = "" }
        /begin *: *gen_/ { sub(/.*begin *: */, ""); sub(/[^A-Za-z0-9_].*/, ""); at = FILENAME " " $0 }' rtl/*/*.v
}

# elaborated FILE: the same of what Icarus has elaborated
elaborated() {
    awk -F '"' '
        /\.scope generate/ { name = $2; sub(/\[.*/, "", name); split($5, place, " "); arm[place[1], name] }
        /^:file_names/ { names = 1; next }
        names && NF > 1 { file[n++] = $2 }
        END { for (key in arm) { split(key, is, SUBSEP); print file[is[1]], is[2] } }' "$1"
}

# lint_simulators LANGUAGE BLOCK PARAM=VALUE...: LANGUAGE 1364-2005 or 1800-2017
lint_simulators() {
    local language=$1 block=$2 files p=() g=() s icarus=-g2005
    shift
    [ "$language" = 1364-2005 ] || icarus=-g2012
    files=$(cat "rtl/$1/$1.f")
    for s in "${@:2}"; do p+=("-P$block.$s") g+=("-G$s"); done
    try "$language $*" iverilog $icarus -Wall $includes -s "$block" "${p[@]}" -o "$tmp/vvp" $files
    elaborated "$tmp/vvp" >>"$tmp/elaborated"
    [ "${TIER:-}" != test ] || [[ "$*" != *OBSERVE=0 ]] || return 0
    try "$language $*" verilator --lint-only -Wall --language "$language" $includes --top-module "$block" "${g[@]}" $files
}

# language N: that of the Nth line of the points, which are in pairs: OBSERVE=1 and 0. With --all a point is in one language with the first and in the other
# with the second, and the next point the other way round.
language() {
    if [ -n "$all" ] && [ $((($1 + $1 / 2) % 2)) -eq 1 ]; then echo 1800-2017; else echo 1364-2005; fi
}

# lint_fpga BLOCK PARAM=VALUE...: with MT_FPGA, as Verilog-2005
lint_fpga() {
    local block=$1 files p=() g=() s
    files=$(xargs <"rtl/$1/$1.f")
    for s in "${@:2}"; do p+=("-P$block.$s") g+=("-G$s"); done
    try "MT_FPGA $*" iverilog -DMT_FPGA -g2005 -Wall $includes -s "$block" "${p[@]}" -o "$tmp/vvp" $files
    elaborated "$tmp/vvp" >>"$tmp/elaborated"
    [ -n "$all" ] || return 0
    try "MT_FPGA $*" verilator -DMT_FPGA --lint-only -Wall --language 1364-2005 $includes --top-module "$block" "${g[@]}" $files
    try "MT_FPGA $*" yosys -q -p "read_verilog -DMT_FPGA -defer $includes $files; hierarchy -check -top $1$(printf -- ' -chparam %s' "${@:2}" | tr = ' '); proc; check -assert"
}

# lint_bench BLOCK: its bench
lint_bench() {
    local files bench=rtl/$1/sim/$1_bench.v
    [ -e "$bench" ] || return 0
    files=$(cat "rtl/$1/$1.f")
    try "$bench" iverilog -g2005 -Wall $includes -s "$1_bench" -t null $files "$bench"
    try "$bench as SystemVerilog" iverilog -g2012 -Wall $includes -s "$1_bench" -t null $files "$bench"
    try "$bench as SystemVerilog" verilator --lint-only --timing $includes --top-module "$1_bench" $files "$bench"
}

# lint_contracts: those of all modules, as each language that Yosys reads
lint_contracts() {
    local rules
    rules=$(grep -lE '^`ifdef FORMAL' rtl/*/*.v | sed 's|.*/|-DRULE_|; s|\.v$|=assume|' | tr '\n' ' ')
    try contracts yosys -q -p "read_verilog -formal -defer $includes $rules $(ls rtl/*/*.v | tr '\n' ' ')"
    try 'contracts as SystemVerilog' yosys -q -p "read_verilog -sv -formal -defer $includes $rules $(ls rtl/*/*.v | tr '\n' ' ')"
}

# elaborate BLOCK PARAM=VALUE...: Yosys commands, after those that read the block
elaborate() {
    echo "design -load rtl; hierarchy -check -top $1$(printf -- ' -chparam %s' "${@:2}" | tr = ' ');"
}

# lint_yosys BLOCK: at its defaults, as the modules stand, as SystemVerilog; then, as Verilog-2005, the points in one run, which parses the Verilog once
lint_yosys() {
    local files point read all_of_them
    chosen "$1" half >"$tmp/halved"
    files=$(tr '\n' ' ' <"rtl/$1/$1.f")
    try "$1 as SystemVerilog" yosys -q -p "read_verilog -sv $includes $files; hierarchy -check -top $1; proc; check -assert"
    read="read_verilog -defer $includes $files; design -save rtl;"
    all_of_them=$(while read -r point; do elaborate "$1" $point; done <"$tmp/halved")
    yosys -q -p "$read $all_of_them" >"$tmp/out" 2>&1 && [ ! -s "$tmp/out" ] && return
    while read -r point; do try "$1 $point" yosys -q -p "$read $(elaborate "$1" $point)"; done <"$tmp/halved"
    fail "yosys: $1, at a point that passes alone" "$tmp/out"
}

for block in ${*:-$known}; do
    chosen "$block" >"$tmp/points"
    [ -s "$tmp/points" ] || fail "no point of $block is tagged lint" /dev/null
    if [ -n "$list" ]; then
        sed "s/^/$block /" "$tmp/points"
        continue
    fi
    lint_simulators 1800-2017 "$block" </dev/null
    n=0
    while read -r point; do
        lint_simulators "$(language $n)" "$block" $point </dev/null
        n=$((n + 1))
    done <"$tmp/points"
    [ -z "$all" ] || lint_bench "$block"
    lint_yosys "$block"
    points fpga_lockstep "$block" >"$tmp/fpga"
    while read -r _ _ _ point; do lint_fpga "$block" $point </dev/null; done <"$tmp/fpga"
done
[ -z "$list" ] && [ $# -eq 0 ] || exit 0
check_declarations
[ -z "$all" ] || lint_contracts
arms | sort -u | comm -23 - <(sort -u "$tmp/elaborated") >"$tmp/missed"
[ ! -s "$tmp/missed" ] || fail 'arms of a generate that no point elaborates' "$tmp/missed"
