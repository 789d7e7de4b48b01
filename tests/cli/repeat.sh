#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# run --repeat runs each launch n times, and verifies it if results repeat. Pages arrive once. Wrong uses are refused.
. tests/lib.bash
run=("$MEMTWIN" run -c tiny)

# repeated N W OPTION...: writes $work/N.json
repeated() {
    local n=$1 w=$2
    shift 2
    expect 0 "${run[@]}" -w "$w" --repeat "$n" --json "$work/$n.json" "$@"
}
same() { # CONDITION: of the single run ($a) and the run with four repetitions ($b)
    jq -en --slurpfile a "$work/1.json" --slurpfile b "$work/4.json" "(\$a[0] as \$a | \$b[0] as \$b | $1)" >/dev/null || complain "not so: $1"
}

for w in 2dconv:64 bicg:64; do
    repeated 1 $w --check
    repeated 4 $w --check
    [ ! -s "$work/err" ] && grep -q 'match the plain C reference' "$work/out" || complain "$w: $(cat "$work/err" "$work/out")"
    same '$b.verified and $a.verified and $b.stats.thread_insts == 4 * $a.stats.thread_insts and $b.stats.kernels == 4 * $a.stats.kernels'
    same '$b.stats.ctas == 4 * $a.stats.ctas and $b.stats.load_lines == 4 * $a.stats.load_lines and $b.stats.load_lines > 0'
    same '$b.reached.launches == 4 * $a.reached.launches and $b.cycles > 2 * $a.cycles'
    same '$a.workload == "'$w'" and $b.workload == "'$w' --repeat 4" and $a.identity != $b.identity'
done
expect 0 "${run[@]}" -q -w bicg:64 --check --json "$work/plain.json"
jq -e --slurpfile a "$work/1.json" '.identity == $a[0].identity and .stats == $a[0].stats' "$work/plain.json" >/dev/null || complain "--repeat 1 changes the run"

# Pages arrive in the first repetition.
for n in 1 4; do repeated $n 2dconv:64 -s uvm.mode=paged --check; done
same '$b.stats.uvm_faults == $a.stats.uvm_faults and $a.stats.uvm_faults > 0 and $b.verified'
for n in 1 4; do repeated $n 2dconv:64 -s uvm.mode=paged -s uvm.user_prefetch=launch -s uvm.memory_percent=50; done
same '$b.stats.uvm_faults > $a.stats.uvm_faults'

# If results differ in each repetition they are not verified, which a note says. The check continues.
repeated 4 gemm:32 --check
grep -q '^results *not verified$' "$work/out" && [ "$(cat "$work/err")" = "memtwin run: results not verified: gemm updates its data in place, so a repeated launch changes the results" ] || complain "gemm: $(cat "$work/err" "$work/out")"
jq -e '.verified == false and .end == "done" and .complete' "$work/4.json" >/dev/null || complain "gemm: verified"
repeated 1 gemm:32
[ ! -s "$work/err" ] || complain "gemm once: $(cat "$work/err")"
# Several workloads at the same time; two passes; the data check still finds faults.
expect 0 "$MEMTWIN" run -c tiny -q -w 2dconv:32+atax:32 -s cke.partition=leftover --repeat 3
expect 0 "${run[@]}" -q -w 2dconv:64 --repeat 3 -s uvm.mode=paged -s uvm.memory_percent=60 -s uvm.evict=ideal --check
expect 4 "${run[@]}" -q -w 2dconv:64 --repeat 3 --check -s sim.planted_fault=lose_store

for w in hybridsort:700 2dconv:32+radixsort:512; do expect_line 1 ": its launches cannot be repeated: each adds to " "${run[@]}" -w $w --repeat 2 -s cke.partition=leftover; done
for w in bfs2:600,1,7 bfs2:600,2,7; do expect_line 1 "bfs2: its launches cannot be repeated: with A=1 or 2 the next queue would overflow" "${run[@]}" -w $w --repeat 2; done
for n in 1 4; do repeated $n bfs2:600,0,7 --check; done
same '$b.verified and $b.stats.atomic_insts == 4 * $a.stats.atomic_insts and $a.stats.atomic_insts > 0'
expect_line 1 "--repeat works only with workloads, not with -t x.g" "${run[@]}" -t x.g --repeat 2
for n in 0 1001 x; do expect_line 1 "--repeat" "${run[@]}" -w 2dconv:64 --repeat $n; done
expect_line 1 "--repeat 2 cannot be combined with cke.restart, which restarts launches forever" "${run[@]}" -w 2dconv:64 --repeat 2 -s cke.restart=launch -s sim.max_cycles=100
finish
