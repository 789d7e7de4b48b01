#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sim.hash=yes: block addr_hash of each SM says of every access which set the L1D uses, of packets where they go, and of replies which DRAM line
# was fetched for them, by every function; it changes nothing else. Where there is no such block it is refused.
# tier: test, 10 s
. tests/lib.bash

statistics() { # FILE
    jq '[(.stats | del(.hash_accesses, .hash_packets, .hash_fetches)), .histograms]' "$1"
}

# same KEYS...: every access is compared, and a good part of the packets; no other statistic changes.
same() {
    expect 0 "$MEMTWIN" run -q --check --json "$work/without.json" "$@"
    expect 0 "$MEMTWIN" run -q --check --json "$work/with.json" "$@" -s sim.hash=yes
    cmp -s <(statistics "$work/without.json") <(statistics "$work/with.json") || complain "$*: sim.hash changes the run"
    jq -e '.verified and .stats.hash_accesses == .stats.l1d_accesses and .stats.hash_packets > 300 and .stats.hash_fetches > 50' "$work/with.json" >/dev/null ||
        complain "$*: $(jq -c '.stats | [.l1d_accesses, .hash_accesses, .hash_packets, .hash_fetches]' "$work/with.json")"
    jq -e '.stats.hash_accesses == 0 and .stats.hash_packets == 0 and .stats.hash_fetches == 0' "$work/without.json" >/dev/null || complain "$*: compared unasked"
}

maps=(modulo xor xor_next prime a_prime d_prime ipoly)
n=0
for index in bmod bxor fermi xor pmod a_prime d_prime ipoly ipoly_sum; do
    same -c maxwell16 -w bfs:512 -s l2.partitions=16 -s l1d.set_index=$index -s l2.partition_map=${maps[n++ % 7]}
done
same -c tiny -w mvt:64 -s l2.partitions=3 -s l2.subs=2
same -c tiny -w atax:64 -s l1d.write=wbwa -s l1d.allocate=fill -s l1d.mshr=dl -s l1d.hit_latency=1
same -c gtx480 -w hotspot:64,2,1
# With one access at most in the miss queue every packet of an L1D is one of a line that was just accessed.
expect 0 "$MEMTWIN" run -q -c tiny -w sssp:512 -s sim.hash=yes -s l1d.miss_queue=2 --json "$work/x.json"
jq -e '.stats | .hash_packets == .l1d_primary + .l1d_bypassed + .l1d_stores + .l1d_atomics' "$work/x.json" >/dev/null ||
    complain "packets: $(jq -c '.stats | [.hash_packets, .l1d_primary, .l1d_bypassed, .l1d_stores, .l1d_atomics]' "$work/x.json")"

# refused TEXT [KEY=VALUE, if it is not the text]: both keys are named.
refused() {
    expect_line 1 "$1" "$MEMTWIN" run -q -c tiny -w addvect:64 -s sim.hash=yes -s "${2:-$1}"
    grep -q "sim.hash=yes needs " "$work/err" || complain "$1: not said of sim.hash: $(cat "$work/err")"
}
refused l1d.sets=24
refused l2.partition_map=random
refused l2.partition_map=hash
refused l2.partitions=300
refused l2.interleave_lines=3
refused "l1d.enabled=1, not 0" l1d.enabled=0
finish
