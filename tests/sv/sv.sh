#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 11 s; full, 45 s; long, 270 s
# rtl/sv/ is up to date with tb/sv/sv.sh and lints clean. Port assertions hold in recorded runs and on the block, and each can fail: in Icarus with X (which rejects concurrent
# assertions, so they become clocked checks) and in Verilator. A fault in the RTL is found. Tier full runs every fifth block, every third
# point and every fourth lint.
. tests/lib.bash
. tb/harness/blocks.bash
includes=$(printf -- '-I%s ' rtl/*/)

silent() { # WHAT COMMAND...
    local what=$1
    shift
    expect 0 "$@"
    [ ! -s "$work/out" ] && [ ! -s "$work/err" ] || complain "$what: $(head -n 5 "$work/out" "$work/err")"
}

# ---- up to date with the port lists and rules
mkdir "$work/made"
expect 0 tb/sv/sv.sh "$work/made"
[ "$(cd "$work/made" && find rtl -type f | sort)" = "$(git ls-files 'rtl/sv/*.sv' 'rtl/sv/*.f' | sort)" ] || complain "other files than tb/sv/sv.sh makes"
while read -r file; do
    cmp -s "$file" "$work/made/$file" || complain "$file is out of date; run make cores"
done < <(cd "$work/made" && find rtl -type f)

# ---- lint
for block in $(blocks); do
    files=$(cat "rtl/$block/$block.f")
    silent "$block, assertions" verilator --lint-only -Wall --assert --top-module "${block}_checks" "rtl/sv/${block}_checks.sv"
    # the inputs of this interface are undriven, since it is elaborated without a driver
    echo "module top (input logic clk, input logic rst); ${block}_if bus (.clk, .rst); ${block}_sv u (.bus); endmodule" >"$work/top.sv"
    silent "$block, interface" verilator --lint-only -Wall -Wno-UNDRIVEN --assert $includes --top-module top $files $(cat "rtl/sv/$block.f") "$work/top.sv"
done
# an interface with another size
echo 'module top (input logic clk, input logic rst); dl_mshr_if #(.SLOTS(3)) bus (.clk, .rst); dl_mshr_sv u (.bus); endmodule' >"$work/top.sv"
expect 1 verilator --lint-only -Wno-fatal $includes --top-module top $(cat rtl/dl_mshr/dl_mshr.f rtl/sv/dl_mshr.f) "$work/top.sv"
grep -qF 'ILLEGAL_SLOTS_must_be_that_of_dl_mshr_if' "$work/err" || complain "SLOTS=3 in the interface of 4: $(cat "$work/err")"
# an assertion without its signal is illegal SystemVerilog
sed 's/drain_id === watch_id/drain_id === watch_ident/' rtl/sv/in_fifo_checks.sv >"$work/bad.sv"
expect 1 verilator --lint-only --assert --top-module in_fifo_checks "$work/bad.sv"

# ---- assertions in a recorded run
# record BLOCK CYCLES SEED NAME=VALUE..
record() {
    local block=$1 cycles=$2 seed=$3
    shift 3
    expect 0 "$MEMTWIN" cosim "$block" ${*/#/-p} --model-only --cycles "$cycles" --seed "$seed" --record "$work/$block.rec"
    awk -v block="$block" -f tests/sv/bench.awk "$work/$block.rec" >"$work/$block.sv"
    sed '1,/^data$/d; /^end /d' "$work/$block.rec" >"$work/$block.vec"
}
# clocked BLOCK: prints the block's assertions as immediate ones
clocked() {
    sed -zE 's/[a-z_]+:\n *assert property \(@\(posedge clk\) ([^\n]*) \|-> (\([^\n]*\))\)\n *else/always @(posedge clk) if (\1) assert \2 else/g' "rtl/sv/$1_checks.sv"
}
icarus() { # BLOCK
    clocked "$1" >"$work/$1_checks.sv"
    ! grep -q 'assert property' "$work/$1_checks.sv" || complain "$1: not all assertions are checked by Icarus"
    expect 0 iverilog -g2012 -s bench -o "$work/$1.vvp" "$work/$1_checks.sv" "$work/$1.sv"
}
# failed BLOCK KIND [WHERE]: prints the assertions of a kind that failed in $work/out
failed() {
    grep "${3:-}" "$work/out" | grep -oE "$1: $2_[a-z_]*:" | sed "s/.*: //; s/://" | sort -u
}
# The random user of an MSHR sometimes sends a RET for no head, and that of mil breaks each rule.
holds() { # BLOCK WHAT
    grep -qE '^seen [1-9][0-9]{2,} cycles' "$work/out" || complain "$2: $(tail -n 3 "$work/out")"
    [ -z "$(failed "$1" check)$(failed "$1" owed | grep -vxE 'owed_(ret_waiting|issued|done|kernel)')" ] || complain "$2: $(grep -m3 "$1: " "$work/out")"
}
holds_at() { # BLOCK CYCLES NAME=VALUE..
    record "$1" "$2" 3 "${@:3}"
    icarus "$1"
    expect 0 vvp -n "$work/$1.vvp" "+vectors=$work/$1.vec"
    holds "$1" "$*"
}
# can_fail BLOCK ALL: checks that the assertions listed in file ALL fail in $work/out
can_fail() {
    { failed "$1" check checks; failed "$1" owed checks; } | comm -13 - "$2" >"$work/never"
    [ ! -s "$work/never" ] || complain "$1: these cannot fail: $(paste -sd' ' "$work/never")"
}

# with a lookup of two cycles, a request may come before the first lookup
while read -r block point; do
    holds_at "$block" 600 $point </dev/null
    expect 0 vvp -n "$work/$block.vvp" "+vectors=$work/$block.vec" +mute=look
    failed "$block" owed | grep -qx owed_looked || complain "$block $point: no assertion reports the missing lookup"
done <<'POINTS'
dl_mshr SETS=8 HEADS=5 PAYLOAD_W=3 ADDR_OUT=1
static_mshr ENTRIES=6 SLOTS=3 LOOKUP=2
POINTS

if [ "$TIER" = test ]; then
    points core >"$work/points"
    while read -r block _ _ point; do holds_at "$block" 600 $point </dev/null; done <"$work/points"
    finish
    exit
fi

# some N FILE: prints every Nth line in tier full, and all in tier long
some() {
    if [ "$TIER" = full ]; then awk -v n="$1" 'NR % n == 1' "$2"; else cat "$2"; fi
}
points cosim | awk '$3 == "-"' >"$work/all_points" && some 3 "$work/all_points" >"$work/points"
while read -r block _ _ point; do holds_at "$block" 2000 $point </dev/null; done <"$work/points"
# legal at both ends of the parameters' ranges
points lint | awk '$3 == "-"' >"$work/all_points" && some 4 "$work/all_points" >"$work/points"
while read -r block _ _ point; do
    given=
    for p in $point; do grep -q "parameter ${p%%=*} " "rtl/sv/${block}_checks.sv" && given+=" -G$p"; done
    silent "$block $point" verilator --lint-only -Wall --assert $given --top-module "${block}_checks" "rtl/sv/${block}_checks.sv" </dev/null
done <"$work/points"

# at NAME=VALUE...: sets parameters in $point, where each may occur once
at() {
    local p
    for p in "$@"; do point="$(xargs -n 1 <<<"$point" | grep -v "^${p%%=*}=" | xargs) $p"; done
}
points core >"$work/all_points" && some 5 "$work/all_points" >"$work/points" # dl_mshr comes first
while read -r block _ _ point; do
    [ "$block" != dl_mshr ] || at SETS=6 HEADS=3  # so that a head of 3 bits can be a set that does not exist
    trials=600 seed=3
    [ "$block" != lease ] || { at ENTRIES=1 GROUPS=1 PERIOD=61; trials=6000; }  # so that an update is in the last cycles of each period
    [ "$block" != cache_example ] || { at SETS=2 MSHR_SLOTS=1; trials=10000 seed=16; }  # many ports; evictions and errors soon after a reset
    record "$block" 3000 $seed $point </dev/null
    grep -oE "\\\$error\\(\"$block: [a-z_]*:" "rtl/sv/${block}_checks.sv" | sed 's/.*: //; s/://' | sort >"$work/all"
    icarus "$block"
    expect 0 vvp -n "$work/$block.vvp" "+vectors=$work/$block.vec" "+trials=$trials"
    grep known "$work/all" >"$work/some"
    can_fail "$block" "$work/some"

    # the block behind its interface, with the assertions bound to it
    verilate "$work/$block" bench --assert $includes $(cat "rtl/$block/$block.f" "rtl/sv/$block.f") "$work/$block.sv"
    expect 0 "$work/$block/Vbench" +verilator+error+limit+1000000000 "+vectors=$work/$block.vec"
    holds "$block" "$block in Verilator"
    expect 0 "$work/$block/Vbench" +verilator+error+limit+1000000000 "+vectors=$work/$block.vec" +trials=20000
    # if the table is never written: trials start only after it is written
    [ "$block" != bpg ] || "$work/bpg/Vbench" +verilator+error+limit+1000000000 "+vectors=$work/bpg.vec" +mute=cube_valid | grep bench.checks.*owed_cubes >>"$work/out"
    grep -vE 'known|owed_looked' "$work/all" >"$work/some"
    can_fail "$block" "$work/some"
    grep -rq 'u_block__DOT__u_checks' "$work/$block" || complain "$block: no assertion is bound to it"
done <"$work/points"

# ---- a fault in the RTL
cp -r rtl "$work/rtl"
sed -i 's/assign req_primary = !hit/assign req_primary = hit/' "$work/rtl/dl_mshr/dl_mshr.v"
! cmp -s rtl/dl_mshr/dl_mshr.v "$work/rtl/dl_mshr/dl_mshr.v" || complain "no fault is planted"
verilate "$work/faulty" bench --assert $includes $(cat rtl/dl_mshr/dl_mshr.f rtl/sv/dl_mshr.f | sed "s|^rtl|$work/rtl|") "$work/dl_mshr.sv"
expect 0 "$work/faulty/Vbench" +verilator+error+limit+1000000000 "+vectors=$work/dl_mshr.vec"
failed dl_mshr check dut | grep -qx check_primary || complain "a planted fault is not found: $(head -n 3 "$work/out")"

finish
