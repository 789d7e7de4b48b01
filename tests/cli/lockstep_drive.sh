#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 22 s; long, 50 s
# A twin changes nothing: statistics are equal without twins, in lockstep, and with the Verilog driving. In tier full each workload has one kind of
# MSHR and one block before the L2.
. tests/lib.bash

stats() { # NAME OPTION...
    local name=$1
    shift
    expect 0 "$MEMTWIN" run -c tiny --check --json "$work/$name.json" "$@"
    jq -e '.lockstep.mismatches == 0' "$work/$name.json" >/dev/null || complain "$name: mismatches"
    jq .stats "$work/$name.json" >"$work/$name.stats"
}

w=0
for workload in atax:64 bfs:512 kmeans:256,4,3,2; do
    n=0
    for mshr in static dl; do
        [ "$TIER" = long ] || [ $((n++)) = $((w % 2)) ] || continue
        kind=(-w $workload -s l1d.mshr=$mshr -s l2.mshr=$mshr)
        stats none "${kind[@]}"
        stats lockstep "${kind[@]}" --twin ${mshr}_mshr
        stats drive "${kind[@]}" --twin '*:drive'
        stats mixed "${kind[@]}" --twin 'l1d.*' --twin 'l?.0.mshr:drive'
        for mode in lockstep drive mixed; do
            cmp "$work/none.stats" "$work/$mode.stats" || complain "$workload, $mshr, $mode: the statistics differ"
        done
        jq -e '.lockstep.twins == 8 and .lockstep.cycles > 8 * 1000' "$work/drive.json" >/dev/null || complain "$workload, $mshr: twins"
        jq -e '.lockstep.twins == 3' "$work/mixed.json" >/dev/null || complain "$workload, $mshr: mixed twins"
    done
    # Blocks with a late input: the RTL is evaluated both before and after the input is known.
    n=0
    for before in cart "bank_queues -s l2.bank_queues=4" "cart -s l2.incoming_hold=no"; do
        [ "$TIER" = long ] || [ $((n++)) = $w ] || continue
        kind=(-w $workload -s l2.incoming=$before)
        stats none ${kind[@]}
        for mode in lockstep drive; do
            stats $mode ${kind[@]} --twin "l2.*:$mode"
            cmp "$work/none.stats" "$work/$mode.stats" || complain "$workload, $before, $mode: the statistics differ"
            jq -e '.lockstep.twins == 6 and .stats.reorder_fills > 100' "$work/$mode.json" >/dev/null || complain "$workload, $before: twins"
        done
    done
    w=$((w + 1))
done
finish
