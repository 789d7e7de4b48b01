#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Reset for control, none for data: the registers whose next value in a cycle of reset is not a constant are those of tests/rtl/unreset.txt, each with
# its reason, and no other. Gates show an x where the Verilog need not, so a simulation of the RTL does not find one that is forgotten.
# In tier test a block is looked at at its first point, so a register that is listed without being one is found in tier full.
# tier: test, 20 s; full, 36 s
. tests/lib.bash
. tb/harness/blocks.bash

# unreset TREE BLOCK PARAM=VALUE...: BLOCK REGISTER a line, instances by the name without their number
unreset() {
    local tree=$1 block=$2 p set=''
    for p in "${@:3}"; do set+=" -chparam ${p%%=*} ${p#*=}"; done
    yosys -q -p "read_verilog -defer $(printf -- "-I%s " "$tree"/rtl/*/) $(sed "s|^|$tree/|" "$tree/rtl/$block/$block.f" | tr '\n' ' ')
        hierarchy -check -top $block -chparam OBSERVE 0$set; proc; flatten
        cd $block; delete -input w:rst; connect -nounset -set rst 1'b1; cd ..
        setattr -set keep 1 t:\$dff; opt_clean; opt -noff; dump -o $work/cells t:\$dff" >"$work/yosys" 2>&1 || complain "$block $*: $(grep -m1 ERROR "$work/yosys")"
    awk -v block="$block" '
        $1 == "connect" && $2 == "\\D" { next_value = $3 }
        $1 == "connect" && $2 == "\\Q" && next_value !~ /^([0-9]+\x27[01]+|-?[0-9]+)$/ && !/memwr/ {
            sub(/.*\\Q /, ""); gsub(/[\\ ]|\[[0-9:]*\]/, "")
            print block, $0
        }' "$work/cells"
}

# all_points TREE: of each block, with every register that an option brings
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

# one that is forgotten is found: the case that was, and a register with its reset taken away
cp -r rtl "$work/rtl"
sed -i "s/if (rst) ended <= /if (1'b0) ended <= /" "$work/rtl/bpg/bpg.v"
unreset "$work" bpg | grep -x 'bpg ended' >/dev/null || complain "bpg's ended without a reset is not found"
sed -i "s/if (rst) held <= /if (1'b0) held <= /" "$work/rtl/mshr/mshr_fill.v"
unreset "$work" static_mshr | grep -x 'static_mshr gen_one.u_fill.held' >/dev/null || complain "held of mshr_fill without a reset is not found"
finish
