#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 10 s; full, 20 s; long, 45 s
# Skipping idle cycles changes no statistic: every kernel at a small size, with and without skipping, on several machines (in tier full every second
# kernel on one of them, in tier test every third).
. tests/lib.bash

same() { # NAME OPTION...
    local name=$1
    shift
    expect 0 "$MEMTWIN" run -q --json "$work/yes.json" "$@" -s sim.skip=yes
    expect 0 "$MEMTWIN" run -q --json "$work/no.json" "$@" -s sim.skip=no
    cmp -s <(jq 'del(.host, .identity, .config_values["sim.skip"])' "$work/yes.json") \
        <(jq 'del(.host, .identity, .config_values["sim.skip"])' "$work/no.json") || complain "$name: skipping changes the run: $*"
}

machines=('-c tiny --detail' '-c pascal28 -s l1d.mshr=dl -s l2.mshr=dl' '-c cart28 -s l2.incoming=cart -s l1d.mrpb_queues=48 -s l1d.bypass=line'
    '-c tiny -s l1d.bypass=mdb_global -s l1d.mdb_sampled_sets=4 -s l1d.mdb_interval=60 --detail' '-c gtx480 -s l1d.bypass=mdb_local -s l1d.mdb_interval=200'
    '-c titanx --check' '-c gtx480 --check')
n=0
while read -r w; do
    n=$((n + 1))
    turn 3 2 || continue
    for m in "${!machines[@]}"; do
        [ "$TIER" = long ] || [ $((n % ${#machines[@]})) = "$m" ] || continue
        same "$w" -w "$w" ${machines[m]}
    done
done <tests/gpu/small_kernels.txt

# Special cases: long latencies, one warp, walks, the check, and a run that is cut off.
same walk -c tiny -w atax:64 -s l1d.mshr=dl -s l1d.dl_pools=shared -s l1d.dl_tail=0 -s l2.mshr=dl -s l2.dl_tail=0
same bypass -c tiny -w atax:64 -s l1d.bypass=stall -s l2.bypass=stall -s l2.mshr_entries=2 -s l2.miss_queue=8
same pdp -c tiny -w atax:64 -s l1d.bypass=pdp -s l1d.protect_distance=6 -s l1d.bypass_slots=2 -s sm.scheduler=swl -s sm.active_warps=3
same slow -c tiny -w bfs:500 -s icnt.latency=900 -s l1d.hit_latency=300
same nonblocking -c tiny -w atax:64 -s l2.incoming=nonblocking
same free -c tiny -w atax:64 -s l2.incoming=cart -s l2.incoming_hold=no
same queues -c tiny -w atax:64 -s l2.incoming=bank_queues -s l2.bank_queues=2
same hash -c tiny -w bfs:500 -s sim.check_hash=yes -s l1d.set_index=pmod -s l2.partition_map=xor --detail
same check -c tiny -w bfs:500 --check
# Local memory: stores kept on a hit, banks.
expect 0 "$MEMTWIN" trace make spill4 --warps 120 --scale 4 -o "$work/spill" -q
for machine in gtx480 titanx; do
    same "spill on $machine" -c $machine -t "$work/spill" --check
done
# Paging: far-faults, small tables, blocking, the HIR cache, and a copy before the first kernel.
same paged -c tiny -w atax:128 -s uvm.mode=paged -s uvm.memory_percent=60 --check --detail
same blocked -c tiny -w bfs:500 -s uvm.mode=paged -s uvm.memory_percent=50 -s uvm.faults=blocking --detail
same one_fault -c pascal28 -w mvt:96 -s uvm.mode=paged -s uvm.memory_pages=3 -s uvm.fault_us=1 -s uvm.far_faults=1 -s tlb.l1_misses=4 -s tlb.l1_waiting=9
same walks -c tiny -w atax:96 -s uvm.mode=paged -s tlb.l2_entries=0 -s gmmu.walkers=1 -s gmmu.walk_queue=1 -s gmmu.cache_lines=8 -s gmmu.walk_merge=no
same hpe -c tiny -w atax:160 -s uvm.mode=paged -s uvm.evict=hpe -s uvm.memory_percent=70 -s hir.sets=1 -s hir.ways=1 -s hir.transfer_interval=70 -s tlb.l1_entries=4 -s tlb.l2_entries=0
same paged_queues -c cart28 -w mvt:96 -s uvm.mode=paged -s uvm.memory_percent=70 -s l1d.mrpb_queues=48 -s l1d.bypass=line
same copy -c tiny -w atax:128 -s uvm.mode=copy --check --detail
same paged_cut -c tiny -w atax:128 -s uvm.mode=paged -s sim.max_cycles=33333
same cut -c tiny -w gemm:48 -s sim.max_cycles=1777
expect 0 "$MEMTWIN" run -q -c tiny -w bfs:500 --sample 700 --series "$work/yes.csv" -s sim.skip=yes
expect 0 "$MEMTWIN" run -q -c tiny -w bfs:500 --sample 700 --series "$work/no.csv" -s sim.skip=no
cmp -s <(sed 's/,[0-9a-f]*$//' "$work/yes.csv") <(sed 's/,[0-9a-f]*$//' "$work/no.csv") || complain "skipping changes the samples"
# A hang is detected in the same cycle.
for skip in yes no; do
    expect 5 "$MEMTWIN" run -q -c tiny -w atax:64 -s sim.planted_fault=lose_reply -s sim.skip=$skip
    cp "$work/err" "$work/$skip.err"
done
cmp -s "$work/yes.err" "$work/no.err" || complain "skipping changes when a run is given up"
finish
