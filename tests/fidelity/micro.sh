#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 5 s
# Every micro trace takes Accel-Sim's cycles on gtx480 and titanx within the bound in sim/experiments/fidelity/micro.txt, and exactly the
# recorded cycles. Skipping idle cycles changes none. Each trace equals the output of its generator.
. tests/lib.bash
sim/experiments/fidelity.sh --micro >"$work/table" || complain "fidelity.sh failed"
[ "$(wc -l <"$work/table")" -eq 62 ] || complain "$(wc -l <"$work/table") lines instead of 62"
awk '{ e = $5 < 0 ? -$5 : $5; if (e > $6) print "FAIL: " $2 " on " $1 ": " $4 " cycles, Accel-Sim " $3 ": " $5 " % off, bound " $6 " %" }' "$work/table" >"$work/off"
[ ! -s "$work/off" ] || complain "$(cat "$work/off")"
EXTRA="-s sim.skip=no" sim/experiments/fidelity.sh --micro >"$work/all" || complain "fidelity.sh failed without skipping"
cmp -s "$work/table" "$work/all" || complain "skipping changes cycles: $(diff "$work/table" "$work/all" | head -n 4)"
while read -r config name _ ours _; do
    column=$([ "$config" = gtx480 ] && echo 6 || echo 10)
    recorded=$(awk -F ' *[|] *' -v n="$name" -v c="$column" '$2 == "`" n "`" || $2 == "`" n "`*" { print $c }' docs/results/data/fidelity.md)
    [ "$ours" = "$recorded" ] || complain "$name on $config: $ours cycles, recorded '$recorded' (if that is meant: make experiment-fidelity, make record)"
done <"$work/table"
# Each trace equals the output of its generator.
for trace in sim/experiments/fidelity/micro/*.traceg.xz; do
    name=$(basename "$trace" .traceg.xz)
    cmp -s <(sim/experiments/fidelity/micro_trace.sh "$name") <(xz -dc "$trace") || complain "$trace is out of date with micro_trace.sh"
    grep -q "^$name " sim/experiments/fidelity/{micro,qv100,titanv,arithmetic}.txt || complain "$name: in no list"
done
expect_line 1 "m_none: no such micro trace" sim/experiments/fidelity/micro_trace.sh m_none
# A run that fails or is cut off does not count as a measurement.
for key in sim.planted_fault=lose_reply sim.max_cycles=10; do
    EXTRA="-s $key" sim/experiments/fidelity.sh --micro gtx480 >"$work/out" 2>"$work/err" && complain "$key: no run is good, and fidelity.sh ends with 0"
    [ ! -s "$work/out" ] || complain "$key: figures of a run that is not good: $(head -n 1 "$work/out")"
done
expect 0 sim/experiments/fidelity.sh --help
expect 1 sim/experiments/fidelity.sh --micro gtx480 titanx
finish
