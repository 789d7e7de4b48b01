#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# sm.launch_latency delays each launch by its number of cycles and changes nothing else, whether or not cycles are skipped.
. tests/lib.bash
run() { # FILE WORKLOAD OPTION...
    expect 0 "$MEMTWIN" run -q -c tiny -w "$2" -s clock.sm_mhz=1000 -s clock.icnt_mhz=1000 -s clock.l2_mhz=1000 -s clock.dram_mhz=1000 -s dram.refi=0 --json "$work/$1" "${@:3}"
    jq 'del(.host, .identity, .config_values["sim.skip"], .config_sources)' "$work/$1" >"$work/$1.same"
}
run without addvect:1024
run later addvect:1024 -s sm.launch_latency=1000
[ "$(jq .cycles "$work/later")" -eq $(($(jq .cycles "$work/without") + 1000)) ] || complain "$(jq .cycles "$work/without") cycles without, $(jq .cycles "$work/later") with it"
for counter in l1d_accesses l1d_hits l2_hits dram_reads load_latency; do
    [ "$(jq .stats.$counter "$work/without")" = "$(jq .stats.$counter "$work/later")" ] || complain "$counter differs"
done
run all bfs:512 -s sm.launch_latency=1000 -s sim.skip=no
run some bfs:512 -s sm.launch_latency=1000
cmp -s "$work/all.same" "$work/some.same" || complain "passing over idle cycles changes: $(diff "$work/all.same" "$work/some.same" | head -n 6)"
[ "$(jq .cycles "$work/all")" -gt $((1000 * $(jq .stats.kernels "$work/all"))) ] || complain "not each launch is later"
# a long launch does not count as lack of progress
run patient bfs:512 -s sm.launch_latency=100000 -s sim.no_progress_cycles=50000
finish
