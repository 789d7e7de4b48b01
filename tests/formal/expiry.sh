#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s; long, 110 s
# The contract of expiry can fail: a fault planted in the control, the comparison, the masks or the list violates the named property. The
# check that no output depends on an input can fail too.
. tests/lib.bash
. tests/formal/contract_fault.bash
frames=30
expiry='ENTRIES=3 BLOCK_W=3 PAGES=2 TAKE=2'

# ports
fault expiry/expiry.v '(out_mask & {PAGES{found_r}})' '(out_mask)' expiry "$expiry" goes_if_held
fault expiry/expiry.v 'PAGE0 << exp_page_r;' 'PAGE0 << exp_page_r & {PAGES{!exp_page_r}};' expiry "$expiry" some_page mask_a
fault expiry/expiry.v "2'd2 : 2'd1" "2'd1 : 2'd2" expiry "$expiry" recalled oldest_goes
fault expiry/expiry.v '(op_rec ? found : !none);' '(op_rec ? found && !full : !none);' expiry "$expiry" none_there
fault expiry/expiry.v 'full = count == ALL;' 'full = count >= ALL - ONE;' expiry "$expiry" found_stays
fault expiry/expiry_order.v 'if (unlink && is_newest) newest <= older;' "if (1'b0) newest <= older;" expiry "$expiry" oldest_goes newest_is links
fault expiry/expiry.v '!is_take || count <= ONE ||' 'count <= ONE ||' expiry "$expiry" one_taken
fault expiry/expiry.v 'take_count == TAKE_LAST;' "1'b0;" expiry "$expiry" no_more
fault expiry/expiry.v '|| count <= ONE ||' '||' expiry "$expiry" ends_empty
fault expiry/expiry.v ' || (out_valid && !out_ready);' ';' expiry "$expiry" stands
fault expiry/expiry.v 'exp_begins || rec_begins || take_begins;' 'exp_begins || rec_begins || take_begins || (look && take);' expiry "$expiry" ready_again one_phase
fault expiry/expiry.v ': !none);' ": 1'b1);" expiry "$expiry" take_if_any
fault expiry/expiry.v 'assign rec_ready = ready;' 'assign rec_ready = ready && !exp_first;' expiry "$expiry" both_ready
fault expiry/expiry.v 'rec_waits  <= rec_now && !rec_begins;' 'rec_waits  <= rec_now;' expiry "$expiry" one_waits one_op
fault expiry/expiry.v 'if (exp_valid && ready) begin' 'if (exp_valid && idle) begin' expiry "$expiry" as_taken_exp
fault expiry/expiry.v 'if (rec_valid && ready) rec_block_r' 'if (ready || rec_valid && idle) rec_block_r' expiry "$expiry" as_taken_rec
# entries
fault expiry/expiry_tags.v 'equal & used;' 'equal;' expiry "$expiry" u_tags.found_any found_way_is
fault expiry/expiry_tags.v 'tag == block;' 'tag[BLOCK_W-2:0] == block[BLOCK_W-2:0];' expiry "$expiry" u_tags.found_any found_if_in
fault expiry/expiry_tags.v '.in   (~used),' '.in   (~used << 1),' expiry "$expiry" u_tags.lowest_free
fault expiry/expiry.v '!found && !full;' '!found;' expiry "$expiry" new_is_free
fault expiry/expiry.v '.clear    (change && !op_exp && has_entry),' '.clear    (change && op_rec && has_entry),' expiry "$expiry" held_a count_is
fault expiry/expiry.v 'if (rst) count <=' "if (rst && !take) count <=" expiry "$expiry" count_is n_is
# list
fault expiry/expiry.v '(is_take && change) ? newer : ' '' expiry "$expiry" old_is_first
fault expiry/expiry_order.v '(unlink && !is_oldest) || ' '' expiry "$expiry" links
fault expiry/expiry_order.v '(unlink && !is_newest) || ' '' expiry "$expiry" links
fault expiry/expiry_order.v 'first = was_empty || (is_oldest && is_newest);' 'first = was_empty;' expiry "$expiry" append_first oldest_is
fault expiry/expiry_order.v 'way == oldest;' 'way == newest;' expiry "$expiry" read_oldest
fault expiry/expiry_order.v 'way == newest;' 'way == oldest;' expiry "$expiry" read_newest
fault expiry/expiry.v '.empty (none),' '.empty (1'"'b0"'),' expiry "$expiry" read_empty
fault expiry/expiry_order.v 'newest <= {WAY_W{1'"'b0"'}};' 'newest <= {WAY_W{1'"'b1"'}};' expiry "$expiry" places
fault expiry/expiry.v 'append <= change && op_exp;' 'append <= change && op_exp && !(found_r && full);' expiry "$expiry" n_is all_in order_ab

# an output that depends on an input
plant expiry/expiry.v 'assign exp_ready = ready;' 'assign exp_ready = ready && !rec_valid;'
MEMTWIN_RTL=$work/rtl OUT=$work/cone expect 1 tb/formal/run.sh expiry cone ENTRIES=64
grep -q 'VIOLATED: an output depends' "$work/out" || complain "the cone of expiry: $(cat "$work/out")"
finish
