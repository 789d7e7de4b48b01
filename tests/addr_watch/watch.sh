#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# With sim.check_hash=yes the addr_hash of each SM checks the set that the L1D uses for each access, the destination of packets and the DRAM line of
# replies, for every function. No other statistic changes. Configurations without the block refuse the key.
# tier: test, 1 s
. tests/lib.bash

statistics() { # FILE
    jq '[(.stats | del(.hash_accesses, .hash_requests, .hash_fetches)), .histograms]' "$1"
}

# same KEYS...: checks that every access and many of the packets are compared, and that no other statistic changes.
same() {
    expect 0 "$MEMTWIN" run -q --check --json "$work/without.json" "$@"
    expect 0 "$MEMTWIN" run -q --check --json "$work/with.json" "$@" -s sim.check_hash=yes
    cmp -s <(statistics "$work/without.json") <(statistics "$work/with.json") || complain "$*: sim.check_hash changes the run"
    jq -e '.verified and .stats.hash_accesses == .stats.l1d_accesses and .stats.hash_requests > 300 and .stats.hash_fetches > 50' "$work/with.json" >/dev/null ||
        complain "$*: $(jq -c '.stats | [.l1d_accesses, .hash_accesses, .hash_requests, .hash_fetches]' "$work/with.json")"
    jq -e '.stats.hash_accesses == 0 and .stats.hash_requests == 0 and .stats.hash_fetches == 0' "$work/without.json" >/dev/null || complain "$*: compared unasked"
}

maps=(modulo xor xor_next prime a_prime d_prime ipoly)
n=0
for index in bmod bxor fermi xor pmod a_prime d_prime ipoly ipoly_sum; do
    same -c maxwell16 -w bfs:512 -s l2.partitions=16 -s l1d.set_index=$index -s l2.partition_map=${maps[n++ % 7]}
done
same -c tiny -w mvt:64 -s l2.partitions=3 -s l2.banks=2
same -c tiny -w atax:64 -s l1d.write=wbwa -s l1d.allocate=fill -s l1d.mshr=dl -s l1d.hit_latency=1
same -c gtx480 -w hotspot:64,2,1
# With at most one access in the miss queue, every packet of an L1D is for a line that was accessed just before.
expect 0 "$MEMTWIN" run -q -c tiny -w sssp:512 -s sim.check_hash=yes -s l1d.miss_queue=2 --json "$work/x.json"
jq -e '.stats | .hash_requests == .l1d_primary_misses + .l1d_bypasses + .l1d_stores + .l1d_atomics' "$work/x.json" >/dev/null ||
    complain "packets: $(jq -c '.stats | [.hash_requests, .l1d_primary_misses, .l1d_bypasses, .l1d_stores, .l1d_atomics]' "$work/x.json")"

# refused TEXT [KEY=VALUE if not in the text]: checks that the message names both keys.
refused() {
    expect_line 1 "$1" "$MEMTWIN" run -q -c tiny -w addvect:64 -s sim.check_hash=yes -s "${2:-$1}"
    grep -q "sim.check_hash=yes needs " "$work/err" || complain "$1: not said of sim.check_hash: $(cat "$work/err")"
}
refused l1d.sets=24
refused l2.partition_map=random
refused l2.partitions=300
refused l2.interleave_lines=3
refused "l1d.enabled=yes, not no" l1d.enabled=no
finish
