#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Model-driven bypassing with the RTL of its blocks. In lockstep, every kernel at a small size has correct data and no difference. With the RTL
# driving, the statistics are the same. A run finds faults in the RTL. In tier full each kernel runs with one scheme, and one kernel on gtx480; tier test
# has one kernel in five, no gtx480 and one fault.
# tier: test, 8 s; full, 30 s; long, 60 s
. tests/lib.bash

small=(-c tiny -s l1d.mdb_sampled_sets=4 -s l1d.mdb_interval=60)
good='.verified and .lockstep.mismatches == 0 and (.check.loads > 0 or .stats.load_insts == 0)'

# run NAME TWINS OPTION...: makes a run that must have TWINS twins, and writes its statistics to $work/NAME.stats.
run() {
    local name=$1 twins=$2
    shift 2
    expect 0 "$MEMTWIN" run -q --check --json "$work/$name.json" "$@"
    jq -e "$good and .lockstep.twins == $twins and (.lockstep.cycles > 0 or $twins == 0)" "$work/$name.json" >/dev/null ||
        complain "$name, $*: $(jq -c '[.end, .lockstep, .check]' "$work/$name.json")"
    jq '[.stats, .histograms]' "$work/$name.json" >"$work/$name.stats"
}

# ---- every kernel, each with a different policy ----
policies=('' '-s l1d.write=wewn -s l1d.bypass_slots=0' '-s l1d.write=wbwa -s l1d.allocate=fill' '-s l1d.mshr=dl'
    '-s l1d.mrpb_queues=4 -s l1d.bypass_slots=4 -s sm.scheduler=lrr' '-s l1d.write=local_wb')
n=0 decisions=0
while read -r w; do
    keys=(-w "$w" ${policies[n++ % ${#policies[@]}]})
    [ "$TIER" != test ] || [ $((n % 5)) = 1 ] || continue
    for scheme in local global; do
        [ "$TIER" = long ] || [ $scheme = "$([ $((n / 6 % 2)) = 0 ] && echo local || echo global)" ] || continue
        run $scheme $([ $scheme = local ] && echo 2 || echo 1) "${small[@]}" "${keys[@]}" -s l1d.bypass=mdb_$scheme --twin bpg
        decisions=$((decisions + $(jq .stats.mdb_decisions "$work/$scheme.json")))
    done
done <tests/gpu/small_kernels.txt
[ $decisions -gt $([ "$TIER" = test ] && echo 500 || echo 1000) ] || complain "only $decisions decisions"
echo "$n kernels, $decisions decisions"

# ---- the machine of [Dai]; lockstep and drive mode change nothing ----
for w in atax:96 kmeans:1024,4,3,2 bfs:2048; do
    for machine in "${small[*]}" "-c gtx480"; do
        case $TIER-$w-$machine in test-*-"-c gtx480") continue ;; full-atax:96-*) ;; full-*-"-c gtx480") continue ;; esac
        for scheme in local global; do
            keys=($machine -w $w -s l1d.bypass=mdb_$scheme)
            run none 0 "${keys[@]}"
            twins=1
            [ $scheme = global ] || twins=$([ "$machine" = "-c gtx480" ] && echo 15 || echo 2)
            for mode in lockstep drive; do
                run $mode "$twins" "${keys[@]}" --twin "l1d.*.bpg:$mode"
                cmp -s "$work/none.stats" "$work/$mode.stats" || complain "${keys[*]}, $mode: the statistics differ"
            done
        done
    done
done

# ---- faults in the RTL ----
cp -r rtl "$work/rtl"
broken=(env MEMTWIN_RTL="$work/rtl" MEMTWIN_TWINS="$work/twins" "$MEMTWIN" run -q "${small[@]}" -w bfs:512
    -s l1d.bypass=mdb_local --twin l1d.0.bpg --json "$work/x.json")
expect 0 "${broken[@]}"
while IFS='|' read -r port file expression; do
    cp "$work/rtl/$file" "$work/keep.v"
    sed -i "$expression" "$work/rtl/$file"
    cmp -s "$work/keep.v" "$work/rtl/$file" && complain "$file: $expression: has no effect"
    expect 3 "${broken[@]}"
    grep -q "^  port  *$port\$" "$work/err" || complain "$file: $expression: not found at $port: $(cat "$work/err")"
    cp "$work/keep.v" "$work/rtl/$file"
    [ "$TIER" != test ] || break
done <<'TABLE'
lmax|bpg/bpg_judge.v|s/value >= best/value > best/
st_hits|bpg/bpg_counter.v|s/halve ? {1'b0, total\[W-1:1\]} : total/total/
ask_past|bpg/bpg.v|s/ask_id} >= {/ask_id} > {/
TABLE
finish
