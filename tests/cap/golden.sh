#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 10 s; full, 20 s
# The sequences that tests/cap/test_cap.c demands of the model are those of the Verilog, in Verilator and in Icarus, and a fault is found in one. Run from the root.
# Exit code: 0 if all is well.
. tests/lib.bash
mkdir "$work/golden"
CAP_VECTORS=$work/golden expect 0 build/asan/tests/cap/test_cap
[ "$(find "$work/golden" -name 'test_*.vec' | wc -l)" -eq "$(grep -c '    cmocka_unit_test(test_' tests/cap/test_cap.c)" ] || complain "not a recording of each sequence"
for engine in model twin icarus; do
    expect 0 "$MEMTWIN" replay "$work/golden" --engine $engine
done

# fault NAME SED: changes the Verilog; the sequence differs, in Icarus
cp -r rtl "$work/rtl"
fault() {
    sed -i "$2" "$work/rtl/cap/cap.v"
    ! cmp -s rtl/cap/cap.v "$work/rtl/cap/cap.v" || complain "$1: the fault cannot be planted any more: $2"
    MEMTWIN_RTL=$work/rtl expect 3 "$MEMTWIN" replay "$work/golden/test_$1.vec" --engine icarus
    cp rtl/cap/cap.v "$work/rtl/cap/cap.v"
}
fault equal_sides 's/>= wide_need/> wide_need/'
fault least_pages 's/(i + 5) >=/(i + 4) >=/'
fault memory_fills 's/full ? BELOW_OVER\[3:0\] : fit/fit/'
fault allocation_of_220_kib 's/limit & (full/4'"'b1111"' \& (full/'
fault not_set 's/ && agg_known;/;/'
fault what_is_set_is_seen_in_the_next_cycle 's/\.rdata(req)/.rdata()/; s/wire \[SIZE_W-1:0\] req;/wire [SIZE_W-1:0] req = set_req;/'
finish
