#!/bin/bash
# Gate level: the netlists that are counted replay recordings and are proven to be the RTL, at tiny points; a cell that is another is found by both; the
# functions of the cells that the library gives are those of the Verilog that comes with it. Run from the root. Exit code: 0 if all is well.
. tests/lib.bash
. tests/synth/report.bash
export TWIN_CFLAGS=-O0 # it runs briefly: build fast
report_of gate_level.sh gate_level_quick

expect 0 synth/gate_level.sh --quick
cmp -s "$work/out" build/synth/gate_level_quick.txt || complain "gate_level_quick.txt is not what was printed"
holds "not every block" '[.designs[].point | split("-")[0]] | unique == ["bank_queues", "bpg", "cart", "dl_mshr", "hir", "in_fifo", "static_mshr"]'
holds "not every recording is long" '[.replays[] | select(.vectors == "random") | .cycles] | all(. == 3000)'
holds "a verdict that is none" '.replays | all(.verdict | startswith("verdict: PASS"))'
holds "OBSERVE=0 without a word" '.replays | all((.verdict == "verdict: PASS") == (.name == "dl_4x2_observed"))'
holds "neither simulator" '[.replays[].engine] | unique == ["icarus", "twin"]'
holds "not the models of the vendor" '[.replays[] | select(.netlist == "area-vendor")] | length == 7'
holds "not proven" '[.designs[].proofs[] | select(.netlist | test("area"))] | length >= 16 and all(.registers > 0 and .own == null and .seconds >= 0)'
holds "no storage proven" '[.designs[].proofs[] | select(.netlist == "storage in speed")] | length >= 1'
holds "flip-flops are not the registers" '.designs | all(.flops == ([.proofs[] | select(.netlist == "area")][0].registers
    + ([.proofs[] | select(.netlist == "storage in area") | .registers] | add)) or (.point | test("^(cart|bank_queues|bpg|hir)")))'
grep -qE '^dl_4x2 +[0-9]+ +[0-9]+ +[0-9]+ +area +dl_mshr +[0-9]+ +equal' "$work/out" || complain "no line of dl_mshr"

# ---- one cell is another
lib=build/netlists/osu018_stdcells
point=(SETS=4 SLOTS=2 RESERVED_HEADS=2 ADDR_W=4 OFF_W=2 ID_W=2 DATA_W=0)
good=$lib/$(printf -- '-%s' dl_mshr "${point[@]}" | tr -d = | cut -c 2-)
"$MEMTWIN" cosim dl_mshr $(printf -- '-p %s ' "${point[@]}") --cycles 3000 --seed 7 --model-only --record "$work/x.vec" >/dev/null
replay() { "$MEMTWIN" replay "$work/x.vec" --engine icarus "$@"; }
cp -r "$good" "$work/kept"
for line in $(grep -n '^  NAND2X1 ' "$good/area/dl_mshr/netlist.v" | cut -d : -f 1 | awk 'NR % 7 == 1' | head -3); do
    sed -i "${line}s/NAND2X1/NOR2X1/" "$good/area/dl_mshr/netlist.v"
    expect 3 env MEMTWIN_RTL="$PWD/$good/area" "$MEMTWIN" replay "$work/x.vec" --no-observed --engine icarus
    expect_line 1 "not equal" synth/equivalence.sh dl_mshr "${point[@]}"
    cp "$work/kept/area/dl_mshr/netlist.v" "$good/area/dl_mshr/netlist.v"
done
[ -n "${line:-}" ] || complain "no cell can be swapped any more"
expect 0 synth/equivalence.sh dl_mshr "${point[@]}"
# storage too
awk '/^module/ { in_ram = /mt_ram/ } in_ram && !done && sub(/^  NAND2X1 /, "  NOR2X1 ") { done = 1 } { print }' "$work/kept/area/dl_mshr/netlist.v" >"$good/area/dl_mshr/netlist.v"
cmp -s "$work/kept/area/dl_mshr/netlist.v" "$good/area/dl_mshr/netlist.v" && complain "no cell of the storage can be swapped any more"
expect_line 1 "mt_ram_slice_5x8 (storage in area): not equal" synth/equivalence.sh dl_mshr "${point[@]}"
cp "$work/kept/area/dl_mshr/netlist.v" "$good/area/dl_mshr/netlist.v"

# ---- the observed ports of a netlist without them
expect 3 env MEMTWIN_RTL="$PWD/$good/area" "$MEMTWIN" replay "$work/x.vec" --engine icarus
grep -q 'port st_free_heads' "$work/out" || complain "the observed ports are not compared"
expect 0 env MEMTWIN_RTL="$PWD/$good/area" "$MEMTWIN" replay "$work/x.vec" --engine icarus --no-observed
grep -q '^verdict: PASS without st_free_heads, st_free_shared, st_state$' "$work/out" || complain "what was left out is not said: $(tail -1 "$work/out")"
# other parameters than the netlist's
"$MEMTWIN" cosim dl_mshr $(printf -- '-p %s ' "${point[@]}") -p ID_W=3 --cycles 10 --model-only --record "$work/y.vec" >/dev/null
expect 2 env MEMTWIN_RTL="$PWD/$good/area" "$MEMTWIN" replay "$work/y.vec" --engine icarus
grep -q ILLEGAL_this_netlist_is_of_other_parameters "$work/err" || complain "a netlist at other parameters: $(cat "$work/err")"

# ---- what is wrong is said
expect_line 1 "no block" synth/netlist.sh
expect_line 1 "unknown argument --fast" synth/netlist.sh --fast dl_mshr
expect_line 1 "'SETS' is not PARAM=VALUE" synth/netlist.sh dl_mshr SETS
expect_line 1 "no block toaster" synth/netlist.sh toaster
expect_line 1 "no block" synth/equivalence.sh
expect_line 1 "no netlist in" synth/equivalence.sh dl_mshr SETS=7
expect_line 1 "no design of these: toaster" synth/gate_level.sh toaster
expect 1 synth/netlist.sh dl_mshr SETS=1
grep -q 'ILLEGAL_SETS' "$work/err" || complain "an illegal parameter: $(cat "$work/err")"

# ---- the cells: all inputs, and for flip-flops any order of changes
vendor=/usr/share/qflow/tech/osu018/osu018_stdcells
expect 0 yosys -q -p "read_liberty -ignore_miss_func $vendor.lib; delete TBUF* FILL* PAD* DFFSR; write_json $work/cells.json; write_verilog -noattr $work/cells.v"
sed -i -E 's/^module ([A-Z0-9]+)/module lib_\1/' "$work/cells.v"
jq -r -f tests/synth/cells.jq "$work/cells.json" >"$work/bench.v"
expect 0 iverilog -g2005 -o "$work/cells.vvp" -s bench "$work/bench.v" "$work/cells.v" $vendor.v
expect 0 vvp -n "$work/cells.vvp"
grep -qE '^[23][0-9] cells, 0 differences$' "$work/out" || complain "cells: $(tail -3 "$work/out")"
finish
