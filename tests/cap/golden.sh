#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s; full, 15 s; long, 25 s
# The Verilog of cap produces the sequences of tests/cap/test_cap.c in Verilator and in Icarus, and a planted fault changes one of them. Run from
# the root. Exit code: 0 if all checks pass.
. tests/lib.bash
. tests/golden.bash
golden cap "$(grep -cE '    cmocka_unit_test\(test_' tests/cap/test_cap.c)"
replays

fault equal_sides cap.v 's/>= wide_need/> wide_need/'
fault least_pages cap.v 's/(i + 5) >=/(i + 4) >=/'
fault memory_fills cap.v 's/full ? BELOW_OVER\[3:0\] : fit/fit/'
fault allocation_of_220_kib cap.v 's/limit & (full/4'"'b1111"' \& (full/'
fault not_set cap.v 's/ && agg_known;/;/'
fault what_is_set_is_seen_in_the_next_cycle cap.v 's/\.rdata(req)/.rdata()/; s/wire \[SIZE_W-1:0\] req;/wire [SIZE_W-1:0] req = set_req;/'
finish
