#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The Verilog of addr_hash in all SMs runs in lockstep, and is compared with the sets and banks that the system uses: each set index and each
# partition map once (in tier test a third of them); in tier long every kernel with one of nine pairs of them. Faults in each output of the
# Verilog are found, in lockstep and in drive mode; in tier test only the first fault.
# tier: test, 8 s; full, 15 s; long, 60 s
. tests/lib.bash

indices=(bmod bxor fermi xor pmod a_prime d_prime ipoly ipoly_sum)
maps=(modulo xor xor_next prime a_prime d_prime ipoly)
machine=(-c tiny -s sm.count=16 -s l1d.sets=32 -s l2.partitions=16 -s sim.check_hash=yes)

# functions N: prints the keys of the Nth of nine pairs, with a twin of each block
functions() {
    echo "-s l1d.set_index=${indices[$1 % 9]} -s l2.partition_map=${maps[$1 % 9 % 7]}"
}

# run NAME TWINS OPTION...: checks that everything is compared without a difference; writes the statistics to $work/NAME.stats
run() {
    local name=$1 twins=$2
    shift 2
    expect 0 "$MEMTWIN" run -q --check --json "$work/$name.json" "${machine[@]}" "$@"
    jq -e ".verified and .lockstep.twins == $twins and .lockstep.mismatches == 0 and (.lockstep.cycles > 0 or $twins == 0)
        and .stats.hash_accesses == .stats.l1d_accesses and (.stats.hash_requests > 0 and .stats.hash_fetches > 0 or .stats.l1d_accesses == 0)" "$work/$name.json" >/dev/null ||
        complain "$name, $*: $(jq -c '[.end, .lockstep, .stats.l1d_accesses, .stats.hash_accesses, .stats.hash_requests, .stats.hash_fetches]' "$work/$name.json")"
    jq '[.stats, .histograms]' "$work/$name.json" >"$work/$name.stats"
}

# ---- each function; in tier long every kernel ----
n=0
while read -r w; do
    [ "$TIER" = long ] || [ $n -lt 9 ] || break
    if [ "$TIER" = test ] && [ $((n % 3)) != 1 ]; then n=$((n + 1)) && continue; fi
    run kernel 16 -w "$w" $(functions $n) --twin addr_hash
    n=$((n + 1))
done <tests/gpu/small_kernels.txt
echo "$n kernels"

# ---- in drive mode, without skipping, in other shapes ----
# Only the watch reads the outputs, so in drive mode everything is compared with them, and the statistics cannot change.
run none 0 -w bfs:512 $(functions 4)
run drive 16 -w bfs:512 $(functions 4) --twin addr_hash:drive
run slow 16 -w bfs:512 $(functions 4) --twin addr_hash -s sim.skip=no
cmp -s "$work/none.stats" "$work/slow.stats" || complain "without skipping: the statistics differ"
run shape 16 -w mvt:40 -s l1d.sets=64 -s l1d.set_index=ipoly -s l2.partitions=12 -s l2.banks=2 -s l2.interleave_lines=8 --twin addr_hash

# ---- faults in the Verilog, for a pair with divisions: PORT|EXPRESSION ----
cp -r rtl "$work/rtl"
broken=(env MEMTWIN_RTL="$work/rtl" MEMTWIN_TWINS="$work/twins" "$MEMTWIN" run -q "${machine[@]}" -w bfs:512 -s l1d.set_index=pmod
    -s l2.partition_map=a_prime --json "$work/x.json")
expect 0 "${broken[@]}" --twin sm.0.hash
while IFS='|' read -r port expression; do
    cp rtl/addr_hash/addr_hash.v "$work/rtl/addr_hash/addr_hash.v"
    sed -i "$expression" "$work/rtl/addr_hash/addr_hash.v"
    ! cmp -s rtl/addr_hash/addr_hash.v "$work/rtl/addr_hash/addr_hash.v" || complain "$expression: has no effect"
    for mode in lockstep drive; do
        expect 3 "${broken[@]}" --twin sm.0.hash:$mode
        grep -q "^  port  *$port\$" "$work/err" || complain "$expression, $mode: not found at $port: $(cat "$work/err")"
    done
    [ "$TIER" != test ] || break
done <<'TABLE'
out_set|s/out_set  <= set;/out_set  <= ~set;/
out_part|s/out_part <= part/out_part <= part ^ 1/
out_rest|s/out_rest <= rest/out_rest <= rest + 1/
out_valid|s/else out_valid <= held_valid/else out_valid <= held_valid \& ~held_line[0]/
TABLE
finish
