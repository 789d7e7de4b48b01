#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 16 s
# The example of docs/understand/dl_mshr.md lints in three tools and answers 20,000 random requests correctly with either MSHR. Typical mistakes are found.
. tests/lib.bash
files="$(cat rtl/dl_mshr_paper/dl_mshr_paper.f rtl/static_mshr/static_mshr.f | sort -u)"
example=docs/use/example/read_cache.v

silent() { # COMMAND...
    expect 0 "$@"
    [ ! -s "$work/out" ] && [ ! -s "$work/err" ] || complain "$1 says: $(head -n 5 "$work/out" "$work/err")"
}
simulate() { # CODE LINKED EXAMPLE
    expect 0 iverilog -g2005 -Wall -Irtl/lib -Irtl/mshr -s read_cache_bench -Pread_cache_bench.LINKED="$2" -o "$work/bench" $files "$3" tests/integration/read_cache.v
    expect "$1" vvp -N "$work/bench"
}

for linked in 0 1; do
    silent verilator --lint-only -Wall --language 1364-2005 -Irtl/lib -Irtl/mshr --top-module read_cache -GLINKED=$linked $files $example
    silent iverilog -g2005 -Wall -Irtl/lib -Irtl/mshr -s read_cache -Pread_cache.LINKED=$linked -t null $files $example
    silent yosys -q -p "read_verilog -Irtl/lib -Irtl/mshr $(echo $files) $example; chparam -set LINKED $linked read_cache; hierarchy -check -top read_cache; proc; check -assert"
    simulate 0 $linked $example
    grep -q '^PASS 20000 requests' "$work/out" || complain "LINKED=$linked: $(tail -n 1 "$work/out")"
    cat "$work/out"
done

# a fetch without a free entry, the line taken from the array during a drain, and a hit during a drain
while IFS='|' read -r edit what; do
    sed "$edit" $example >"$work/bad.v"
    ! cmp -s "$work/bad.v" $example || complain "cannot plant: $what"
    simulate 1 1 "$work/bad.v"
    echo "$what: $(tail -n 1 "$work/out")"
done <<'FAULTS'
s/wire               room = .*/wire room = 1'b1;/|a fetch without a place
s/? drained\[rsp_off/? hit_line[rsp_off/|words from the array during the drain
s/out_ready && !rsp_valid : room/out_ready : room/|a hit in the place of a drained request
FAULTS
finish
