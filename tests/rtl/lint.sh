#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lints the blocks and their observers with Icarus, Verilator and Yosys at the points tagged lint in rtl/BLOCK/block.points. These have both
# ends of each parameter range, all pairs of option values (tests/harness/points.sh), and each arm of a generate. Lints them as Verilog-2005,
# at the defaults also as SystemVerilog, and with MT_FPGA at the points tagged fpga_lockstep. In tier test a point lints the block or the observer
# by turns, and Verilator runs every fourth of them; `make lint` runs all, as tests/rtl/lint_all.sh does. Silent on success; exit code 1 at the first complaint.
# tier: test, 16 s; full, 30 s
#   tests/rtl/lint.sh [--all] [BLOCK]...            --all: also the points tagged lint=full, half of them as SystemVerilog; in Yosys, which takes longest,
#                                                   block and observer by turns; the benches and the contracts in both languages
#   tests/rtl/lint.sh --list [--all] [BLOCK]...     prints the points, BLOCK block|observer PARAM=VALUE... per line
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. tb/harness/blocks.bash

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
includes=$(printf -- '-I%s ' rtl/*/ .)
list='' all='' points_linted=0
[ "${1:-}" != --list ] || { list=1; shift; }
[ "${1:-}" != --all ] || { all=1; shift; }
known=$(blocks)
for block in "$@"; do grep -qx -- "$block" <<<"$known" || { echo "lint: no block '$block'" >&2; exit 1; }; done

fail() { # WHAT FILE
    echo "FAIL $1" >&2
    head -20 "$2" >&2
    exit 1
}

# chosen BLOCK [HALF]: prints its points, observer|block PARAM=VALUE... per line. With HALF the points of --all have one of both by turns; in tiers
# test and full all points do. A block without observer is linted in its place.
chosen() {
    points lint "$1" | awk -v all="$all" -v half="${2:-}" -v turns="$([[ ${TIER:-} =~ ^(test|full)$ ]] && echo 1)" '
        $3 == "-" || all {
            left_out = turns || (half != "" && $3 != "-") ? n++ % 2 : -1
            sub(/^[^ ]+ [^ ]+ [^ ]+ ?/, "")
            for (o = 1; o >= 0; o--) if (o != left_out) print (o ? "observer" : "block") ($0 == "" ? "" : " ") $0
        }'
}

# try WHAT COMMAND...: runs COMMAND; any output is a failure
try() {
    local what=$1
    shift
    if ! "$@" >"$tmp/out" 2>&1 || [ -s "$tmp/out" ]; then fail "$1: $what" "$tmp/out"; fi
}

# undeclared FILE...: fails if a file uses a net above its declaration
undeclared() {
    awk -f tests/rtl/declared.awk "$@" >"$tmp/out"
    [ -s "$tmp/out" ]
}

# overlong FILE...: lists FILE:LINE of each line of more than 120 columns in $tmp/out; fails if there is none
overlong() {
    awk 'length > 120 { print FILENAME ":" FNR }' "$@" >"$tmp/out"
    [ -s "$tmp/out" ]
}

check_lengths() {
    { find rtl -name '*.v' -o -name '*.vh'; ls tb/*/*_observe.v; } >"$tmp/sources"
    [ "$(wc -l <"$tmp/sources")" -gt 100 ] || fail 'too few Verilog files' "$tmp/sources"
    ! overlong $(cat "$tmp/sources") || fail 'lines of more than 120 columns' "$tmp/out"
    printf '%0121d\n' 0 >"$tmp/long"
    overlong "$tmp/long" || fail 'a line of 121 columns is accepted' /dev/null
}

check_declarations() {
    ! undeclared rtl/*/*.v tb/*/*_observe.v || fail 'nets that are used above their declaration' "$tmp/out"
    sed '/wire .*fill_heads;/d; $a wire fill_heads;' rtl/cart/cart_queues.v | sed '/^endmodule/d' >"$tmp/late"
    undeclared "$tmp/late" || fail 'tests/rtl/declared.awk does not see a net that is declared too late' /dev/null
}

# arms: prints FILE NAME for each generate arm in the Verilog, except those that refuse parameters. In tiers test and full, where block and observer
# take turns, those of observers are left out.
arms() {
    awk '/^`ifdef FORMAL/, /^`endif/ { next }
        at && !/ILLEGAL_/ { print at }
        { at = "" }
        /begin *: *gen_/ { sub(/.*begin *: */, ""); sub(/[^A-Za-z0-9_].*/, ""); at = FILENAME " " $0 }' rtl/*/*.v $([[ ${TIER:-} =~ ^(test|full)$ ]] || ls tb/*/*_observe.v)
}

# elaborated FILE: prints FILE NAME for each generate arm that Icarus has elaborated
elaborated() {
    awk -F '"' '
        /\.scope generate/ { name = $2; sub(/\[.*/, "", name); split($5, place, " "); arm[place[1], name] }
        /^:file_names/ { names = 1; next }
        names && NF > 1 { file[n++] = $2 }
        END { for (key in arm) { split(key, is, SUBSEP); print file[is[1]], is[2] } }' "$1"
}

# top VIEW BLOCK: prints the module of the view, observer or block
top() { if [ "$1" = observer ]; then observed "$2"; else echo "$2"; fi; }

# files VIEW BLOCK: prints its files
files() {
    cat "rtl/$2/$2.f"
    [ "$1" = block ] || observer "$2"
}

# lint_simulators LANGUAGE BLOCK VIEW PARAM=VALUE...: LANGUAGE 1364-2005 or 1800-2017
lint_simulators() {
    local language=$1 block=$2 view=$3 files top p=() g=() s icarus=-g2005
    shift
    [ "$language" = 1364-2005 ] || icarus=-g2012
    files=$(files "$view" "$block")
    top=$(top "$view" "$block")
    for s in "${@:3}"; do p+=("-P$top.$s") g+=("-G$s"); done
    try "$language $*" iverilog $icarus -Wall $includes -s "$top" "${p[@]}" -o "$tmp/vvp" $files
    elaborated "$tmp/vvp" >>"$tmp/elaborated"
    case ${TIER:-}-$((points_linted++ % 4)) in test-[1-3]) return 0 ;; esac
    [ "${TIER:-}" != full ] || [ "$view" = observer ] || return 0
    try "$language $*" verilator --lint-only -Wall --language "$language" $includes --top-module "$top" "${g[@]}" $files
}

# language N: prints the language of the Nth line of the points, which are in pairs: observer and block. With --all a point uses one language for
# the observer and the other for the block, and the next point the reverse.
language() {
    if [ -n "$all" ] && [ $((($1 + $1 / 2) % 2)) -eq 1 ]; then echo 1800-2017; else echo 1364-2005; fi
}

# lint_fpga BLOCK PARAM=VALUE...: lints the block with MT_FPGA, as Verilog-2005
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

# lint_bench BLOCK: lints the block's bench
lint_bench() {
    local files bench=rtl/$1/sim/$1_bench.v
    [ -e "$bench" ] || return 0
    files=$(cat "rtl/$1/$1.f")
    try "$bench" iverilog -g2005 -Wall $includes -s "$1_bench" -t null $files "$bench"
    try "$bench as SystemVerilog" iverilog -g2012 -Wall $includes -s "$1_bench" -t null $files "$bench"
    try "$bench as SystemVerilog" verilator --lint-only --timing $includes --top-module "$1_bench" $files "$bench"
}

# lint_contracts: lints the contracts of all modules, in each language that Yosys reads
lint_contracts() {
    local rules
    rules=$(grep -lE '^`ifdef FORMAL' rtl/*/*.v | sed 's|.*/|-DRULE_|; s|\.v$|=assume|' | tr '\n' ' ')
    try contracts yosys -q -p "read_verilog -formal -defer $includes $rules $(ls rtl/*/*.v | tr '\n' ' ')"
    try 'contracts as SystemVerilog' yosys -q -p "read_verilog -sv -formal -defer $includes $rules $(ls rtl/*/*.v | tr '\n' ' ')"
}

# elaborate BLOCK VIEW PARAM=VALUE...: prints the Yosys commands that follow those that read the block
elaborate() {
    echo "design -load rtl; hierarchy -check -top $(top "$2" "$1")$(printf -- ' -chparam %s' "${@:3}" | sed 's/ -chparam $//' | tr = ' ');"
}

# lint_yosys BLOCK: lints the block at its defaults as SystemVerilog, then at all points as Verilog-2005 in one run, which parses the Verilog once
lint_yosys() {
    local files point read all_of_them
    chosen "$1" half | awk -v test="$([ "${TIER:-}" = test ] && echo 1)" '!test || NR % 4 == 1' >"$tmp/halved"
    files=$(files observer "$1" | tr '\n' ' ')
    try "$1 as SystemVerilog" yosys -q -p "read_verilog -sv $includes $files; hierarchy -check -top $(observed "$1"); proc; flatten; check -assert"
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
    lint_simulators 1800-2017 "$block" observer </dev/null
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
check_lengths
check_declarations
[ -z "$all" ] || lint_contracts
arms | sort -u | comm -23 - <(sort -u "$tmp/elaborated") >"$tmp/missed"
[ ! -s "$tmp/missed" ] || fail 'arms of a generate that no point elaborates' "$tmp/missed"
