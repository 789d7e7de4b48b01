#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The HIR cache in a run with HPE evictions agrees with its Verilog, and the Verilog can drive.
. tests/lib.bash

paged=(run -q -c tiny -w atax:192 --check -s uvm.mode=paged -s uvm.evict=hpe -s uvm.memory_percent=60 -s hpe.transfer=3 -s hir.sets=1 -s hir.ways=1 -s tlb.l1_entries=4 -s tlb.l2_entries=0)
expect 0 "$MEMTWIN" "${paged[@]}" --json "$work/alone.json"
for mode in lockstep drive; do
    expect 0 "$MEMTWIN" "${paged[@]}" --json "$work/$mode.json" --twin "hir:$mode"
    cmp -s <(jq .stats "$work/alone.json") <(jq .stats "$work/$mode.json") || complain "$mode changes the statistics"
    jq -e '.lockstep.twins == 1 and .lockstep.cycles >= .cycles - 1' "$work/$mode.json" >"$work/out" ||
        complain "$mode: the Verilog did not run in every cycle"
done
jq -e '.stats.hir_entries > 50 and .stats.hir_losses > 0' "$work/alone.json" >"$work/out" || complain "the HIR cache has too little to do"
finish
