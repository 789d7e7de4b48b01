#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s; full, 15 s; long, 25 s
# The Verilog of mil produces the sequences of tests/mil/test_mil.c in Verilator and in Icarus, and a fault in one of the schemes changes its
# sequences. In tier test, the sequence of 82,000 failures runs only on the model. Run from the root.
. tests/lib.bash
. tests/golden.bash
golden mil "$(grep -c '    cmocka_unit_test(test_' tests/mil/test_mil.c)"
[ "$TIER" != test ] || rm "$work/golden/test_dmil_82000_failures_leave_1.vec"
replays

fault dmil_1023_failures_open mil_kernel.v 's/by_0 ? zero :/by_0 ? ONE :/'
fault dmil_1024_failures_keep_24 mil_kernel.v 's/by_0 ? zero :/1'"'"'b1 ? zero :/'
fault dmil_2500_failures_halve mil_div.v 's/part >= {/part > {/'
fault dmil_5000_failures_are_held mil_kernel.v 's/fail && !(&rf_r) ?/fail ?/'
fault dmil_max_2_leaves_1 mil_kernel.v 's/quotient == {W{1.b0}} ? ONE : quotient/quotient/'
fault dmil_room_of_12 mil_kernel.v 's/free\[W-1:0\] > WIDE_ALL ? ALL :/free[W-1:0] > ONE ? ALL :/'
fault qbmi_2_3 mil_quota.v 's/ >= old;/ > old;/'
fault qbmi_2_17 mil_quota.v 's/out\[k\] ? more : total/out[k] ? more : more; \/\/ total/'
fault qbmi_2_3_17 mil_shares.v 's/!equal \&\& first > second/!equal/'
fault qbmi_1_1 mil_quota.v 's/able\[j\] && quota\[j\*QUOTA_W+:QUOTA_W\] > old/1'"'"'b0/'
fault rbmi_every_other mil.v 's/from_issues & ~first_issues/from_issues/'
fault smil_3_1 mil_kernel.v 's/if (set) limit_r/if (set \&\& room == ALL \&\& inflight != 0) limit_r/'
finish
