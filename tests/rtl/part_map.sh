#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rtl/lib/mt_part_map.v matches addr_partition and addr_rest of the C code for low lines, edges and random lines. Planted faults are found.
# Tier test runs each map at a few sizes, and every third fault.
# tier: test, 3 s; full, 25 s
. tests/lib.bash

expect 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -Icmodel -o "$work/part_map" tests/rtl/part_map.c cmodel/cache/addr_map.c

# compare CODE MAP PARTITIONS INTERLEAVE ADDR_W: compares the Verilog in $lib
compare() {
    "$work/part_map" "${@:2}" >"$work/vectors" || complain "no vectors: ${*:2}"
    expect 0 iverilog -g2005 -s part_map -Ppart_map.MAP="$2" -Ppart_map.PARTITIONS="$3" -Ppart_map.INTERLEAVE="$4" -Ppart_map.ADDR_W="$5" -y "$lib" \
        -o "$work/bench" tests/rtl/part_map.v
    expect "$1" vvp -n "$work/bench" +VECTORS="$work/vectors"
    echo "map $2, $3 partitions, chunks of 2^$4, $5 bits: $(cat "$work/out")"
    [ "$1" -ne 0 ] || [ "$(cat "$work/out")" = "$(wc -l <"$work/vectors")" ] || complain "not all vectors were read"
}

deep=1
[ "$TIER" != test ] || deep=
lib=rtl/lib
for n in ${deep:+1 3} 12 ${deep:+16} 61 ${deep:+127 224 255}; do compare 0 0 $n 1 48; done
for n in ${deep:+1 2} 8 ${deep:+16 256}; do
    compare 0 1 $n 1 48
    compare 0 2 $n 1 48
    compare 0 5 $n 1 48
done
for n in ${deep:+2 4 6} 24 ${deep:+100 256}; do compare 0 3 $n 1 48; done
for n in ${deep:+2 4} 16 ${deep:+64}; do compare 0 4 $n 1 48; done
for n in ${deep:+8} 16 ${deep:+32 64}; do compare 0 6 $n 1 48; done
for map in 0 1 2 3 4 5 6; do
    [ -z "$deep" ] || compare 0 $map 16 0 40
    compare 0 $map 16 10 48
    for bits in ${deep:+1} 5 ${deep:+12}; do compare 0 $map 16 1 $bits; done # no bits above the chunk's offset, or only low bits of the chunk number
done
for bits in ${deep:+1} 3 ${deep:+7}; do compare 0 0 12 0 $bits; done

# fault FILE FROM TO MAP PARTITIONS: replaces FROM with TO and expects a difference
n=0
fault() {
    [ -n "$deep" ] || [ $((n++ % 3)) = 0 ] || return 0
    rm -rf "$work/lib"
    cp -r rtl/lib "$work"
    lib=$work/lib
    sed -i "s/$2/$3/" "$lib/$1"
    ! cmp -s "rtl/lib/$1" "$lib/$1" || complain "no fault planted: $2"
    compare 1 "$4" "$5" 1 48
}
fault mt_part_map.v 'FAR = 7 + INTERLEAVE' 'FAR = 7' 1 16
fault mt_part_map.v '\^ chunk\[LOW' '^ chunk[FAR' 2 16
fault mt_part_map.v 'p <= n' 'p < n' 3 61
fault mt_part_map.v ', held_key\[KEY_W-1\]}' ", 1'b0}" 4 64
fault mt_part_map.v '<< 3' '<< 4' 5 16
fault mt_part_map.v 'polynomial = 67;' 'polynomial = 91;' 6 64
fault mt_part_map.v 'key = {residue, chunk\[LOW-1:0\]}' 'key = {residue, chunk[LOW-1:1], chunk[LOW]}' 0 12
fault mt_div_exact.v 'n < 4' 'n < 3' 0 13
fault mt_div_exact.v 'n == 0 ? BASE' 'n == 1 ? BASE' 0 13
fault mt_div_exact.v 'SHORT \* T' 'T' 0 3
fault mt_sum_bits.v "rows\[i\] = 1.b1" "rows[i] = 1'b0" 0 13
finish
