#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rtl/lib/mt_set_index.v is addr_set of the C code: over all values of the bits that matter, and random lines. Planted faults are found.
. tests/lib.bash

expect 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -Icmodel -o "$work/set_index" tests/rtl/set_index.c

good=rtl/lib/mt_set_index.v

# compare CODE RTL FUNCTION SETS ADDR_W
compare() {
    "$work/set_index" "$3" "$4" "$5" >"$work/vectors"
    expect 0 iverilog -g2005 -s set_index -Pset_index.INDEX="$3" -Pset_index.SETS="$4" -Pset_index.ADDR_W="$5" -o "$work/bench" "$2" tests/rtl/set_index.v
    expect "$1" vvp -n "$work/bench" +VECTORS="$work/vectors"
    echo "function $3, $4 sets, $5 bits: $(cat "$work/out")"
    [ "$1" -ne 0 ] || [ "$(cat "$work/out")" = "$(wc -l <"$work/vectors")" ] || complain "not all vectors were read"
}

for sets in 1 2 8 32 64 512 4096; do
    compare 0 $good 0 $sets 48
    compare 0 $good 1 $sets 48
done
for sets in 32 64; do
    compare 0 $good 2 $sets 48
done
for bits in 1 6 9 12; do # narrower than what the functions look at
    compare 0 $good 1 32 $bits
    compare 0 $good 2 64 $bits
done

# fault FROM TO FUNCTION SETS: the first piece of text is replaced by the second
fault() {
    sed "s/$1/$2/" $good >"$work/bad.v"
    ! cmp -s $good "$work/bad.v" || complain "no fault planted: $1"
    compare 1 "$work/bad.v" "$3" "$4" 48
}
fault 'a\[18:7\]' 'a[18:8]' 1 32
fault 'a\[10\]' 'a[11]' 2 32
fault 'a\[11:0\] ^ fold' 'a[11:0] | fold' 1 4096
fault '12.b0;' "12'b1;" 0 2
finish
