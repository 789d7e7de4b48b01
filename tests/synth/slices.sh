#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 4 s
# The RAM that synthesis measures, in slices (synth/mt_ram_1r1w.v), is the RAM of rtl/lib: Yosys and ABC prove their read data equal for words of
# one slice, of several equal ones and with a narrower last one. A slice that is wired wrongly is found.
. tests/lib.bash
(
    die() { echo "$*" >&2; exit 1; }
    . synth/storage.bash
    slice_file "$work/mt_ram_slice.v"
) || complain "no slice"

# same WIDTH DEPTH ADDR_W: succeeds if both give the same read data in every cycle after any inputs, from equal contents
same() {
    local set="-set WIDTH $1 -set DEPTH $2 -set ADDR_W $3 mt_ram_1r1w; hierarchy -top mt_ram_1r1w; proc; flatten; rename -top"
    expect 0 yosys -q -p "read_verilog rtl/lib/mt_ram_1r1w.v; chparam $set whole; select -assert-count 1 t:\$memrd; design -stash whole
        read_verilog $work/mt_ram_slice.v $work/sliced.v; chparam $set sliced; select -assert-count $((($1 + 63) / 64)) t:\$memrd; design -stash sliced
        design -copy-from whole whole; design -copy-from sliced sliced; miter -equiv whole sliced both; hierarchy -top both; flatten
        memory -nomap; memory_map; opt -full; techmap; opt; dffunmap; setundef -undriven -zero; aigmap; opt_clean; write_aiger -zinit $work/both.aig" >&2
    yosys-abc -c "read_aiger $work/both.aig; scorr; pdr -T 20" >"$work/abc" 2>&1
    grep -q 'Property proved' "$work/abc"
}
sizes() { # prints sizes that are not proven
    while read -r size; do same $size || echo "$size"; done <<END
1 1 1
64 3 2
65 3 2
130 4 2
256 2 1
END
}
cp synth/mt_ram_1r1w.v "$work/sliced.v"
[ -z "$(sizes)" ] || complain "another RAM: $(sizes), $(tail -n 2 "$work/abc")"
sed 's/\.wdata(wdata\[i\*SLICE_W+:W\])/.wdata(wdata[0+:W])/' synth/mt_ram_1r1w.v >"$work/sliced.v"
[ "$(sizes)" = "65 3 2
130 4 2
256 2 1" ] || complain "wrong slices are not found: $(sizes)"
finish
