#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Faults planted in the memory system are found: the data check gives exit code 4, and a hang gives 5 and a dump.
. tests/lib.bash

# A line that an SM keeps from an earlier kernel is wrong after another SM has written it: four SMs, large L1Ds.
run=("$MEMTWIN" run -c tiny -w bfs:512 -s sm.count=4 -s l1d.sets=256 -s l1d.ways=4)

for mshr in static dl; do
    kind=(-s l1d.mshr=$mshr -s l2.mshr=$mshr)
    for plant in lose_store stale_line double_reply lose_lane; do
        expect 4 "${run[@]}" "${kind[@]}" --check -s sim.planted_fault=$plant --json "$work/x.json"
        grep -q "data check failed: " "$work/err" || complain "$mshr, $plant: $(head -n 3 "$work/err")"
        jq -e '.end == "check_failed" and .check.failure and (.verified | not)' "$work/x.json" >/dev/null ||
            complain "$mshr, $plant: JSON"
    done
    expect 4 "$MEMTWIN" run -c tiny -w sssp:512 "${kind[@]}" --check -s sim.planted_fault=lost_update # a kernel with atomics
    grep -q "data check failed: " "$work/err" || complain "$mshr, lost_update: $(head -n 3 "$work/err")"
    expect 5 "${run[@]}" "${kind[@]}" -s sim.planted_fault=lose_reply -s sim.no_progress_cycles=2000
    grep -q "no progress" "$work/err" || complain "$mshr, lose_reply is not reported"
    [ "$(wc -l <"$work/err")" -gt 5 ] || complain "$mshr, lose_reply: no dump"
done
# The only way is never filled: loads wait in the LSU and in operand collectors, and the dump shows this.
expect 5 "$MEMTWIN" run -q -c v100 -s l1d.carveouts=none -w mvt:256 -s l1d.sets=1 -s l1d.ways=1 -s l1d.set_index=bmod -s l1d.allocate=miss -s sm.model=gpgpusim -s sm.collectors=2 -s sim.planted_fault=lose_reply -s sim.no_progress_cycles=2000
grep -qE "^sm.0 scheduler 0, [0-9]+ collectors: [1-9][0-9]* memory instructions wait for the LSU" "$work/err" || complain "lose_reply: the dump does not mention collectors"
# A misrouted packet: sim.check_hash finds it immediately; without this key the data check does.
expect 2 "${run[@]}" -s sim.planted_fault=wrong_bank -s sim.check_hash=yes
grep -q "a request for line 0x[0-9a-f]* goes to L2 bank [0-9]*, which should be [0-9]* according to sm.[0-9]*.hash" "$work/err" || complain "wrong_bank: $(head -n 3 "$work/err")"
expect 4 "${run[@]}" -s sim.planted_fault=wrong_bank --check
# A channel that is asked for the wrong line: only the timing and sim.check_hash show it.
expect 2 "${run[@]}" -s sim.planted_fault=wrong_rest -s sim.check_hash=yes
grep -q "line 0x[0-9a-f]* was fetched from DRAM line 0x[0-9a-f]* of its partition, which should be 0x[0-9a-f]* according to sm.[0-9]*.hash" "$work/err" ||
    complain "wrong_rest: $(head -n 3 "$work/err")"
expect 0 "${run[@]}" -s sim.planted_fault=wrong_rest --check
# An L1D that looks up the wrong set, whether it finds a line there or not.
expect 2 "${run[@]}" -s sim.planted_fault=wrong_set -s sim.check_hash=yes
grep -q "the L1D looks for line 0x[0-9a-f]* in set [0-9]*, which should be [0-9]* according to sm.[0-9]*.hash" "$work/err" || complain "wrong_set: $(head -n 3 "$work/err")"
expect 0 "${run[@]}" --check
finish
