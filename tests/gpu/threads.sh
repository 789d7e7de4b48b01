#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 20 s; long, 90 s
# --threads changes no statistic: every kernel at a small size, and traces, on one, two and three threads, on several machines (in tier test
# on one of them). Built-in kernels keep their SMs on one thread, so in tier long each is exported too and run as a trace. All threads have to
# work in every phase that they may work in, whether that pays or not; once they may choose.
. tests/lib.bash
export MEMTWIN_ALL_THREADS=1

results() { # FILE
    jq 'del(.host, .identity)' "$1"
}

same() { # NAME OPTION...
    local name=$1 n
    shift
    expect 0 "$MEMTWIN" run -q --json "$work/1.json" "$@"
    for n in 2 3; do
        expect 0 "$MEMTWIN" run -q --json "$work/n.json" --threads $n "$@"
        cmp -s <(results "$work/1.json") <(results "$work/n.json") || complain "$name: $n threads change the run: $*"
    done
}

machines=('-c titanx --detail' '-c gtx480' '-c tiny -s l1d.mshr=dl -s l2.mshr=dl' '-c cart28 -s l2.incoming=cart -s l1d.mrpb_queues=48 -s l1d.bypass=line'
    '-c gtx480 -s l1d.bypass=mdb_local -s l1d.mdb_interval=200')
n=0
while read -r w; do
    n=$((n + 1))
    for m in "${!machines[@]}"; do
        [ "$TIER" != test ] || [ $((n % ${#machines[@]})) = "$m" ] || continue
        same "$w" -w "$w" ${machines[m]}
    done
    [ "$TIER" != test ] || [ $((n % 8)) = 0 ] || continue
    expect 0 "$MEMTWIN" trace export -w "$w" -o "$work/exported"
    same "$w exported" -c titanx -t "$work/exported/kernelslist.g" --detail
    same "$w exported" -c gtx480 -t "$work/exported/kernelslist.g"
    rm -r "$work/exported"
done <tests/gpu/small_kernels.txt

for kind in vecadd vecadd16 divergent random; do
    expect 0 "$MEMTWIN" trace make "$kind" --warps 96 -o "$work/$kind"
    same "$kind" -c titanx -t "$work/$kind/kernelslist.g" --detail
    same "$kind" -c gtx480 -t "$work/$kind/kernelslist.g" -s sim.skip=no
done
# Clocks that never meet, more threads than parts, a run that is cut off, gauges.
same clocks -c titanx -t "$work/random/kernelslist.g" -s clock.l2_mhz=701 -s clock.icnt_mhz=907 -s clock.dram_mhz=3301
same cut -c titanx -t "$work/random/kernelslist.g" -s sim.max_cycles=1777
same hash -c gtx480 -t "$work/random/kernelslist.g" -s sim.hash=yes -s l1d.set_index=ipoly
same series -c titanx -t "$work/random/kernelslist.g" --json-series
same stall -c gtx480 -w atax:64 -s l1d.bypass=stall -s l2.bypass=stall -s l2.mshr_entries=2 -s l2.miss_queue=8
expect 0 "$MEMTWIN" run -q -c titanx -t "$work/random/kernelslist.g" --json "$work/1.json"
expect 0 "$MEMTWIN" run -q -c titanx -t "$work/random/kernelslist.g" --json "$work/n.json" --threads 64
cmp -s <(results "$work/1.json") <(results "$work/n.json") || complain "64 threads change the run"
unset MEMTWIN_ALL_THREADS
same chosen -c titanx -w gemm:32
# Without that, all threads are at least tried. (Which cycles they get after that depends on the host: test_pace.c.)
same tried -c titanx -t "$work/random/kernelslist.g"
jq -e '.host.phases_by_all_threads > 0' "$work/n.json" >/dev/null || complain "no phase by all threads: $(jq .host "$work/n.json")"
jq -e '.host.phases_by_all_threads == 0' "$work/1.json" >/dev/null || complain "one thread: $(jq .host "$work/1.json")"

# Features that need the order of one thread.
for what in --check '--twin static_mshr' "--record l1d.0.mshr=$work/x.vec" "--timeline $work/x.json" '-s uvm.mode=paged' '-s sim.plant=lose_reply' \
    '-s l1d.bypass=mdb_global'; do
    expect_line 1 "memtwin run: --threads 2: not with " "$MEMTWIN" run -q -c gtx480 -w addvect:64 --threads 2 $what
done
expect_line 1 "--threads" "$MEMTWIN" run -q -c gtx480 -w addvect:64 --threads 65
finish
