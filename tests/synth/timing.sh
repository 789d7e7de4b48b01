#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: long, 195 s
# synth/timing.sh and synth/sweep.sh on tiny designs: the reports have what they should, and agree with OpenSTA's own words; a fault ends them
# with exit code 1 and a reason. Run from the root. Exit code: 0 if all is well.
. tests/lib.bash
. tb/harness/blocks.bash
. tests/synth/report.bash

report_of timing.sh timing_quick
macro 4x4 32.0 # the order of hir, and near to its entries; it is slow
cat >>"$work/macros/fakeram45_4x4.lib" <<'END'
    timing_type : rising_edge; cell_rise(scalar) {
        values ("7.000");
    }
END
export FAKERAM=$work/macros # what was measured with other macros counts for nothing
quick ns MHz 'slack, ns' 'ns, macro' 'to static' 'cells on the path' 'hold slack, ns' 'um2, smallest'
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
# Of each address bit, and of the ports, at least
holds "too few endpoints" '.designs | all(if .block == "dl_mshr" then .endpoints > 8 * 25 elif .block == "static_mshr" then .endpoints > 4 * 25 else .endpoints > 30 end)'
holds "not beside the static MSHR" '.designs | . as $all | all(if .block == "dl_mshr" then .storage_cut as $cut
    | ($all[] | select(.block == "static_mshr" and .storage_cut == $cut).min_period_ns) as $s | .to_static * $s - .min_period_ns | fabs < 0.01 else .to_static == null end)'
holds "slots as flip-flops are not there" '.designs | .[1].area.smallest > .[0].area.smallest * 2 and .[1].endpoints >= .[0].endpoints + 200 and (.[0].storage_cut and (.[1].storage_cut | not))'
holds "the times of the macro are not there" '.designs | all((.block | IN("hir", "expiry")) == (.macro_period_ns != null and .macro_period_ns > 7))'
holds "the netlist for speed is not larger" '.designs | all(.area.smallest > 0 and .area.fastest > .area.smallest * 0.95)'
grep -q '^slack at 4 ns$' "$work/out" || complain "no histogram"
expect 0 env PERIOD=1.5 synth/timing.sh --quick
holds "not the slack at 1.5 ns" '.clock_ns == 1.5 and (.designs | all((.slack_ns + .min_period_ns - 1.5) | fabs < 0.002)) and (.designs | any(.slack_ns < 0))'

# ---- a typo costs no report; one design by name; macros of another process
expect_line 1 "no cell library" env LIBERTY="$work/none.lib" synth/timing.sh --quick
[ -s "$report" ] || complain "the report is gone"
expect 0 synth/timing.sh in_fifo DEPTH=3 ADDR_W=8 ID_W=4
grep -q 'macros of 45 nm' "$work/err" || complain "macros of 45 nm beside 180 nm in silence"
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

# ---- what ends it
cp -r "$work/macros" "$work/untimed"
sed -i '/setup_rising/,$d' "$work/untimed/fakeram45_4x4.lib"
expect 1 env FAKERAM="$work/untimed" synth/timing.sh hir $(point_of timing_quick hir)
grep -q "fakeram45_4x4.lib has no times of access and setup" "$work/err" || complain "a macro without times: $(tail -1 "$work/err")"
[ ! -e build/synth/timing_point.json ] || complain "a run that failed has left the report of the one before"
# the other recipes are not the fastest then
broken "a recipe without a netlist" synth/paths.bash 's/"\$begin; dc2; strash; \$flat; \$flat; dch; map; \$size"/"$begin; dc2; strash"/' \
    'sta (failed at|found no path in) [a-z0-9_]+\.1'
expect_line 1 "PERIOD is no number" env PERIOD=1,5 synth/timing.sh --quick
expect_line 1 "PERIOD is no number" env PERIOD=0.0 synth/timing.sh --quick
refuses
broken "an illegal parameter" rtl/dl_mshr/block.points '/^dl_8x2 /s/SLOTS=2/SLOTS=65/'
copy_tree
echo 'BLOCK(other)' >>"$work/tree/cmodel/blocks.def"
expect_line 1 "no rtl/other/block.points" "$work/tree/synth/timing.sh" --quick

# ---- the sizes
report_of sweep.sh sweep_quick
expect 0 synth/sweep.sh --quick # of the sizes one is among the designs above
holds "not the sizes" '[.designs[] | [.family, .entries]] | sort == [["dl_2_slots", 8], ["dl_2_slots", 16], ["static_8_slots", 16]]'
holds "areas do not add up" '.designs | all((.area.logic + .area.storage - .area.all | fabs < 0.1) and .area.logic > 0 and .area.fastest > 0)'
holds "twice the size is not twice the logic" '.designs | map(select(.family == "dl_2_slots")) | sort_by(.entries) | .[1].area.logic / .[0].area.logic | . > 1.7 and . < 2.3'
holds "no period" '.designs | all(.min_period_ns > 0.3 and .min_period_ns < 4)'
grep -q 'dl_2_slots' build/synth/sweep_quick.svg || complain "no plot"
broken "an illegal parameter" rtl/dl_mshr/block.points '/^dl_8x2 /s/SLOTS=2/SLOTS=65/'
finish
