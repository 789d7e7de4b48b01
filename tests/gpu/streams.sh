#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 8 s; full, 28 s; long, 50 s
# Several workloads at the same time: results, data and counters of each, skipped cycles, partitions, and refused options.
. tests/lib.bash

# together NAME OPTION...: checks that all workloads end with correct data and results, with and without skipping, and that their counts sum up
together() {
    local name=$1
    shift
    expect 0 "$MEMTWIN" run -q --json "$work/yes.json" "$@" -s sim.skip=yes
    expect 0 "$MEMTWIN" run -q --json "$work/no.json" "$@" -s sim.skip=no
    cmp -s <(jq 'del(.host, .identity, .config_values["sim.skip"])' "$work/yes.json") \
        <(jq 'del(.host, .identity, .config_values["sim.skip"])' "$work/no.json") || complain "$name: skipping changes the run: $*"
    jq -e '[.detail[] | select(.scope == "stream") | .stats] as $s | .stats as $all |
        ["warp_insts", "thread_insts", "load_insts", "store_insts", "atomic_insts", "ctas", "l1d_accesses", "l1d_hits", "l1d_primary_misses", "l1d_refusals", "l1d_stores", "kernels"]
        | all(. as $id | ($s | map(.[$id]) | add) == $all[$id] and ($s | length) > 1)' "$work/yes.json" >/dev/null || complain "$name: the parts are not the whole"
}

# ---- every small kernel together with the next one, on a machine with few of all resources
partitions=(leftover spatial smk)
mapfile -t kernels <tests/gpu/small_kernels.txt
case $TIER in test) step=8 ;; full) step=4 ;; *) step=1 ;; esac
for i in "${!kernels[@]}"; do
    [ $((i % step)) = 0 ] || continue
    together "${kernels[i]}" -c tiny -w "${kernels[i]}" -w "${kernels[(i + 1) % ${#kernels[@]}]}" --check -s sm.warps=64 -s sm.ctas=8 -s "cke.partition=${partitions[i % 3]}"
    jq -e '.verified and .end == "done"' "$work/yes.json" >/dev/null || complain "${kernels[i]}: not verified"
done
together four -c maxwell16_cke -w pathfinder:2000+spmv:400+gemm:32+atax:64 -s cke.partition=smk --check
together sectored -c fermi_base -w bfs:512+hotspot:64,2,4 -s l1d.write=wewn -s sm.coalesce=sector -s cke.partition=leftover --check
together bypass -c tiny -w atax:64+ra:2000 -s l1d.bypass=stall -s l1d.mrpb_queues=4 -s cke.partition=spatial --check
together again -c maxwell16_cke -w pathfinder:2000+spmv:400 -s cke.partition=3,2 -s cke.restart=grid -s sim.max_cycles=20000
jq -e '.complete == false and .verified == false and (.detail[0].stats.ctas > 100)' "$work/yes.json" >/dev/null || complain "restart=grid does not go on"
# 8 CTAs: with `launch`, half of the SMs have one CTA and never a second; with `grid`, all SMs have as many as fit
again() { # RESTART CYCLES
    "$MEMTWIN" run -q -c maxwell16_cke -w addvect:2048 -s cke.restart="$1" -s sim.max_cycles="$2" --check --json "$work/$1.json" >/dev/null 2>&1
}
again grid 20000
again launch 20000
jq -en --slurpfile g "$work/grid.json" --slurpfile l "$work/launch.json" '$l[0].stats as $l | $g[0].stats as $g
    | $l.kernels > 5 and $l.ctas >= 8 * $l.kernels and $l.ctas < 8 * ($l.kernels + 1) + 1 and $g.kernels == 0 and $g.ctas > 2 * $l.ctas' >/dev/null ||
    complain "restart=launch: $(jq -c '.stats | [.kernels, .ctas]' "$work/launch.json" "$work/grid.json" | xargs)"

# on_sm SM EXPECTED OPTION...: checks the numbers of CTAs of pathfinder and spmv on the SM before the first CTA ends
on_sm() {
    local sm=$1 expected=$2 got
    shift 2
    expect 0 "$MEMTWIN" run -q -c maxwell16_cke -w pathfinder:100000,100,20+spmv -s sim.max_cycles=100 --timeline "$work/ctas.json" "$@"
    got=$(jq -c --arg sm "SM $sm" '.traceEvents | (.[] | select(.name == "process_name" and (.args.name | startswith($sm + " ") or . == $sm)) | .pid) as $pid
        | map(select(.ph == "X" and .pid == $pid and (.name | startswith("CTA")))) | [0, 1] as $k | [$k[] as $n | map(select(.args.launch == $n)) | length]' "$work/ctas.json")
    [ "$got" = "[$expected]" ] || complain "CTAs on SM $sm with $*: $got, not [$expected]"
}
on_sm 0 12,0 -s cke.partition=leftover
on_sm 0 11,1 -s cke.partition=leftover -s sm.registers=49000
on_sm 7 12,0 -s cke.partition=spatial
on_sm 8 0,16 -s cke.partition=spatial
on_sm 3 6,8 -s cke.partition=smk
on_sm 3 3,2 -s cke.partition=3,2

# ---- no SM waits forever: CTAs whose first instruction is a load, alone on an SM; a CTA that ends when its last store is acknowledged
for scheme in 'mil.limit=dynamic' 'mil.order=turns' 'mil.limit=2,1' 'mil.order=quotas' 'cke.quotas=1000,1'; do
    for model in simple gpgpusim; do
        [ "$TIER-$model" = test-gpgpusim ] || together "$scheme, $model" -c tiny -w gemm:32+atax:64 -s cke.partition=smk -s sm.model=$model -s $scheme
        [ "$TIER-$model" = test-simple ] || together "$scheme, $model, an SM each" -c tiny -w bfs:512+ra:2000 -s cke.partition=spatial -s sm.model=$model -s $scheme
    done
done

# launches that never start, or with `grid` CTAs, are not counted
where() { # WORKLOAD RESTART WORDS
    expect 0 "$MEMTWIN" run -q -c tiny -w "$1" -s cke.partition=smk -s cke.restart="$2" -s sim.max_cycles=3000 --json "$work/where.json"
    grep -qE "in SM cycle 3000, $3\$" "$work/err" || complain "restart=$2 of $1: $(cat "$work/err")"
    jq -e '.reached | .launches == null and .all_ctas == null' "$work/where.json" >/dev/null || complain "restart=$2 of $1: $(jq -c .reached "$work/where.json")"
}
where addvect:2048 grid 'launch 1, [0-9]+ CTAs done'
where addvect:2048 launch 'kernel [0-9]+, [0-8] of 8 CTAs'
where addvect:2048+ra:64 grid 'launch 2, [0-9]+ CTAs done'
where addvect:2048+ra:64 launch 'launch [0-9]+, [0-9]+ CTAs done'

# ---- issue limits: a limiter, quotas, and the effect of L1D refusals on limits
busy=(-c maxwell16_cke -w pathfinder:4000+kmeans:2048 -s cke.partition=smk)
together dmil "${busy[@]}" -s mil.limit=dynamic
jq -e '.stats | .mil_decisions > 20 and .mil_decisions_open > 0 and .mil_decisions_open < .mil_decisions and .slots_mil > 0' "$work/yes.json" >/dev/null || complain "DMIL makes no decision"
with=$(jq .cycles "$work/yes.json")
expect 0 "$MEMTWIN" run -q --json "$work/yes.json" "${busy[@]}"
[ "$with" -lt "$(jq .cycles "$work/yes.json")" ] || complain "DMIL gives no gain where the L1D thrashes"
together smil "${busy[@]}" -s mil.limit=none,3
together qbmi "${busy[@]}" -s mil.order=quotas -s mil.limit=dynamic -s mil.fallback=step -s mil.failure_bits=20
together rbmi -c tiny -w atax:64+ra:2000 -s cke.partition=smk -s mil.order=turns -s sm.pending_loads=900 --check
together smkw "${busy[@]}" -s cke.quotas=300,200
jq -e '.stats.slots_mil > 0' "$work/yes.json" >/dev/null || complain "quotas hold no kernel back"
expect 0 "$MEMTWIN" run -q --json "$work/yes.json" -c maxwell16_cke -w backprop:65536+spmv -s cke.partition=smk -s cke.quotas=300,200 -s cke.restart=launch -s sim.max_cycles=30000
jq -e '.detail | map(select(.scope == "stream").stats.warp_insts) | .[0] / .[1] | . > 1.47 and . < 1.53' "$work/yes.json" >/dev/null || complain "quotas of 3 to 2 are not kept"
together three -c tiny -w atax:64+ra:2000+bfs:512 -s cke.partition=leftover -s mil.limit=1,1,1 --check
if [ "$TIER" != test ]; then # the Verilog agrees, and can drive
    expect 0 "$MEMTWIN" run -q --json "$work/no.json" "${busy[@]}" -s mil.limit=dynamic -s mil.order=quotas --twin mil:drive
    jq -e '.lockstep.twins == 16 and .lockstep.mismatches == 0 and .lockstep.cycles > 100000' "$work/no.json" >/dev/null || complain "twins of mil: $(jq -c .lockstep "$work/no.json")"
    expect 0 "$MEMTWIN" run -q --json "$work/yes.json" "${busy[@]}" -s mil.limit=dynamic -s mil.order=quotas
    cmp -s <(jq 'del(.host, .identity, .lockstep)' "$work/yes.json") <(jq 'del(.host, .identity, .lockstep)' "$work/no.json") || complain "the run differs when the Verilog of mil drives"
fi

# ---- a run that hangs reports the warps that are not allowed to issue, and the limiter
stands() { # OPTION...
    expect 5 "$MEMTWIN" run -q -c tiny -s cke.partition=smk -s sim.planted_fault=lose_reply -s sim.no_progress_cycles=2000 "$@"
}
says() {
    grep -qE -- "$1" "$work/err" || complain "'$1' is not in the dump: $(grep -E '^sm' "$work/err")"
}
stands -w atax:64+ra:2000 -s mil.limit=1,none
says '^sm\.0 warp [0-9]+ workload 0 cta .*, waits for limiter '
says '^sm\.0\.mil: memory instructions in flight: workload 0: 1, limit 1; workload 1: 0, limit none$'
stands -w ra:20000+gemm:32 -s cke.quotas=300,20
says '^sm\.1 warp [0-9]+ workload 1 cta .*, waits for quota '
says '^sm\.1 quotas left: workload 0: [1-9][0-9]* of 300; workload 1: 0 of 20$'
stands -w ra:20000
! grep -E 'workload|quotas|mil' "$work/err" >"$work/words" || complain "one workload: $(cat "$work/words")"

# ---- stale lines of a finished launch next to a running one (kernel 0 means that all are finished): found in an L1D, or by loads of the next launch
plant() { # PLANT PATTERN
    expect 4 "$MEMTWIN" run -q -c tiny -w fdtd2d:32+ra:20000 -s cke.partition=spatial -s sm.count=4 -s l1d.sets=256 -s l1d.ways=4 --check -s "sim.planted_fault=$1"
    grep -q "$2" "$work/err" || complain "$1: $(head -n 3 "$work/err")"
}
plant keep_lines 'line 0x[0-9a-f]* of a launch that has ended is in the L1D of SM [0-9]'
plant stale_line 'stale data: load of SM .*, kernel 0: .*; allowed: version [0-9]* (SM [0-9], an earlier kernel)$'

# ---- one workload: a partition changes nothing, but fewer CTAs do
one() {
    expect 0 "$MEMTWIN" run -q -c tiny -w gemm:32 --json "$work/one.json" --detail "$@"
    jq 'del(.host, .identity, .config_values, .config_sources)' "$work/one.json"
}
one >"$work/alone"
for p in leftover spatial smk; do
    one -s cke.partition=$p | cmp -s - "$work/alone" || complain "cke.partition=$p changes a run of one workload"
done
[ "$(one -s cke.partition=1 | jq .cycles)" -gt "$(jq .cycles "$work/alone")" ] || complain "one CTA on an SM is as fast as two"
# With separate SMs, each workload has the statistics of a run on half of the machine
expect 0 "$MEMTWIN" run -q -c maxwell16_cke -w gemm:32+gemm:32 -s cke.partition=spatial --detail --json "$work/two.json"
jq -e '[.detail[] | select(.scope == "sm") | .stats.ctas] as $n | ($n[:8] | add) == ($n[8:] | add)' "$work/two.json" >/dev/null || complain "spatial: other halves"

# ---- refused options; each message names its keys
refused() { # WORDS OPTION...
    expect 1 "$MEMTWIN" run -q -c maxwell16_cke "${@:2}"
    [ "$(wc -l <"$work/err")" = 1 ] && grep -qF -- "$1" "$work/err" || complain "'$1' expected: $(cat "$work/err")"
}
two=(-w pathfinder:2000 -w spmv:400)
refused '2 workloads need cke.partition' "${two[@]}"
refused 'l1d.write=wtwn or wewn' "${two[@]}" -s cke.partition=smk -s l1d.write=wbwa
refused 'need another l1d.bypass' "${two[@]}" -s cke.partition=smk -s l1d.bypass=static
refused 'uvm.mode=off' "${two[@]}" -s cke.partition=smk -s uvm.mode=paged
refused 'icache.sets=0' "${two[@]}" -s cke.partition=smk -s icache.sets=4 -s sm.model=gpgpusim -s sm.fetch=1
refused 'it needs sim.max_cycles' "${two[@]}" -s cke.partition=smk -s cke.restart=grid
refused 'cke.partition=6,18: the CTAs of kernel pathfinder and of the other kernels need 24 CTAs and do not fit: sm.ctas = 16' "${two[@]}" -s cke.partition=6,18
refused 'need 104 warps and do not fit: sm.warps = 96' -w pathfinder:2000 -w backprop:64 -s cke.partition=6,7
refused 'a CTA count for each of the 2 workloads; cke.partition=6 has 1' "${two[@]}" -s cke.partition=6
refused 'need at least as many SMs, but sm.count=1' "${two[@]}" -s cke.partition=spatial -s sm.count=1
refused 'a limit for each of the 2 workloads, for example 8,none; mil.limit=4 has 1' "${two[@]}" -s cke.partition=smk -s mil.limit=4
refused "mil.limit=none8,8: 'none8' is not a limit: a number from 1 to 254, or none" -w gemm:32 -s mil.limit=none8,8
refused "mil.limit=8,0: '0' is not a limit" "${two[@]}" -s cke.partition=smk -s mil.limit=8,0
refused 'mil.limit=1,1,1,1,1 has 5' "${two[@]}" -s cke.partition=smk -s mil.limit=1,1,1,1,1
refused "mil.limit=8,: '' is not a limit" "${two[@]}" -s cke.partition=smk -s mil.limit=8,
refused "mil.limit=255,8: '255' is not a limit" "${two[@]}" -s cke.partition=smk -s mil.limit=255,8
refused "the L1D's pipeline add up to 1032" "${two[@]}" -s cke.partition=smk -s mil.order=turns -s sm.pending_loads=1024
refused 'mil.failure_bits: 9 is outside 10..24' "${two[@]}" -s cke.partition=smk -s mil.limit=dynamic -s mil.failure_bits=9
refused 'need l1d.model=simple, not gpgpusim' "${two[@]}" -s cke.partition=smk -s mil.limit=dynamic -s l1d.model=gpgpusim
refused 'cke.partition=x: must be none, leftover, spatial, smk, or the CTA count' -w gemm:32 -s cke.partition=x
refused "not 'x'" -w gemm:32 -s cke.quotas=x
refused 'leave no room for a CTA of kernel pathfinder' -w gemm:64+pathfinder:20000 -s cke.partition=smk -s sm.warps=8 -s cke.restart=grid -s sim.max_cycles=2000
refused 'cke.quotas needs a quota' "${two[@]}" -s cke.partition=smk -s cke.quotas=4
refused 'cke.quotas=4,5 and a limiter' "${two[@]}" -s cke.partition=smk -s cke.quotas=4,5 -s mil.order=quotas
refused '5 workloads, but at most 4 can run concurrently' -w ra:64 -w ra:64 -w ra:64 -w ra:64+ra:64
refused "no workload 'spvm'" -w pathfinder+spvm
refused 'use either -w' "${two[@]}" -t somewhere

# ---- docs/understand/concurrent.md says which configurations run several workloads, and because of which key the others do not
for path in sim/configs/*.ini; do
    name=$(basename "$path" .ini)
    reason=$("$MEMTWIN" run -q -c "$name" -w addvect:64+addvect:64 -s cke.partition=smk -s sim.max_cycles=10 2>&1) && echo "$name run" ||
        echo "$name $(grep -oE '(l1d\.write|icache\.sets|uvm\.mode)=' <<<"$reason" | head -n 1 | tr -d =)"
done >"$work/can"
tr '\n' ' ' <docs/understand/concurrent.md | grep -oE 'by default\. .* because of `uvm.mode`' | grep -oE '`[a-z0-9_.]+`|can run' | tr -d '`' | awk '
    /\.|can/ { for (i = 1; i <= n; i++) print name[i], /can/ ? "run" : $0; n = 0; next }
    { name[++n] = $0 }' | sort >"$work/said"
cmp -s "$work/can" "$work/said" || complain "concurrent.md: $(diff "$work/said" "$work/can")"
finish
