#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 15 s; full, 60 s
# Several workloads at once: results, data and counters of each; idle cycles passed over; partitions; what is refused.
. tests/lib.bash

# together NAME OPTION...: all end, with good data and results, the same with and without idle cycles; what is told apart sums up to the totals
together() {
    local name=$1
    shift
    expect 0 "$MEMTWIN" run -q --json "$work/yes.json" "$@" -s sim.skip=yes
    expect 0 "$MEMTWIN" run -q --json "$work/no.json" "$@" -s sim.skip=no
    cmp -s <(jq 'del(.host, .identity, .config_values["sim.skip"])' "$work/yes.json") \
        <(jq 'del(.host, .identity, .config_values["sim.skip"])' "$work/no.json") || complain "$name: skipping changes the run: $*"
    jq -e '[.detail[] | select(.scope == "stream") | .stats] as $s | .stats as $all |
        ["warp_insts", "thread_insts", "load_insts", "store_insts", "atomic_insts", "ctas", "l1d_accesses", "l1d_hits", "l1d_primary", "l1d_rf", "l1d_stores", "kernels"]
        | all(. as $id | ($s | map(.[$id]) | add) == $all[$id] and ($s | length) > 1)' "$work/yes.json" >/dev/null || complain "$name: the parts are not the whole"
}

# ---- every small kernel beside the next one, on a machine with little of everything
partitions=(leftover spatial smk)
mapfile -t kernels <tests/gpu/small_kernels.txt
for i in "${!kernels[@]}"; do
    [ "$TIER" = full ] || [ $((i % 4)) = 1 ] || continue
    together "${kernels[i]}" -c tiny -w "${kernels[i]}" -w "${kernels[(i + 1) % ${#kernels[@]}]}" --check -s sm.warps=64 -s sm.ctas=8 -s "cke.partition=${partitions[i % 3]}"
    jq -e '.verified and .end == "done"' "$work/yes.json" >/dev/null || complain "${kernels[i]}: not verified"
done
together four -c maxwell16_cke -w pathfinder:2000+spmv:400+gemm:32+atax:64 -s cke.partition=smk --check
together sectored -c gtx480_plain -w bfs:512+hotspot:64,2,4 -s l1d.write=wewn -s sm.coalesce=sector -s l1d.sectored=yes -s cke.partition=leftover --check
together bypass -c tiny -w atax:64+ra:2000 -s l1d.bypass=stall -s l1d.mrpb_queues=4 -s cke.partition=spatial --check
together again -c maxwell16_cke -w pathfinder:2000+spmv:400 -s cke.partition=manual -s cke.ctas=3,2 -s cke.restart=grid -s sim.max_cycles=20000
jq -e '.complete == false and .verified == false and (.detail[0].stats.ctas > 100)' "$work/yes.json" >/dev/null || complain "restart=grid does not go on"

# ---- a stale line of a kernel that is over, beside one that is not
expect 4 "$MEMTWIN" run -q -c tiny -w bfs:512+ra:20000 -s cke.partition=spatial -s sm.count=4 -s l1d.sets=256 -s l1d.ways=4 --check -s sim.plant=stale_line

# ---- one workload: a partition changes nothing, fewer CTAs do
one() {
    expect 0 "$MEMTWIN" run -q -c tiny -w gemm:32 --json "$work/one.json" --detail "$@"
    jq 'del(.host, .identity, .config_values, .config_sources)' "$work/one.json"
}
one >"$work/alone"
for p in leftover spatial smk; do
    one -s cke.partition=$p | cmp -s - "$work/alone" || complain "cke.partition=$p changes a run of one workload"
done
[ "$(one -s cke.partition=manual -s cke.ctas=1 | jq .cycles)" -gt "$(jq .cycles "$work/alone")" ] || complain "one CTA on an SM is as fast as two"
# SMs of their own: each workload has what it has on half of the machine
expect 0 "$MEMTWIN" run -q -c maxwell16_cke -w gemm:32+gemm:32 -s cke.partition=spatial --detail --json "$work/two.json"
jq -e '[.detail[] | select(.scope == "sm") | .stats.ctas] as $n | ($n[:8] | add) == ($n[8:] | add)' "$work/two.json" >/dev/null || complain "spatial: other halves"

# ---- what is refused, each with its keys
refused() { # WORDS OPTION...
    expect 1 "$MEMTWIN" run -q -c maxwell16_cke "${@:2}"
    [ "$(wc -l <"$work/err")" = 1 ] && grep -qF -- "$1" "$work/err" || complain "'$1' expected: $(cat "$work/err")"
}
two=(-w pathfinder:2000 -w spmv:400)
refused '2 workloads need cke.partition' "${two[@]}"
refused 'l1d.write=wtwn or wewn' "${two[@]}" -s cke.partition=smk -s l1d.write=wbwa
refused 'l1d.bypass without mdb_local' "${two[@]}" -s cke.partition=smk -s l1d.bypass=static
refused 'uvm.mode=off' "${two[@]}" -s cke.partition=smk -s uvm.mode=paged
refused 'l1d.mrpb_signature=warp' "${two[@]}" -s cke.partition=smk -s l1d.mrpb_queues=4 -s l1d.mrpb_signature=cta
refused 'icache.sets=0' "${two[@]}" -s cke.partition=smk -s icache.sets=4
refused 'it needs sim.max_cycles' "${two[@]}" -s cke.partition=smk -s cke.restart=grid
refused 'cke.ctas=6,18 of kernel pathfinder and those beside it need 24 CTAs and do not fit: sm.ctas = 16' "${two[@]}" -s cke.partition=manual -s cke.ctas=6,18
refused 'need 104 warps and do not fit: sm.warps = 96' -w pathfinder:2000 -w backprop:64 -s cke.partition=manual -s cke.ctas=6,7
refused 'cke.ctas=6 names 1 workloads, and the run has 2' "${two[@]}" -s cke.partition=manual -s cke.ctas=6
refused 'need as many SMs, and sm.count=1' "${two[@]}" -s cke.partition=spatial -s sm.count=1
refused '5 workloads at once are more than 4' -w ra:64 -w ra:64 -w ra:64 -w ra:64+ra:64
refused "no workload 'spvm'" -w pathfinder+spvm
refused 'one of them' "${two[@]}" -t somewhere
finish
