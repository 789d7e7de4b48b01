#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 25 s; long, 60 s
# The contract of addr_hash can fail: a fault planted in a function, a division or the pipeline violates the named property.
. tests/lib.bash
. tests/formal/contract_fault.bash
hash='ADDR_W=8 SETS=8 INTERLEAVE=1'

fault lib/mt_set_index.v '3: prime_below = 7;' '3: prime_below = 5;' addr_hash "$hash INDEX=4 PARTITIONS=4 MAP=1" set_is
fault lib/mt_set_index.v '3: prime_above = 11;' '3: prime_above = 13;' addr_hash "$hash INDEX=5 PARTITIONS=4 MAP=1" set_is
fault lib/mt_set_index.v '{t << 3,' '{t << 2,' addr_hash "ADDR_W=8 SETS=16 INDEX=6 PARTITIONS=4 MAP=2" set_is
fault lib/mt_set_index.v 'fold = a[SET_BITS+:12]' 'fold = a[SET_BITS+1+:12]' addr_hash "$hash INDEX=3 PARTITIONS=4 MAP=1" set_is
fault lib/mt_mod_poly.v '^ MODULUS' '^ (MODULUS | 2)' addr_hash "ADDR_W=10 SETS=32 INDEX=7 PARTITIONS=4 MAP=1" set_is
fault lib/mt_set_index.v 'i < 27' 'i < 7' addr_hash "$hash INDEX=8 PARTITIONS=4 MAP=1" set_is
fault lib/mt_mod_const.v 'MODULUS - total' 'total' addr_hash "$hash INDEX=0 PARTITIONS=13" part_is
fault lib/mt_part_map.v 'chunk[FAR+:LOW]' 'chunk[FAR-1+:LOW]' addr_hash "ADDR_W=12 SETS=8 INDEX=0 MAP=1" part_is
fault lib/mt_part_map.v 'p <= n &&' 'p < n &&' addr_hash "$hash INDEX=0 PARTITIONS=7 MAP=3" part_is
fault lib/mt_part_map.v 'held_key[KEY_W-1]}' "1'b0}" addr_hash "$hash INDEX=0 PARTITIONS=4 MAP=4" rest_is one_to_one
fault lib/mt_div_exact.v 'n == 0 ? BASE' 'n == 1 ? BASE' addr_hash "$hash INDEX=0 PARTITIONS=12" rest_is
fault addr_hash/addr_hash.v 'out_valid <= held_valid;' 'out_valid <= held_valid && !out_valid;' addr_hash "$hash INDEX=0" follows
fault addr_hash/addr_hash.v '.held_line(held_line)' '.held_line(acc_line)' addr_hash "$hash INDEX=0 LATENCY=2" rest_is
fault addr_hash/addr_hash.v 'assign held_set_key = set_key_r;' 'assign held_set_key = set_key;' addr_hash "$hash INDEX=1 LATENCY=2" set_is
# the contents of the first register stage
fault addr_hash/addr_hash.v 'set_key_r   <= set_key;' 'set_key_r <= set_key | {SET_KEY_W{out_valid}};' addr_hash "$hash INDEX=4 PARTITIONS=4 MAP=1 LATENCY=2" held set_is
fault addr_hash/addr_hash.v 'else acc_valid_r <= acc_valid;' 'else acc_valid_r <= acc_valid && !out_valid;' addr_hash "$hash INDEX=0 LATENCY=2" on_time follows
finish
