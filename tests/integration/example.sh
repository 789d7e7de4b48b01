#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 45 s
# The example of docs/understand/dl_mshr.md lints in three tools and responds to 20,000 random requests correctly. Typical mistakes are found.
# Of the logic of the default block and of what the cache has for its sake, the latter is at most 15 %.
. tests/lib.bash
files="$(cat rtl/dl_mshr/dl_mshr.f)"
example=docs/use/example/read_cache.v

silent() { # COMMAND...
    expect 0 "$@"
    [ ! -s "$work/out" ] && [ ! -s "$work/err" ] || complain "$1 says: $(head -n 5 "$work/out" "$work/err")"
}
simulate() { # CODE EXAMPLE
    expect 0 iverilog -g2005 -Wall -Irtl/lib -Irtl/mshr -s read_cache_bench -o "$work/bench" $files "$2" tests/integration/read_cache.v
    expect "$1" vvp -N "$work/bench"
}
# transistors EXAMPLE: prints those of the cache at the block's default sizes, without RAMs
transistors() {
    yosys -q -p "read_verilog -Irtl/lib -Irtl/mshr $(echo "$files" | grep -v mt_ram_1r1w | tr '\n' ' ') $1
        read_verilog -lib rtl/lib/mt_ram_1r1w.v
        chparam -set SETS 64 -set SLOTS 4 -set ADDR_W 25 -set LINES 128 read_cache
        synth -flatten -top read_cache; abc -g cmos2; tee -o $work/stat stat -tech cmos" >"$work/out" 2>&1
    sed -n 's/.*Estimated number of transistors: *\([0-9]*\).*/\1/p' "$work/stat" | tail -n 1
}

silent verilator --lint-only -Wall --language 1364-2005 -Irtl/lib -Irtl/mshr --top-module read_cache $files $example
silent iverilog -g2005 -Wall -Irtl/lib -Irtl/mshr -s read_cache -t null $files $example
silent yosys -q -p "read_verilog -Irtl/lib -Irtl/mshr $(echo $files) $example; hierarchy -check -top read_cache; proc; check -assert"
simulate 0 $example
grep -q '^PASS 20000 requests' "$work/out" || complain "$(tail -n 1 "$work/out")"
grep -q ' 0 looked up again' "$work/out" && complain "no request is looked up again"
cat "$work/out"

# the second lookup and the wait of a hit for the drain are what the cache has for the block's sake
sed "s/assign again .*/assign again = 1'b0;/; s/drains <= .*/drains <= 1'b0;/" $example >"$work/less.v"
all=$(transistors $example)
less=$(transistors "$work/less.v")
echo "transistors, flip-flops not counted: $all, of them $((all - less)) for the second lookup and the wait for the drain"
[ "$less" -gt 10000 ] && [ "$all" -gt "$less" ] || complain "counted $all and $less transistors"
[ $(((all - less) * 100)) -le $((15 * all)) ] || complain "$((all - less)) of $all transistors are around the block"

while IFS='|' read -r edit what; do
    sed "$edit" $example >"$work/bad.v"
    ! cmp -s "$work/bad.v" $example || complain "cannot plant: $what"
    simulate 1 "$work/bad.v"
    echo "$what: $(tail -n 1 "$work/out")"
done <<'FAULTS'
s/wire               room = .*/wire room = 1'b1;/|a fetch without a place
s/? drain_line\[rsp_off/? line[rsp_off/|words from the RAM during the drain
s/out_ready \&\& !drains : room/out_ready : room/|a hit in the place of a drained request
s/assign again .*/assign again = 1'b0;/|a request that is not looked up again
FAULTS
finish
