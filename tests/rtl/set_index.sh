#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rtl/lib/mt_set_index.v matches addr_set of the C code: bmod, bxor, fermi, xor and d_prime for all values of the relevant bits (xor and d_prime
# above 256 sets for the first 65536), the others for edges, and all for random lines. Planted faults are found. Tier test runs each function
# at a few sizes, and every third fault.
# tier: test, 2 s; full, 35 s
. tests/lib.bash

expect 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -Icmodel -o "$work/set_index" tests/rtl/set_index.c

# compare CODE FUNCTION SETS ADDR_W: compares the Verilog in $lib
compare() {
    "$work/set_index" "$2" "$3" "$4" >"$work/vectors"
    expect 0 iverilog -g2005 -s set_index -Pset_index.INDEX="$2" -Pset_index.SETS="$3" -Pset_index.ADDR_W="$4" -y "$lib" -o "$work/bench" tests/rtl/set_index.v
    expect "$1" vvp -n "$work/bench" +VECTORS="$work/vectors"
    echo "function $2, $3 sets, $4 bits: $(cat "$work/out")"
    [ "$1" -ne 0 ] || [ "$(cat "$work/out")" = "$(wc -l <"$work/vectors")" ] || complain "not all vectors were read"
}

deep=1
[ "$TIER" != test ] || deep=
lib=rtl/lib
for sets in ${deep:+1 2 8} 32 ${deep:+64 512 4096}; do
    compare 0 0 $sets 48
    compare 0 1 $sets 48
    compare 0 3 $sets 48
    compare 0 6 $sets 48
    compare 0 8 $sets 48
done
for sets in 32 64; do
    compare 0 2 $sets 48
done
for sets in ${deep:+4 8 16 32} 64 ${deep:+128} 256 ${deep:+512 1024 2048 4096}; do # each size has its own primes and polynomial
    compare 0 4 $sets 48
    compare 0 5 $sets 48
    [ $sets -eq 4 ] || compare 0 7 $sets 48
done
for bits in ${deep:+1 6} 9 ${deep:+12 20}; do # narrower than the bits that the functions use
    compare 0 2 64 $bits
    for function in 1 3 4 5 6 7 8; do compare 0 $function 32 $bits; done
done

# fault FILE FROM TO FUNCTION SETS: replaces FROM with TO and expects a difference
n=0
fault() {
    [ -n "$deep" ] || [ $((n++ % 3)) = 0 ] || return 0
    rm -rf "$work/lib"
    cp -r rtl/lib "$work"
    lib=$work/lib
    sed -i "s/$2/$3/" "$lib/$1"
    ! cmp -s "rtl/lib/$1" "$lib/$1" || complain "no fault planted: $2"
    compare 1 "$4" "$5" 48
}
fault mt_set_index.v 'a\[18:7\]' 'a[18:8]' 1 32
fault mt_set_index.v 'a\[10\]' 'a[11]' 2 32
fault mt_set_index.v 'a\[11:0\] ^ fold' 'a[11:0] | fold' 1 4096
fault mt_set_index.v '12.b0;' "12'b1;" 0 2
fault mt_set_index.v 'fold = a\[SET_BITS' 'fold = a[7' 3 32
fault mt_set_index.v 'prime_below = 61;' 'prime_below = 59;' 4 64
fault mt_set_index.v 'prime_above = 37;' 'prime_above = 41;' 5 32
fault mt_set_index.v 't << 3' 't << 2' 6 32
fault mt_set_index.v 'polynomial = 283;' 'polynomial = 285;' 7 256
fault mt_set_index.v 'i < 27' 'i < 26' 8 64
fault mt_mod_const.v 'MODULUS - total' 'total' 4 64
fault mt_mod_const.v 'less\[LAST_W\] ?' "1'b0 ?" 5 64
fault mt_mod_const.v 'gen_less\[TIMES\[1:0\]\]' 'gen_less[0]' 5 32
fault mt_sum_rows.v '(y & z)' "1'b0" 5 4096
fault mt_mod_poly.v 'power\[DEGREE\]' 'power[DEGREE-1]' 7 8
finish
