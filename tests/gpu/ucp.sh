#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 4 s; full, 30 s
# Sharing of the L1D's ways by utility (l1d.partition=ucp): data, skipped cycles, decisions on time, at least one way each, a single workload, refused options.
. tests/lib.bash

same() { # NAME OF WHAT
    cmp -s <(jq 'del(.host, .identity, .config_values["sim.skip"])' "$work/yes.json") \
        <(jq 'del(.host, .identity, .config_values["sim.skip"])' "$work/no.json") || complain "$1 changes the run"
}

# shared NAME CYCLES OPTION...: runs with new shares every CYCLES cycles. Checks that data are correct, that skipping changes nothing, that
# each SM makes each due decision for each workload, and that the shares sum up to all ways and give each workload at least one
shared() {
    local name=$1 cycles=$2
    shift 2
    set -- "$@" -s l1d.partition=ucp -s l1d.ucp_cycles="$cycles"
    expect 0 "$MEMTWIN" run -q --json "$work/yes.json" "$@" -s sim.skip=yes
    expect 0 "$MEMTWIN" run -q --json "$work/no.json" "$@" -s sim.skip=no
    same "$name: skipping"
    jq -e --argjson every "$cycles" '[.detail[] | select(.scope == "stream") | .stats] as $s | .stats as $all | .config_values as $c
        | (((.cycles - 1) / $every | floor) * ($c["sm.count"] | tonumber)) as $decisions
        | $decisions > 0 and $all.l1d_ucp_decisions == $decisions * ($s | length) and $all.l1d_ucp_ways == $decisions * ($c["l1d.ways"] | tonumber)
        and ($s | map(.l1d_ucp_ways) | add) == $all.l1d_ucp_ways and all($s[]; .l1d_ucp_decisions == $decisions and .l1d_ucp_ways >= $decisions)' \
        "$work/yes.json" >/dev/null || complain "$name: shares: $(jq -c '[.cycles, ((.stats, (.detail[] | select(.scope == "stream") | .stats)) | .l1d_ucp_decisions, .l1d_ucp_ways)]' "$work/yes.json")"
}
# Ways move between workloads, and the shares are not equal.
moves() { # NAME
    jq -e '.stats.l1d_ucp_transfers > 0 and ([.detail[] | select(.scope == "stream") | .stats.l1d_ucp_ways] | min < max)' "$work/yes.json" >/dev/null || complain "$1: no way is moved"
}

cke=(-c maxwell16_cke -s cke.partition=smk)
shared pair 500 "${cke[@]}" -w pathfinder:20000+spmv:2000 --check
moves pair
expect 0 "$MEMTWIN" run -q --json "$work/lru.json" "${cke[@]}" -w pathfinder:20000+spmv:2000 --check
[ "$(jq .cycles "$work/lru.json")" != "$(jq .cycles "$work/yes.json")" ] || complain "ucp has no effect"
shared four 300 "${cke[@]}" -w pathfinder:2000+spmv:400+gemm:32+atax:64 --check
moves four
# new shares while lines are in flight, and in every cycle
shared often 7 -c tiny -w gemm:32+ra:2000 -s cke.partition=leftover -s l1d.ways=4 -s l1d.sets=4 --check
moves often
shared each_cycle 1 -c tiny -w bfs:512+gemm:32 -s cke.partition=leftover -s l1d.ways=2 -s l1d.sets=2 --check
shared fill 200 "${cke[@]}" -w pathfinder:20000+spmv:2000 -s l1d.allocate=fill --check
moves fill
shared sectored 100 -c fermi_base -w bfs:512+hotspot:64,2,4 -s l1d.write=wewn -s sm.coalesce=sector -s cke.partition=leftover --check
shared stall 50 -c tiny -w atax:64+ra:2000 -s l1d.bypass=stall -s l1d.mrpb_queues=4 -s cke.partition=leftover -s l1d.mshr=dl --check
shared late 90 -c tiny -w atax:64+spmv:400 -s l1d.model=gpgpusim -s cke.partition=leftover -s l1d.ways=3 --check
shared apart 400 -c tiny -w atax:64+ra:2000 -s cke.partition=spatial --check
jq -e '.stats.l1d_ucp_transfers == 0' "$work/yes.json" >/dev/null || complain "spatial: a workload takes ways of another SM"
shared again 1000 "${cke[@]}" -w pathfinder:2000+spmv:400 -s cke.restart=grid -s sim.max_cycles=20000

# ---- a single workload: the partition has no effect
one() {
    expect 0 "$MEMTWIN" run -q -c tiny -w atax:64 --json "$work/one.json" --detail "$@"
    jq 'del(.host, .identity, .config_values, .config_sources)' "$work/one.json"
}
one | cmp -s - <(one -s l1d.partition=ucp -s l1d.ucp_cycles=10) || complain "l1d.partition=ucp changes a run of one workload"

# ---- refused options; each message names its keys
refused() { # WORDS OPTION...
    expect 1 "$MEMTWIN" run -q "${cke[@]}" -s l1d.partition=ucp "${@:2}"
    [ "$(wc -l <"$work/err")" = 1 ] && grep -qF -- "$1" "$work/err" || complain "'$1' expected: $(cat "$work/err")"
}
two=(-w pathfinder:2000 -w spmv:400)
refused 'l1d.partition=ucp has no effect with l1d.enabled=no' "${two[@]}" -s l1d.enabled=no
refused 'l1d.partition=ucp and l1d.bypass=pdp' "${two[@]}" -s l1d.bypass=pdp
refused 'l1d.partition=ucp: 2 workloads need at least as many ways, but l1d.ways=1' "${two[@]}" -s l1d.ways=1
refused 'l1d.partition=ucp: 4 workloads need at least as many ways, but l1d.ways=3' "${two[@]}" "${two[@]}" -s l1d.ways=3
refused 'l1d.ucp_cycles' "${two[@]}" -s l1d.ucp_cycles=0
finish
