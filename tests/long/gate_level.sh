#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Gate level at length: the reports at the points of the papers, with the library of the distribution; and a netlist with the st_ ports of each block
# in lockstep with its model, random stimulus with the coverage floors of the RTL. Run from the root. Exit code: 0 if all is well.
. tests/lib.bash
. tb/harness/blocks.bash

expect 0 synth/gate_level.sh
cat "$work/out"
expect 0 synth/power.sh
cat "$work/out"
points netlist >"$work/points"
for block in $(blocks); do grep -q "^$block " "$work/points" || complain "$block has no point"; done
while read -r block name _ point; do
    expect 0 synth/netlist.sh --area "$block" $point OBSERVE=1
    netlist=$(cat "$work/out")
    expect 0 env MEMTWIN_RTL="$PWD/$netlist/area" "$MEMTWIN" cosim "$block" $(printf -- '-p %s ' $point) --cycles 150000 --seed 3
    grep -q '^verdict: PASS$' "$work/out" || complain "$block $point: $(tail -1 "$work/out")"
    echo "$block $name: $(grep '^cycles run' "$work/out")"
done <"$work/points"
finish
