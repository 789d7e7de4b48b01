#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s; full, 40 s; long, 70 s
# The Verilog of expiry produces the sequences of tests/expiry/test_expiry.c in Icarus and in Verilator, and a planted fault changes one of them.
# In tier test, sequences of many entries run only on the model. Run from the root. Exit code: 0 if all checks pass.
. tests/lib.bash
. tests/golden.bash
golden expiry "$(grep -o 'cmocka_unit_test(test_' tests/expiry/test_expiry.c | wc -l)"
[ "$TIER" != test ] || rm "$work"/golden/test_{all_entries,every_page_and_bit}.vec
replays

fault middle expiry_order.v 's/(unlink \&\& !is_newest) || //'
fault sequence expiry_order.v 's/if (unlink \&\& is_oldest) oldest <= newer;/if (1'"'b0"') oldest <= newer;/'
fault sequence expiry.v 's/{PAGES{found_r}}/{PAGES{1'"'b1"'}}/'
fault ways expiry_tags.v 's/\.id   (lowest)/.id   ()/; s/wire \[WAY_W-1:0\]   lowest;/wire [WAY_W-1:0] lowest = 0;/'
fault take expiry.v 's/ || taken == TAKE_LAST;/;/'
fault take_again expiry.v 's/take_waits <= take_now \&\& !take_begins;/take_waits <= take_waits \&\& !take_begins;/'
fault take_waits expiry.v 's/take_now \&\& !exp_now/take_now/'
fault same_cycle expiry.v 's/(!rec_now || exp_first)/1'"'b1"'/'
fault first_come expiry.v 's/(!rec_now || exp_first)/!rec_now/'
fault place_lost expiry.v 's/exp_first  <= exp_valid \&\& !ready/exp_first  <= !ready/'
fault stands expiry.v 's/find      <= look || (leaves/find      <= look || (out_valid/'
fault stands_with_others expiry.v 's/ready = idle \&\& !exp_waits/ready = idle/'
fault reset expiry_tags.v 's/if (rst) used <= {ENTRIES{1'"'b0"'}};/if (rst) used <= used;/'
finish
