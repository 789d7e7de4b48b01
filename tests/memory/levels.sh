#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 15 s; full, 150 s
# Cache levels between L2 and DRAM (memory/levels.def): loads and stores get the right bytes with every policy of the L2 before it, its
# statistics agree with those of the parts on both sides, its MSHR agrees with Verilog, skipped cycles change nothing. In full, a second
# level is one more line.
. tests/lib.bash

# level NAME OPTION...: a run with the data check, with and without skipped cycles; $work/NAME.json
level() {
    expect 0 "$MEMTWIN" run -q -w "$workload" --check --json "$work/$1.json" "${@:2}"
    expect 0 "$MEMTWIN" run -q -w "$workload" --check --json "$work/each.json" "${@:2}" -s sim.skip=no
    cmp -s <(jq .stats "$work/$1.json") <(jq .stats "$work/each.json") || complain "$*: skipped cycles change statistics"
    holds "$1" '.l3_accesses == .l3_hits + .l3_primary + .l3_secondary + .l3_stores'
    holds "$1" '.l3_rf == .l3_rf_entry_full + .l3_rf_merge_full + .l3_rf_miss_queue + .l3_rf_line + .l3_rf_rsp_queue + .l3_rf_order'
    holds "$1" ".l3_primary == .l3_fills and .dram_reads == .${last}_fills and .dram_writes == .${last}_writebacks"
    holds "$1" '.l3_hits + .l3_primary + .l3_secondary == .l2_fills + .l2_bypassed'
    holds "$1" '.l3_stores == .l2_writebacks + .l2_write_throughs'
}
# holds NAME FILTER: true of the statistics
holds() {
    jq -e ".stats | $2" "$work/$1.json" >/dev/null || complain "$1: not $2: $(jq -c '.stats | with_entries(select(.key | test("^l3_|^dram_(reads|writes)|^l2_fills|^l2_write")))' "$work/$1.json")"
}
last=l3 # the level before DRAM
workload=bfs:1024
small=(-c tiny -s l2.sets=2 -s l3.sets=8 -s l3.ways=4)

# ---- What it is for: a working set that fits is fetched once ----
expect 0 "$MEMTWIN" run -q -c tiny -w bfs:1024 -s l2.sets=2 --json "$work/none.json"
level fits -c tiny -s l2.sets=2 -s l3.sets=128
holds fits ".cycles < $(jq .stats.cycles "$work/none.json") and .dram_reads * 4 < $(jq .stats.dram_reads "$work/none.json") and .l3_rf_line == 0"
holds none '[to_entries[] | select(.key | startswith("l3_")) | .value] | add == 0'

# ---- Too small for it, with each policy of the L2, and with each resource scarce ----
level small "${small[@]}"
holds small '.l3_writebacks > 100 and .l3_hits > 100'
level through "${small[@]}" -s l2.write=wtwn
level evicting "${small[@]}" -s l2.write=wewn
level fill "${small[@]}" -s l2.allocate=fill
level bypass "${small[@]}" -s l2.bypass=stall -s l2.mshr_entries=2
holds bypass '.l2_bypassed > 0 and .l3_secondary > 0'
level banks "${small[@]}" -s l2.subs=2
level sectors -c titanx -s l2.sets=8 -s l2.ways=1 -s l3.sets=5 -s l3.ways=3
holds sectors '.l3_hits > 0'
level ways -c tiny -s l2.sets=2 -s l3.sets=1 -s l3.ways=2
holds ways '.l3_rf_line > 0'
level queues "${small[@]}" -s l3.queue=2 -s l3.mshr_entries=2 -s l3.mshr_slots=1 -s l3.latency=200
holds queues '.l3_rf_entry_full > 0 and .l3_rf_miss_queue > 0'
scarce=(-s l2.sets=1 -s l2.bypass=stall -s l2.mshr_entries=2 -s l2.write=wtwn)
level order "${small[@]}" "${scarce[@]}"
holds order '.l3_rf_order > 0'
# lines drain while others want their ways
workload=bfs:2048
level drain -c tiny "${scarce[@]}" -s l2.subs=4 -s l2.rsp_queue=1 -s l3.sets=1 -s l3.ways=2 -s l3.queue=2
workload=bfs:1024

# ---- Its MSHR is the Verilog's ----
expect 0 "$MEMTWIN" run -q "${small[@]}" -w bfs:1024 --twin 'l3.*.mshr' --check --json "$work/twin.json"
jq -e '.lockstep.twins == 2 and .lockstep.cycles > 10000 and .lockstep.mismatches == 0' "$work/twin.json" >/dev/null || complain "twins: $(jq -c .lockstep "$work/twin.json")"
expect 0 "$MEMTWIN" run -q "${small[@]}" -w bfs:1024 --twin 'l3.*.mshr:drive' --check --json "$work/drive.json"
cmp -s <(jq .stats "$work/small.json") <(jq .stats "$work/drive.json") || complain "statistics differ with a twin that drives"

# ---- Refused ----
run=("$MEMTWIN" run -q -w bfs:1024)
expect_line 1 "l3.ways=4 has no effect with l3.sets=0" "${run[@]}" -c tiny -s l3.ways=4
expect_line 1 "l3.queue: 1 is outside 2..1024" "${run[@]}" -c tiny -s l3.sets=4 -s l3.queue=1
expect_line 1 "l3.sets needs uvm.mode=off" "${run[@]}" -c hpe15 -s l3.sets=4
expect_line 1 "--threads 2: not with a cache level between L2 and DRAM" "${run[@]}" -c tiny -s l3.sets=4 --threads 2
# A complete file may leave the level out, or name some of its keys.
"$MEMTWIN" config -c tiny | sed '/^\[l3\]/,/^$/d' >"$work/without.ini"
! grep -q l3 "$work/without.ini" || complain "l3 is still in the file"
expect 0 "${run[@]}" -c "$work/without.ini" -s sim.max_cycles=10
printf 'base = %s\n[l3]\nsets = 16\n' "$work/without.ini" >"$work/with.ini"
expect 0 "${run[@]}" -c "$work/with.ini" --json "$work/with.json"
holds with '.l3_hits > 0'

if [ "$TIER" = full ]; then
    # ---- A second level: one line ----
    mkdir "$work/tree"
    git ls-files | tar cf - -T - | tar xf - -C "$work/tree"
    sed -i 's/LEVEL(l3, "L3")/& LEVEL(l4, "L4")/' "$work/tree/cmodel/memory/levels.def"
    expect 0 make -C "$work/tree" OPTIMIZE=-O1 build/memtwin
    MEMTWIN=$work/tree/build/memtwin
    export MEMTWIN_HOME=$work/tree
    last=l4
    level two "${small[@]}" -s l3.sets=2 -s l4.sets=64
    holds two '.l4_hits > 0 and .l4_hits + .l4_primary + .l4_secondary == .l3_primary and .l4_stores == .l3_writebacks'
fi
finish
