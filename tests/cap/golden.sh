#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 10 s; full, 15 s; long, 25 s
# The sequences that tests/cap/test_cap.c demands of the model are those of the Verilog, in Verilator and in Icarus, and a fault is found in one. Run from the root.
# Exit code: 0 if all is well.
. tests/lib.bash
. tests/golden.bash
golden cap "$(grep -cE '    cmocka_unit_test\(test_' tests/cap/test_cap.c)"
for engine in model twin icarus; do
    expect 0 "$MEMTWIN" replay "$work/golden" --engine $engine
done

fault equal_sides cap.v 's/>= wide_need/> wide_need/'
fault least_pages cap.v 's/(i + 5) >=/(i + 4) >=/'
fault memory_fills cap.v 's/full ? BELOW_OVER\[3:0\] : fit/fit/'
fault allocation_of_220_kib cap.v 's/limit & (full/4'"'b1111"' \& (full/'
fault not_set cap.v 's/ && agg_known;/;/'
fault what_is_set_is_seen_in_the_next_cycle cap.v 's/\.rdata(req)/.rdata()/; s/wire \[SIZE_W-1:0\] req;/wire [SIZE_W-1:0] req = set_req;/'
finish
