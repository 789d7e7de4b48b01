#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Control has a reset and data has none: the registers whose next value during reset is not constant are those in tests/rtl/unreset.txt, each
# with its reason. Gates show an x where the Verilog may not, so RTL simulation does not find a missing reset. Tier test checks each block at
# its first point, so only tier full finds a listed register that does not exist.
# tier: test, 6 s; full, 36 s
. tests/lib.bash
. tb/harness/blocks.bash

# unreset TREE BLOCK PARAM=VALUE...: prints BLOCK REGISTER per line, with instances named without their number
unreset() {
    local tree=$1 block=$2 p set=''
    for p in "${@:3}"; do set+=" -chparam ${p%%=*} ${p#*=}"; done
    yosys -q -p "read_verilog -defer $(printf -- "-I%s " "$tree"/rtl/*/) $(sed "s|^|$tree/|" "$tree/rtl/$block/$block.f" | tr '\n' ' ')
        hierarchy -check -top $block$set; proc; flatten
        cd $block; delete -input w:rst; connect -nounset -set rst 1'b1; cd ..
        setattr -set keep 1 t:\$dff; opt_clean; opt -noff; dump -o $work/cells t:\$dff" >"$work/yosys" 2>&1 || complain "$block $*: $(grep -m1 ERROR "$work/yosys")"
    awk -v block="$block" '
        $1 == "connect" && $2 == "\\D" { next_value = $3 }
        $1 == "connect" && $2 == "\\Q" && next_value !~ /^([0-9]+\x27[01]+|-?[0-9]+)$/ && !/memwr/ {
            sub(/.*\\Q /, ""); gsub(/[\\ ]|\[[0-9:]*\]/, "")
            print block, $0
        }' "$work/cells"
}

# all_points TREE: prints the registers of every block with every option
all_points() {
    local block point
    while read -r block _ _ point; do unreset "$1" "$block" $point </dev/null; done <"$work/points"
}

points resets >"$work/points"
for block in $(blocks); do grep -q "^$block " "$work/points" || complain "$block has no point tagged resets"; done
[ "$TIER" != test ] || { awk '!seen[$1]++' "$work/points" >"$work/first" && mv "$work/first" "$work/points"; }
grep -v '^#' tests/rtl/unreset.txt | cut -d '|' -f 1 | sed 's/ *$//' >"$work/listed"
[ -z "$(grep -v '^#' tests/rtl/unreset.txt | awk -F ' [|] ' 'NF != 2 || $2 == ""')" ] || complain "a register without a reason"
all_points . | sort -u >"$work/found"
[ "$(wc -l <"$work/found")" -gt 50 ] || complain "only $(wc -l <"$work/found") registers found"
diff <(sort "$work/listed") "$work/found" | if [ "$TIER" = test ]; then grep '^>'; else cat; fi >"$work/diff"
[ ! -s "$work/diff" ] || complain "registers without reset, listed (<) and found (>): $(grep '^[<>]' "$work/diff")"

# a missing reset is found: the known case, and a register whose reset is removed
cp -r rtl "$work/rtl"
sed -i "s/if (rst) ended <= /if (1'b0) ended <= /" "$work/rtl/bpg/bpg.v"
unreset "$work" bpg | grep -x 'bpg ended' >/dev/null || complain "bpg's ended without a reset is not found"
sed -i "s/if (rst) used <= /if (1'b0) used <= /" "$work/rtl/mshr/mshr_fill.v"
unreset "$work" static_mshr | grep -x 'static_mshr gen_one.u_fill.used' >/dev/null || complain "used of mshr_fill without a reset is not found"
finish
