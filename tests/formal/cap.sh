#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 12 s; long, 30 s
# The contract of cap can fail: a fault planted in the settings, the product, a comparison or the pipeline violates the named property. The
# check that no output depends on an input can fail too.
. tests/lib.bash
. tests/formal/contract_fault.bash
size='GROUPS=3 AVAIL_W=6 SIZE_W=5 C_NUM=3 C_DEN=2'

# settings
fault cap/cap.v 'if (set_valid) known' 'if (set_valid && !ask_valid) known' cap "$size" is_set
fault cap/cap.v 'agg_known <= 1'"'b1" 'agg_known <= !asked' cap "$size" is_set
fault cap/cap.v '.waddr(set_group)' '.waddr(set_group ^ {GROUP_W{asked}})' cap "$size" kept
fault cap/cap.v '.raddr(ask_group)' '.raddr(set_group)' cap "$size" limit_is product_is
# product
fault lib/mt_sum_rows.v '((x & y) | (x & z) | (y & z))' '((x & y) | (x & z))' cap "$size" product_is carries_on
fault lib/mt_sum_rows.v 'at[REST*W-1:0] = ' 'at[REST*W-1:0] = ~' cap "$size" product_is
fault cap/cap.v 'need       <= ' 'need       <= 1 + ' cap "$size" need_is greatest
# sizes
fault cap/cap.v '|req[SIZE_W-1:4]' '|req[SIZE_W-1:3]' cap "$size" limit_is at_most
fault cap/cap.v '>= wide_need' '> wide_need' cap "$size" greatest
fault cap/cap.v '(i + 5) >=' '(i + 4) >=' cap "$size" fits
fault cap/cap.v '(i + 5) >=' '(6 - i) >=' cap "$size" in_order
fault cap/cap.v '>= wide_need' '!= wide_need' cap "$size" monotone
fault cap/cap.v 'full ? BELOW_OVER' 'full && !fit[3] ? BELOW_OVER' cap "$size" over_is
fault cap/cap.v '{4{is_known}} & ' '' cap "$size" unset_is_0
fault cap/cap.v 'number = {bits[3],' 'number = {bits[3] || bits == 7,' cap "$size" at_most
# cycles
fault cap/cap.v 'else ans_valid <= asked;' 'else ans_valid <= asked && !ans_valid;' cap "$size" on_time

# no output depends on an input
cone_fails() { # MODULE OLD NEW
    plant cap/$1.v "$2" "$3"
    MEMTWIN_RTL=$work/rtl OUT=$work/cone expect 1 tb/formal/run.sh --quick cap cone
    grep -q 'VIOLATED: an output depends' "$work/out" || complain "the cone of cap with: $3: $(cat "$work/out")"
}
cone_fails cap 'assign ans_size = number(size);' 'assign ans_size = number(size & {4{!ask_full}});'
cone_fails cap_observe 'assign st_ask   = u_block.asked;' 'assign st_ask   = u_block.asked || set_valid;'
finish
