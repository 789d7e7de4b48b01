#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 76 s
# synth/run.sh on two tiny designs: the report is complete, and faults end it with exit code 1 and a reason. Run from the root.
. tests/lib.bash
. tests/synth/report.bash
report_of run.sh quick

expect 0 synth/run.sh --quick
cmp -s "$work/out" build/synth/quick.txt || complain "quick.txt differs from the printed report"
holds "not the two designs" '.small | keys == ["dl_8x2", "static_4x4"]'
holds "an area is not above 0" '[.small[] | .area.cam, .area.sets, .area.control, .area.logic, .area.all_flops, .slots_as_flops, .min_period_ns] | all(. > 0)'
holds "areas do not add up" '[.small[] | (.area | .cam + .sets + .control - .logic), (.area.logic + .slots_as_flops - .area.all_flops)] | all(fabs < 1)'
holds "slot bits are not 16 slots of 16" '[.small[].slot_bits] == [256, 256]'
# At least one address of 25 bits and one fill count per set, and three more bits and the pointer (dl_8x2) or one more bit (static_4x4).
holds "too few flip-flops in dl_8x2" '.small.dl_8x2 | .flops_without_slots >= 8 * (25 + 2 + 3) and .flops >= .flops_without_slots + .slot_bits'
holds "too few flip-flops in static_4x4" '.small.static_4x4 | .flops_without_slots >= 4 * (25 + 3 + 1) and .flops >= .flops_without_slots + .slot_bits'
holds "too many flip-flops" '.small | .dl_8x2.flops_without_slots < 8 * 25 * 2 and .static_4x4.flops_without_slots < 4 * 25 * 2'
holds "no ratios" '.small | (.static_4x4 | has("ratio") | not) and (.dl_8x2.ratio | .logic > 1 and .logic < 3.5 and .all_flops > 1 and .all_flops < .logic and .with_macro == null)'
for heading in logic ratio 'slot bits' 'all flops' 'fast: um2' 'fast: ns'; do
    grep -qF "$heading" "$work/out" || complain "no column '$heading'"
done

# ---- errors
refuses
echo nonsense >"$work/nonsense.lib"
expect_line 1 "is no Liberty file" env LIBERTY="$work/nonsense.lib" synth/run.sh --quick
broken "a syntax error" rtl/static_mshr/static_mshr.v 's/endgenerate/endgenerated/'
broken "a module that is not there" rtl/dl_mshr_paper/dl_mshr_paper.f '/dau.v/d'
broken "an illegal parameter" rtl/dl_mshr_paper/block.points '/^dl_8x2 /s/SLOTS=2/SLOTS=65/'

# ---- a signal to make alone ends the scripts and their tools, with a library that has no earlier measurements
{ zcat -f "$(. synth/flow.bash && echo "$LIBERTY")" && echo "/* $work */"; } >"$work/new.lib"
LIBERTY=$work/new.lib make -s synth >"$work/out" 2>&1 &
below() { # PROCESS: prints its descendants
    local pid
    for pid in $(pgrep -P "$1"); do echo "$pid"; below "$pid"; done
}
running() { # PROCESS...: prints those that still run
    [ $# -eq 0 ] || ps -o pid=,stat=,comm= -p "$(tr ' ' , <<<"$*")" | awk '$2 !~ /Z/'
}
for _ in $(seq 400); do
    started=$(below $!)
    running $started | grep -q ' yosys$' && break
    sleep 0.05
done
running $started | grep -q ' yosys$' || complain "no yosys to be ended: $(cat "$work/out")"
kill -TERM $!
wait $! 2>/dev/null
for _ in $(seq 30); do [ -n "$(running $started)" ] || break; sleep 0.1; done
[ -z "$(running $started)" ] || complain "these run on after make: $(running $started)"
running $started | awk '{ print $1 }' | xargs -r kill -KILL

finish
