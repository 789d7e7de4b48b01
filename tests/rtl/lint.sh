#!/bin/sh
# Lints the blocks at the corners of their parameters with Icarus, Verilator and Yosys. Silent when all is well;
# stops at the first complaint with exit code 1.
set -eu
cd "$(dirname "$0")/../.."

out=$(mktemp) late=$(mktemp)
trap 'rm -f "$out" "$late"' EXIT
includes=$(printf -- '-I%s ' rtl/*/)

# undeclared FILE...: fails if one of them uses a net above its declaration
undeclared() {
    awk -f tests/rtl/declared.awk "$@" >"$out"
    [ -s "$out" ]
}

! undeclared rtl/*/*.v || {
    echo 'FAIL: nets that are used above their declaration' >&2
    cat "$out" >&2
    exit 1
}
sed '/wire .*fill_len;/d; $a wire fill_len;' rtl/cart/cart_queues.v | sed '/^endmodule/d' >"$late"
undeclared "$late" || {
    echo 'FAIL: tests/rtl/declared.awk does not see a net that is declared too late' >&2
    exit 1
}

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
    try "$sets" iverilog -g2005 -Wall $includes -s "$block" $p -t null $files
    try "$sets" verilator --lint-only -Wall --language 1364-2005 $includes --top-module "$block" $g $files
    [ -z "$c" ] || c="chparam$c $block;"
    try "$sets" yosys -q -p "read_verilog $includes $(echo $files); $c hierarchy -check -top $block"
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
for depth in 1 2 3 64 1024; do
    lint in_fifo DEPTH=$depth
done
lint in_fifo ADDR_W=1 ID_W=1
lint in_fifo ADDR_W=48 ID_W=32
for point in '1 2 1 2' '3 8 7 4' '16 16 450 16' '64 64 1879048199 8'; do
    set -- $point
    for hold in 0 1; do
        lint bank_queues DEPTH=$1 BANKS=$2 BANK_MASK=$3 QUEUES=$4 ADDR_W=31 HOLD=$hold
    done
done
lint bank_queues ADDR_W=1 ID_W=1 BANKS=2 BANK_MASK=1 QUEUES=2
lint bank_queues ADDR_W=48 ID_W=32 DEPTH=2
for point in '4 2 2' '1 1 1' '1 1 2' '1 8 1' '8 1 5' '3 3 3' '5 7 1' '8 8 2' '2 2 32'; do
    set -- $point
    for policy in 0 1 2; do
        # HOLD touches no widths: each value meets each POLICY
        lint cart ROWS=$1 COLS=$2 DEPTH=$3 POLICY=$policy HOLD=$((($1 + policy) & 1)) BANKS=4 BANK_MASK=66
    done
    lint cart ROWS=$1 COLS=$2 DEPTH=$3 AGE_LIMIT=$(($1 * $2)) HOLD=$(($1 & 1)) BANKS=4 BANK_MASK=66
done
lint cart
lint cart AGE_LIMIT=65535
lint cart BANKS=2 BANK_MASK=1 COL_MASK=2 ADDR_W=3 ID_W=1
lint cart BANKS=64 BANK_MASK=1107492867 COL_MASK=508 ADDR_W=48 ID_W=32
lint bpg
for point in '1 4' '3 8' '5 1' '16 2'; do
    set -- $point
    lint bpg WAYS=$1 SAMPLED=$2
done
lint bpg ADDR_W=1 TAG_W=1 SETS=1 SAMPLED=1 INDEX=0 ID_W=1 CALCULATORS=1 INTERVAL=5 HIT_W=2 FAIL_W=2 HIT_SCALE=0
lint bpg ADDR_W=13 TAG_W=1 SETS=4096 SAMPLED=64 CALCULATORS=16 INTERVAL=1048575 ID_W=1 HIT_W=16 FAIL_W=2 HIT_SCALE=7
lint bpg ADDR_W=48 TAG_W=36 SETS=4096 SAMPLED=1 CALCULATORS=5 INTERVAL=9 ID_W=8 HIT_W=2 FAIL_W=16 HIT_SCALE=0
for sets in 32 64; do
    lint bpg ADDR_W=12 TAG_W=6 SETS=$sets SAMPLED=$sets INDEX=2 CALCULATORS=2
done
lint hir
for point in '1 1' '2 16' '32 3' '1024 2'; do
    set -- $point
    lint hir SETS=$1 WAYS=$2
done
lint hir SETS=1 WAYS=1 SET_W=4 PAGES=2 COUNT_W=1 LOST_W=1
lint hir SETS=8 WAYS=2 SET_W=4 PAGES=32 COUNT_W=1
lint hir SETS=64 WAYS=4 SET_W=7 PAGES=16 COUNT_W=4 LOST_W=2
