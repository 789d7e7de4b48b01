#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Long gate-level runs: the reports at the points of the papers, with the library of the distribution; and for each block a netlist of its
# observer in lockstep with its model, with random stimulus and the coverage floors of the RTL. Run from the root.
. tests/lib.bash
. tb/harness/blocks.bash

expect 0 synth/gate_level.sh
cat "$work/out"
expect 0 synth/power.sh
cat "$work/out"
points netlist >"$work/points"
for block in $(blocks); do grep -q "^$block " "$work/points" || complain "$block has no point"; done
while read -r block name _ point; do
    expect 0 synth/netlist.sh --observed "$block" $point
    netlist=$(cat "$work/out")
    expect 0 env MEMTWIN_RTL="$PWD/$netlist/area" "$MEMTWIN" cosim "$block" $(printf -- '-p %s ' $point) --cycles 150000 --seed 3
    grep -q '^verdict: PASS$' "$work/out" || complain "$block $point: $(tail -1 "$work/out")"
    echo "$block $name: $(grep '^cycles run' "$work/out")"
done <"$work/points"
finish
