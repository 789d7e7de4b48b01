#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 15 s; full, 60 s; long, 1800 s
# CAP and TURE on uvm28 at 110 and 140 % oversubscription: all three blocks in lockstep under the data check, with and without skipping, counting walks and
# counting accesses, and one run in which the Verilog drives (not in tier test). Tier test runs one kernel: walks at one percentage, and accesses at the other,
# there without lockstep and only with skipping. Tier full runs two of the experiment's twelve kernels, the first with walks and the second with accesses, each at one percentage.
# Tier long runs all twelve at both percentages with both counts, and at the experiment's sizes (only with skipping).
. tests/lib.bash
[ "$TIER" = test ] || unset MEMTWIN_BRIEF # millions of cycles each, for which an optimized build is worth its time

small=(atax:144 hotspot:128,2,4 fdtd2d:128,2 2dconv:256 3dconv:48 addvect:65536 pathfinder:4096,16,4 mvt:144 backprop:8192 bfs:2048 ra:16384 srad:128,1)
mapfile -t real < <(sed -n 's/^workload = //p' sim/experiments/capture_schemes.ini | tr ' ' '\n')
case ${TIER:-full} in
test) kernels=("${small[@]:0:1}") ;;
full) kernels=("${small[@]:0:2}") ;;
long) kernels=("${small[@]}" "${real[@]}") ;;
esac
[ ${#real[@]} -eq ${#small[@]} ] || complain "${#small[@]} kernels here, ${#real[@]} in the experiment"
capture=("$MEMTWIN" run -q -c uvm28 -s uvm.prefetch=cap -s uvm.prefetch_full=cap -s uvm.evict=ture)
twins=(--twin cap --twin lease --twin expiry)

# holds NAME CONDITION: on the statistics of the last run.
holds() {
    jq -e ".stats | $2" "$work/skip.json" >/dev/null || complain "$1: not so: $2"
}

# same NAME FILE: checks that a run has the statistics of the last one
same() {
    cmp -s <(jq .stats "$work/skip.json") <(jq .stats "$2") || complain "$1: the statistics differ: $(diff <(jq .stats "$work/skip.json") <(jq .stats "$2") | head -n 6)"
}

in_lockstep() { # NAME COMMAND...
    expect 0 "${@:2}" "${twins[@]}" --check --json "$work/twins.json"
    same "$1, lockstep" "$work/twins.json"
    jq -e '.lockstep.twins == 3 and .lockstep.mismatches == 0 and .lockstep.cycles >= 3 * (.cycles - 1)' "$work/twins.json" >/dev/null ||
        complain "$1: $(jq -c .lockstep "$work/twins.json")"
}

n=0
for kernel in "${kernels[@]}"; do
    n=$((n + 1))
    for percent in 91 71; do
        for count in walks accesses; do
            case ${TIER:-full}-$((n % 4))-$percent-$count in
            test-?-91-walks | test-?-71-accesses) ;;
            test-*) continue ;;
            full-1-71-walks | full-2-91-accesses) ;;
            full-*) continue ;;
            esac
            name="$kernel, $percent %, $count"
            run=("${capture[@]}" -w "$kernel" -s uvm.memory_percent=$percent -s ture.unit=$count)
            expect 0 "${run[@]}" --check --json "$work/skip.json"
            [ "${TIER:-full}-$count" = test-accesses ] || in_lockstep "$name" "${run[@]}"
            holds "$name" '.uvm_evictions > 0 and .cap_queries > 0 and .uvm_demand_pages == .uvm_faults'
            [[ " ${small[*]} " = *" $kernel "* && $TIER-$count != test-accesses ]] || continue
            expect 0 "${run[@]}" -s sim.skip=no --json "$work/all.json"
            same "$name, every cycle" "$work/all.json"
        done
    done
done

# Drive mode: a table of two blocks fills early and evicts blocks before memory is full.
run=("${capture[@]}" -w backprop:4096 -s uvm.memory_percent=91 -s ture.table=2)
expect 0 "${run[@]}" --check --json "$work/skip.json"
holds "a small table" '.ture_expired > 100 and .ture_recalls > 50 and .ture_exits_table_full > 5 and .ture_exits_memory_full > 0 and .gmmu_capture_wait_cycles > 0 and .lease_updates > 0'
if [ "$TIER" != test ]; then
    expect 0 "${run[@]}" --twin cap:drive --twin lease:drive --twin expiry:drive --json "$work/twins.json"
    same "driven" "$work/twins.json"
fi

# Verilog that always answers 64 KB differs in lockstep. In drive mode the prefetcher uses its answer.
cp -r rtl "$work/rtl"
sed -i 's/ans_size = number(size)/ans_size = 3'"'"'d0 \& number(size)/' "$work/rtl/cap/cap.v"
! cmp -s rtl/cap/cap.v "$work/rtl/cap/cap.v" || complain "cap.v: no fault planted"
for mode in lockstep drive; do
    expect 3 env MEMTWIN_RTL="$work/rtl" MEMTWIN_TWINS="$work/twins" "${run[@]}" --twin cap:$mode --json "$work/$mode.json"
done
jq -e '.histograms.cap_size[-1][0] > 1' "$work/lockstep.json" >/dev/null || complain "beside the model: $(jq -c .histograms.cap_size "$work/lockstep.json")"
jq -e '.histograms.cap_size | length == 1 and .[0][0] == 1' "$work/drive.json" >/dev/null || complain "driving: $(jq -c .histograms.cap_size "$work/drive.json")"

# The outputs of cap and expiry agree with the driver, with and without their Verilog.
planted() { # FAULT TEXT
    expect 4 "${run[@]}" -s sim.planted_fault="$1"
    grep -q "$2" "$work/err" || complain "$1: $(head -n 3 "$work/err")"
    expect 4 "${run[@]}" -s sim.planted_fault="$1" --twin cap:drive --twin expiry:drive
    grep -q "$2" "$work/err" || complain "$1, driven: $(head -n 3 "$work/err")"
}
planted wrong_size "gmmu.cap answers [01], but the size should be [0-4] "
planted lose_expiry "gmmu.expiry has pages [0-9a-f]* of block [0-9]*, not "

# An array is read once (type I), and no page returns.
expect 0 "$MEMTWIN" run -q -c gtx480 -w patterns:1,1200,3,1,2 -s uvm.mode=paged -s uvm.memory_percent=75 -s uvm.evict=ture --check --json "$work/skip.json"
holds "patterns" '.uvm_faults == 1200 and .uvm_refaults == 0 and .ture_evictions_lru > 0'

# There are no more frames than pages in a block.
expect 0 "${capture[@]}" -w addvect:16384 -s uvm.memory_pages=16 --check --json "$work/skip.json"
holds "16 frames" '.uvm_evictions > 0 and .uvm_memory_pages == 16'

# ---- Invalid combinations ----
refused() { # TEXT OPTION...
    expect_line 1 "$1" "${capture[@]}" -w atax:96 "${@:2}"
}
refused "uvm.prefetch=cap needs uvm.service=each or serial, not set" -s uvm.service=set
refused "cap.full_kib=96 is not 64 times a power of two" -s cap.full_kib=96
refused "uvm.evict=ture needs uvm.memory_pages of whole blocks, a multiple of 16, not 15 (uvm.evict: -s, uvm.memory_pages: -s)" -s uvm.memory_pages=15
refused "uvm.evict=ture needs uvm.memory_pages of whole blocks, a multiple of 16, not 17 " -s uvm.memory_pages=17
refused "uvm.prefetch=cap needs uvm.memory_pages of whole blocks, a multiple of 16, not 1 " -s uvm.memory_pages=1 -s uvm.evict=lru
refused "uvm.evict=ture needs memory for at least one block of 16 pages, but uvm.memory_percent=91 of 12 pages gives 11 (uvm.evict: -s, uvm.memory_percent: -s)" -s uvm.memory_percent=91
refused "uvm.prefetch=cap needs memory for at least one block of 16 pages, but uvm.memory_percent=1 of 12 pages gives 1 (" -s uvm.memory_percent=1 -s uvm.evict=lru
refused "uvm.prefetch=cap needs memory for at least one block of 16 pages, but uvm.memory_percent=100 of 12 pages gives 12; with 0, whole blocks fit (" -s uvm.memory_percent=100 -s uvm.evict=lru
refused "uvm.prefetch_full=cap needs memory for at least one block of 16 pages, " -s uvm.memory_percent=1 -s uvm.evict=lru -s uvm.prefetch=none
refused "uvm.evict=ture needs uvm.frame_unit=1 or whole blocks, a multiple of 16, not 17 (uvm.evict: -s, uvm.frame_unit: -s)" -s uvm.memory_percent=91 -s uvm.frame_unit=17
refused "uvm.memory_percent=91 of 12 pages is less than uvm.frame_unit=16 (uvm.memory_percent: -s, uvm.frame_unit: -s)" -s uvm.memory_percent=91 -s uvm.frame_unit=16
refused "uvm.memory_pages=20 and uvm.memory_percent=91 both set the size of memory" -s uvm.memory_pages=20 -s uvm.memory_percent=91
refused "cap.full_kib=256 has no effect with uvm.prefetch_full=none (cap.full_kib: -s, uvm.prefetch_full: -s)" -s uvm.memory_pages=16 -s cap.full_kib=256 -s uvm.prefetch_full=none
refused "outside 2..1024" -s ture.table=1
refused "ture.period=1100 is too short: with ture.window=1000 it must be at least 2057 (ture.period: -s, ture.window: default" -s ture.period=1100
refused "uvm.prefetch=cap needs uvm.mode=paged, not uvm.mode=off" -s uvm.mode=off
refused "ture.unit=accesses needs at most 32 SMs, not sm.count=80" -s ture.unit=accesses -s sm.count=80
refused "outside 1..16" -s ture.batch=0
expect 0 "${capture[@]}" -w atax:144 -s uvm.memory_percent=91 -s uvm.prefetch_full=oracle -s ture.batch=2 # the first pass has no TURE
expect_line 1 "--twin cap: no such instance; the machine has " "$MEMTWIN" run -c uvm28 -w atax:96 --twin cap
grep -q '; cap exists only with uvm.prefetch=cap or uvm.prefetch_full=cap$' "$work/err" || complain "no cap: $(cat "$work/err")"
for prefetch in cap none; do
    expect_line 1 "; did you mean 'lease'?" "$MEMTWIN" run -c uvm28 -w atax:96 -s uvm.prefetch=$prefetch --twin "sm.0.hash,leese"
done
expect 0 "$MEMTWIN" trace export -w atax:96 -o "$work/trace"
expect_line 1 "uvm.evict=ture needs the arrays of the workload, which a trace does not contain" "${capture[@]}" -s uvm.memory_pages=16 -t "$work/trace/kernelslist.g"
finish
