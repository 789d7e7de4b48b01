#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 100 s; long, 570 s
# Every kernel at a small size on the tiny machine has correct results, passes the data check and agrees with all twins. Every third kernel runs,
# with one of three sets of options (tier long: all kernels with all sets), and also with paging, with frames for three quarters of the pages.
# tests/gpu/lockstep.sh tests plain DL-MSHRs.
. tests/lib.bash

n=-1
while read -r workload; do
    for options in "-s l1d.mshr=static -s l2.mshr=static" \
        "-s l1d.mshr=dl -s l2.mshr=dl -s l1d.dl_pools=shared -s l1d.dl_tail=0 -s l2.dl_tail=1" "-s l1d.enabled=no"; do
        n=$((n + 1)) # three numbers per kernel
        [ "${TIER:-full}" = long ] || [ $((n % 3)) = $((n / 3 % 9)) ] || continue
        expect 0 "$MEMTWIN" run -c tiny -w "$workload" $options --check --twin '*' --json "$work/x.json" -q
        jq -e '.verified and .lockstep.twins >= 2 and .lockstep.mismatches == 0 and (.check.loads > 0 or .stats.load_insts == 0)' \
            "$work/x.json" >/dev/null || complain "$workload, $options: $(jq -c '[.end, .lockstep, .check]' "$work/x.json")"
    done
    expect 0 "$MEMTWIN" run -c tiny -w "$workload" -s uvm.mode=paged -s uvm.memory_percent=75 --check --json "$work/x.json" -q
    jq -e '.verified and .stats.uvm_faults > 0 and (.stats.uvm_evictions > 0 or .stats.uvm_touched_pages <= .stats.uvm_memory_pages)' "$work/x.json" >/dev/null ||
        complain "$workload, paged: $(jq -c '[.end, .verified, .stats.uvm_faults, .stats.uvm_evictions]' "$work/x.json")"
done <tests/gpu/small_kernels.txt
finish
