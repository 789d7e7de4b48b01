#!/bin/sh
# Lints the blocks at the corners of their parameters with Icarus, Verilator and Yosys. Silent when all is well;
# stops at the first complaint with exit code 1.
set -eu
cd "$(dirname "$0")/../.."

out=$(mktemp)
trap 'rm -f "$out"' EXIT

# lint BLOCK NAME=VALUE...: with OBSERVE at both its values
lint() {
    lint_one "$@" OBSERVE=1
    lint_one "$@" OBSERVE=0
}

lint_one() {
    block=$1
    shift
    files=$(cat "rtl/$block/$block.f")
    sets='' p='' g='' c=''
    for s in "$@"; do
        p="$p -P$block.$s" g="$g -G$s" c="$c -set ${s%%=*} ${s#*=}"
    done
    sets="$block $*"
    try "$sets" iverilog -g2005 -Wall -Irtl/mshr -s "$block" $p -t null $files
    try "$sets" verilator --lint-only -Wall --language 1364-2005 -Irtl/mshr --top-module "$block" $g $files
    [ -z "$c" ] || c="chparam$c $block;"
    try "$sets" yosys -q -p "read_verilog -Irtl/mshr $(echo $files); $c hierarchy -check -top $block"
}

# try NAME COMMAND...: a word of output is as bad as a failure.
try() {
    name=$1
    shift
    if ! "$@" >"$out" 2>&1 || [ -s "$out" ]; then
        echo "FAIL $1: $name" >&2
        head -20 "$out" >&2
        exit 1
    fi
}

for point in '128 2' '64 4' '8 2' '3 3' '5 1' '5 8' '2 1' '256 8'; do
    set -- $point
    for reserved in 0 $(($1 / 2)) $(($1 - 1)); do
        for tail in 0 1 2; do
            # GATE and EARLY_FREE touch no widths: each value meets each TAIL
            lint dl_mshr SETS=$1 SLOTS=$2 RESERVED_HEADS=$reserved TAIL=$tail GATE=$((tail & 1)) EARLY_FREE=$((reserved & 1))
        done
    done
    lint static_mshr ENTRIES=$1 SLOTS=$2
done
for point in '64 16' '256 64'; do
    lint static_mshr ENTRIES=${point% *} SLOTS=${point#* }
done
for tail in 0 1 2; do
    lint dl_mshr SETS=3 SLOTS=64 RESERVED_HEADS=1 TAIL=$tail
    lint dl_mshr SETS=8 RESERVED_HEADS=4 TAIL=$tail GATE=1 EARLY_FREE=1
    lint dl_mshr SETS=8 RESERVED_HEADS=4 TAIL=$tail GATE=0 EARLY_FREE=0
    lint dl_mshr SETS=4 SLOTS=2 RESERVED_HEADS=2 TAIL=$tail ADDR_W=1 OFF_W=1 ID_W=1
done
for widths in 'ADDR_W=1 OFF_W=1 ID_W=1' 'ADDR_W=48 OFF_W=16 ID_W=32' DATA_W=8 DATA_W=64 DATA_W=1024; do
    lint dl_mshr SETS=64 SLOTS=2 RESERVED_HEADS=32 $widths
    lint static_mshr ENTRIES=32 SLOTS=4 $widths
done
