#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 90 s
# The example of docs/understand/dl_mshr.md lints in three tools and responds to random loads and stores correctly, also with RAMs that
# return X for a word that is written while it is read. Typical mistakes are found. All that the cache adds for the MSHR, at lines of 16 and
# of 128 bytes, is at most 4 % of the area of both: there is no copy of a line.
. tests/lib.bash
files="$(cat rtl/dl_mshr/dl_mshr.f)"
example=docs/examples/small_cache.v

silent() { # COMMAND...
    expect 0 "$@"
    [ ! -s "$work/out" ] && [ ! -s "$work/err" ] || complain "$1 says: $(head -n 5 "$work/out" "$work/err")"
}
# A RAM that returns X for a word that is written while it is read, as an SRAM macro may
sed 's/if (re) rdata <= mem\[raddr\]/if (re) rdata <= (we \&\& waddr == raddr) ? {WIDTH{1'"'b"'x}} : mem[raddr]/' rtl/lib/mt_ram_1r1w.v >"$work/ram.v"
! cmp -s "$work/ram.v" rtl/lib/mt_ram_1r1w.v || complain "cannot make a RAM that returns X"
simulate() { # CODE EXAMPLE RAM [PARAMETER=VALUE]...
    expect 0 iverilog -g2005 -Wall -Irtl/lib -Irtl/mshr -s small_cache_bench ${4+"${@:4}"} -o "$work/bench" \
        $(echo "$files" | sed "s|rtl/lib/mt_ram_1r1w.v|$3|") "$2" tests/integration/small_cache.v
    expect "$1" vvp -N "$work/bench"
}
# area TOP FILE [SETTINGS]: prints the area of TOP in um2 without RAMs, at the block's 64 sets of 4 slots, in OSU 180 nm
area() {
    yosys -q -p "read_verilog -Irtl/lib -Irtl/mshr $(echo "$files" | grep -v mt_ram_1r1w | tr '\n' ' ') $2
        read_verilog -lib rtl/lib/mt_ram_1r1w.v
        chparam -set SETS 64 -set SLOTS 4 -set ADDR_W 25 ${3-} $1
        synth -flatten -top $1; dfflibmap -liberty $cells; abc -liberty $cells; opt_clean
        tee -o $work/stat stat -liberty $cells" >"$work/out" 2>&1
    sed -n 's/.*Chip area.*: *\([0-9]*\).*/\1/p' "$work/stat" | tail -n 1
}

silent verilator --lint-only -Wall --language 1364-2005 -Irtl/lib -Irtl/mshr --top-module small_cache $files $example
silent iverilog -g2005 -Wall -Irtl/lib -Irtl/mshr -s small_cache -t null $files $example
silent yosys -q -p "read_verilog -Irtl/lib -Irtl/mshr $(echo $files) $example; hierarchy -check -top small_cache; proc; check -assert"
# illegal parameters; -Wno-fatal: the error is asked for, not the warnings before it
while read -r point module; do
    expect 1 verilator --lint-only -Wno-fatal --language 1364-2005 -Irtl/lib -Irtl/mshr --top-module small_cache -G$point $files $example
    grep -qF "ILLEGAL_$module" "$work/err" || complain "$point in Verilator: $(head -n 3 "$work/err")"
    ! iverilog -g2005 -Irtl/lib -Irtl/mshr -s small_cache -Psmall_cache.$point -t null $files $example >"$work/out" 2>&1 </dev/null || complain "$point in Icarus"
    grep -qF "ILLEGAL_$module" "$work/out" || complain "$point in Icarus: $(head -n 3 "$work/out")"
done <<'POINTS'
LINES=12 LINES_must_be_a_power_of_two_from_2
LINES=1 LINES_must_be_a_power_of_two_from_2
LINES=0 LINES_must_be_a_power_of_two_from_2
LINES=1024 LINES_must_be_at_most_half_of_2_to_the_ADDR_W
OFF_W=0 OFF_W_must_be_at_least_1
ID_W=0 ID_W_must_be_at_least_1
WORD_W=0 WORD_W_must_be_at_least_1
POINTS
for run in 'SPREAD=5' 'SPREAD=3 SEED=2' 'SPREAD=8 SEED=3' 'SPREAD=5 SLOTS=1 SEED=4'; do
    simulate 0 $example "$work/ram.v" $(printf -- '-Psmall_cache_bench.%s ' $run)
    cat "$work/out"
    ! grep -qE ' 0 (of them|joined|looked)' "$work/out" || complain "$run: a situation that does not occur"
done

# With an MSHR that is never asked twice and whose drain needs no line, the cache would have neither the second lookup, nor the wait of
# a hit for the drain, nor the read of the drained line, nor the wait for room.
cells=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
sed "s/assign again .*/assign again = 1'b0;/; s/drains_next = .*/drains_next = 1'b0;/; s/load   <= .*/load <= 1'b0;/; s/ && |room\[.*\]//" $example >"$work/less.v"
block=$(area dl_mshr $example '-set PAYLOAD_W 10 -set ADDR_OUT 1')
[ "$block" -gt 100000 ] || complain "area $block"
for off in 2 5; do
    sizes="-set SETS 8 -set SLOTS 2 -set LINES 128 -set OFF_W $off"  # the extra logic does not depend on the MSHR's size
    extra=$(($(area small_cache $example "$sizes") - $(area small_cache "$work/less.v" "$sizes")))
    echo "area in um2, 180 nm, lines of $((4 << off)) bytes: dl_mshr $block, around it $extra"
    [ "$extra" -gt 0 ] && [ $((extra * 100)) -le $((4 * (block + extra))) ] || complain "$extra um2 around $block um2"
done

while IFS='|' read -r edit what; do
    sed "$edit" $example >"$work/bad.v"
    ! cmp -s "$work/bad.v" $example || complain "cannot plant: $what"
    simulate 1 "$work/bad.v" "$work/ram.v" -Psmall_cache_bench.SPREAD=5 -Psmall_cache_bench.SLOTS=1 -Psmall_cache_bench.SEED=4
    echo "$what: $(tail -n 1 "$work/out")"
done <<'FAULTS'
s/can_send = .*/can_send = 1'b1;/|a fetch without a place
s/(load .. read_line)/(read_line)/|a drain without its line
s/(have \&\& !drains_next/(have/|a hit in the place of a drained request
s/read_line = read \&\& !drains_next/read_line = read/|a line that is read during a drain
s/: stale);/: 1'b0);/|a request that is not looked up again
s/ \&\& !(fill \&\& fill_index == read_index)//|a tag that is read while it is written
s/: req_primary \&\& !stale)/: 1'b1)/|a store before the fetch of its line ends
s/(hit ? have : req_primary/(hit ? 1'b1 : req_primary/|a store to a line that was replaced
s/ \&\& !store_hit;$/;/|a line that is read while it is stored to
s/ \&\& !store_hit;  .*/;/; s/(ret_valid \&\& !store_hit)/(ret_valid)/|a fill in the cycle of a store
s/ .. .room\[.*\]//|a request without room
FAULTS
finish
