#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: long, 195 s
# synth/timing.sh and synth/sweep.sh on tiny designs: the reports are complete and agree with OpenSTA's output, and a fault ends them with exit
# code 1 and a reason. Run from the root.
. tests/lib.bash
. tb/harness/blocks.bash
. tests/synth/report.bash

report_of timing.sh timing_quick
macro 4x4 32.0 # closest to the order of hir, and close to its entries; it is slow
cat >>"$work/macros/fakeram45_4x4.lib" <<'END'
    timing_type : rising_edge; cell_rise(scalar) {
        values ("7.000");
    }
END
export FAKERAM=$work/macros # measurements with other macros do not count
quick storage um2 ns 'ns, wire load' MHz 'slack, ns' 'macros: um2' 'macros: ns' 'to static' 'cells on the path' 'hold slack, ns' 'smallest: um2'
holds "not every twinned block" "[.designs[].block] | unique == $(blocks | sort | jq -Rcn '[inputs]')"
holds "no period" '.designs | all(.min_period_ns > 0.3 and .min_period_ns < 4)'
holds "not the slack at the clock" '.clock_ns == 4 and (.designs | all((.slack_ns + .min_period_ns - 4) | fabs < 0.002))'
holds "not the MHz" '.designs | all((.mhz * .min_period_ns - 1000) | fabs < 4)'
holds "the path is not that period" '.designs | all(.min_period_ns - .stages[-1].time_ns | . >= 0 and . < 0.3)'
holds "time goes back on a path" '.designs | all([.stages[].time_ns] | . == sort)'
holds "a path does not begin at a register or a port" '.designs | all(.start | test("_reg/Q|^[a-z]+_[a-z]+\\[?[0-9]*\\]?$"))'
holds "a register has lost its name" '[.designs[] | .start, .end] | map(select(test("^_[0-9]+_/"))) | length <= 1'
holds "the histogram is not of all endpoints" '.designs | all(([.needs[]] | add) == .endpoints)'
holds "the slowest endpoint is not in the histogram" '.designs | all(([.needs | keys[] | tonumber] | max) - .min_period_ns * 100 | . > -0.01 and . < 1)'
holds "no hold slack" '.designs | all(.hold.slack_ns > 0 and .hold.slack_ns < 1 and (.hold.start | test("_reg/")))'
# At least one per address bit and per port
holds "too few endpoints" '.designs | all(if .block == "dl_mshr_paper" then .endpoints > 8 * 25 elif .block == "static_mshr" then .endpoints > 4 * 25 else .endpoints > 30 end)'
holds "not beside the static MSHR" '.designs | . as $all | all(if (.block | startswith("dl_mshr")) then .storage_cut as $cut
    | ($all[] | select(.block == "static_mshr" and .storage_cut == $cut).min_period_ns) as $s | .to_static * $s - .min_period_ns | fabs < 0.01 else .to_static == null end)'
holds "slots as flip-flops are not there" '.designs | .[1].area.smallest > .[0].area.smallest * 2 and .[1].endpoints >= .[0].endpoints + 200 and (.[0].storage_cut and (.[1].storage_cut | not))'
holds "the times of the macro are not there" '.designs | all((.block | IN("hir", "expiry")) == (.macro != null and .macro.period_ns > 7))'
holds "a netlist with macros is not larger than its cells" '.designs | map(select(.macro)) | length >= 2 and all(.macro.area > .area.smallest * 0.95 + 32)'
holds "a wire load of a library that has none" '.designs | all(.wire_period_ns == null and .macro.wire_period_ns == null)'
# The register files of cache_example take less when they are mapped together with the logic.
holds "the netlist for speed is not larger" '.designs | all(.area.smallest > 0 and .area.fast > .area.smallest * (if .block == "cache_example" then 0.8 else 0.95 end))'
grep -q '^slack at 4 ns$' "$work/out" || complain "no histogram"
expect 0 env PERIOD=1.5 synth/timing.sh --quick
holds "not the slack at 1.5 ns" '.clock_ns == 1.5 and (.designs | all((.slack_ns + .min_period_ns - 1.5) | fabs < 0.002)) and (.designs | any(.slack_ns < 0))'

# ---- a typo does not remove a report; one design is selected by name; macros of another process
expect_line 1 "no cell library" env LIBERTY="$work/none.lib" synth/timing.sh --quick
[ -s "$report" ] || complain "the report was removed"
expect 0 synth/timing.sh in_fifo DEPTH=3 ADDR_W=8 ID_W=4
grep -q 'sums of 45 nm macros' "$work/err" || complain "macros of 45 nm beside 180 nm in silence"
grep -q '1 of 1, in_fifo-' "$work/err" || complain "not one step of one: $(head -1 "$work/err")"
jq -e '.designs | length == 1 and .[0].parameters.DEPTH == 3 and .[0].min_period_ns > 0.3' build/synth/timing_point.json >/dev/null || complain "not that design"
expect 0 synth/timing.sh in_fifo
jq -e '.designs[0] | .parameters == {} and .endpoints > 8 * 40' build/synth/timing_point.json >/dev/null || complain "not in_fifo as it is by default"
expect_line 1 "'DEPTH=x' is not PARAM=NUMBER" synth/timing.sh in_fifo DEPTH=x
expect_line 1 "in_fifo has no parameter 'DEPHT'" synth/timing.sh in_fifo DEPHT=4
expect_line 1 "DEPTH is given twice" synth/timing.sh in_fifo DEPTH=4 DEPTH=5
expect_line 1 "no block 'toaster'" synth/timing.sh toaster
expect_line 1 "unknown argument in_fifo" synth/timing.sh --quick in_fifo
expect_line 1 "no cell library tests" env LIBERTY=tests synth/timing.sh in_fifo
jq -e '.designs[0].block == "in_fifo"' build/synth/timing_point.json >/dev/null || complain "a typo costs the report"

# ---- a library with a default wire load: the same netlist, and a longer period; one whose default is not in it has none
jq -c '.designs[0] | del(.wire_period_ns)' build/synth/timing_point.json >"$work/dry"
for name in w20 w30; do
    sed '/^ *delay_model/a wire_load("w20") { capacitance : 0.01; resistance : 0.001; slope : 5; fanout_length(1, 5); fanout_length(20, 50); }\n default_wire_load : "'$name'";' \
        /usr/share/qflow/tech/osu018/osu018_stdcells.lib >"$work/$name.lib"
    expect 0 env LIBERTY="$work/$name.lib" synth/timing.sh in_fifo
    jq -c '.designs[0] | del(.wire_period_ns)' build/synth/timing_point.json | cmp -s - "$work/dry" || complain "$name: the wire load changes the netlist"
    jq -e --arg name $name '.designs[0] | if $name == "w20" then .wire_period_ns > .min_period_ns * 1.01 else .wire_period_ns == null end' build/synth/timing_point.json >/dev/null ||
        complain "$name: not the period with wires: $(jq -c '.designs[0] | [.min_period_ns, .wire_period_ns]' build/synth/timing_point.json)"
done
expect 0 synth/timing.sh in_fifo

# ---- errors
cp -r "$work/macros" "$work/untimed"
sed -i '/setup_rising/,$d' "$work/untimed/fakeram45_4x4.lib"
expect 1 env FAKERAM="$work/untimed" synth/timing.sh hir $(point_of timing_quick hir)
grep -q "fakeram45_4x4.lib has no access and setup times" "$work/err" || complain "a macro without times: $(tail -1 "$work/err")"
[ ! -e build/synth/timing_point.json ] || complain "a run that failed has left the report of the one before"
# so that the other recipes are not the fastest
broken "a recipe without a netlist" synth/paths.bash 's/"\$begin; dc2; strash; \$flat; \$flat; dch; map; \$size"/"$begin; dc2; strash"/' \
    'sta (failed at|found no path in) [a-z0-9_]+\.1'
expect_line 1 "PERIOD must be a positive number (ns)" env PERIOD=1,5 synth/timing.sh --quick
expect_line 1 "PERIOD must be a positive number (ns)" env PERIOD=0.0 synth/timing.sh --quick
refuses
broken "an illegal parameter" rtl/dl_mshr_paper/block.points '/^dl_8x2 /s/SLOTS=2/SLOTS=65/'
copy_tree
echo 'BLOCK(other)' >>"$work/tree/cmodel/blocks.def"
expect_line 1 "no rtl/other/block.points" "$work/tree/synth/timing.sh" --quick

# ---- sizes
report_of sweep.sh sweep_quick
expect 0 synth/sweep.sh --quick # one of the sizes is among the designs above
holds "not the sizes" '[.designs[] | [.family, .entries]] | sort == [["dl_2_slots", 8], ["dl_2_slots", 16], ["static_8_slots", 16]]'
holds "areas do not add up" '.designs | all((.area.logic + .area.storage - .area.all | fabs < 0.1) and .area.logic > 0 and .area.fast > 0)'
holds "twice the size is not twice the logic" '.designs | map(select(.family == "dl_2_slots")) | sort_by(.entries) | .[1].area.logic / .[0].area.logic | . > 1.7 and . < 2.3'
holds "no period" '.designs | all(.min_period_ns > 0.3 and .min_period_ns < 4)'
grep -q 'DL, 2 slots' build/synth/sweep_quick.svg || complain "no plot"
broken "an illegal parameter" rtl/dl_mshr_paper/block.points '/^dl_8x2 /s/SLOTS=2/SLOTS=65/'
finish
