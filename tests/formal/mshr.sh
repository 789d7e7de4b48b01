#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 12 s; long, 32 s
# The contracts of the MSHRs and of the shared parts can fail: a fault planted in a copy of the RTL violates the property that is named. The first five
# are bugs that others have shipped.
. tests/lib.bash
. tests/formal/contract_fault.bash
dl='SETS=3 HEADS=3 SLOTS=2 ADDR_W=2 OFF_W=1 ID_W=1 RESERVED_HEADS=1'
split='SETS=4 HEADS=2 SLOTS=2 ADDR_W=2 OFF_W=1 ID_W=1'
static='ENTRIES=2 SLOTS=2 ADDR_W=2 OFF_W=1 ID_W=1'
dau='SETS=5 RESERVED_HEADS=2 TAIL=2 EARLY_FREE=0 SET_W=3 CNT_W=3 SLOT_W=1'
cart='ADDR_W=4 ID_W=1 BANKS=2 BANK_MASK=1 COL_MASK=2 ROWS=2 COLS=2 DEPTH=2'

# a request joins a super-entry that is under drain
fault dl_mshr/dlm_sets.v '& ~(ret_hit & {SETS{ret_start}})' '' dl_mshr "$dl" p_primary
# a set that is linked in the cycle of RET is orphaned
fault dl_mshr/dlm_sets.v 'took_shared && !(was_ret && was_ret_hit)' took_shared dl_mshr "$dl" p_primary
# the drain repeats one slot for ever
fault mshr/mshr_drain.v 'ONE : upto + ONE;' 'ONE : upto;' static_mshr "$static" p_last
# a comparison that has lost an address bit
fault mshr/mshr_cam.v 'for (b = 0; b < ADDR_W' 'for (b = 1; b < ADDR_W' static_mshr "$static" p_primary
# a set that was taken late is free again in the next cycle
fault mshr/mshr_fill.v '(used & ~clear) | take;' '(held & ~clear) | take;' dl_mshr "$dl" p_free_shared

# write data goes to the slots of reads
fault mshr/mshr_slots.v '.we   (we && w_write)' '.we   (we && !w_write)' static_mshr "$static DATA_W=8" p_data

# payload that is not what came; a response shows the slot that is read next; the address of another super-entry
fault mshr/mshr_slots.v 'w_word = {w_payload,' 'w_word = {~w_payload,' static_mshr "$static PAYLOAD_W=1" p_word
fault mshr/mshr_slots.v 'assign num  = num_32[NUM_W-1:0]' 'assign num  = rnum' static_mshr "$static" p_slot
fault mshr/mshr_slots.v '.re   (start)' '.re   (take)' static_mshr "$static ADDR_OUT=1" p_addr
# the address that is looked up, and not that of the request
fault dl_mshr/dl_mshr.v '.w_addr   (sought)' '.w_addr   (look_addr)' dl_mshr "$split ADDR_OUT=1" p_addr

# a request that joins takes a reserved set too
fault dl_mshr/dau.v 'live && any_head && !hit;' 'live && any_head;' dl_mshr "$dl" p_reserved
# the drain begins in another group of sets
fault dl_mshr/dlm_sets.v 'GROUP0 << (ret_head >> PLACE_W)' 'GROUP0' dl_mshr "$dl" a_at_cur

# attach-only sets: the lookup register does not follow RET, nor a request for the address that is looked up; the drain not a request in the cycle of RET
fault mshr/mshr_heads.v 'held_hit && !(draining && id == gone)' held_hit dl_mshr "$split" p_primary
fault mshr/mshr_heads.v '(taken_here && look_addr == addr)' "1'b0" dl_mshr "$split" p_primary
fault mshr/mshr_heads.v 'ret_hit ? next_low : ret_low' ret_low dl_mshr "$split" p_last
fault mshr/mshr_heads.v 'used & ~(at_gone & {N{draining}})' used dl_mshr "$split" p_primary
# the drain does not know the set that is linked in the cycle of RET for the last one; it takes the head for the last set
fault dl_mshr/dlm_attached.v '(link && ret_hit) ? free_id :' '' dl_mshr "$split" a_final p_last
fault dl_mshr/dlm_attached.v '|ret_last ? ret_last_id :' '' dl_mshr "$split" a_final
# a set that is linked in the cycle of RET is orphaned; the former last set stays one; a set looks as if it belonged to the super-entry before
fault dl_mshr/dlm_attached.v ' | (free & {N{link && ret_hit}})' '' dl_mshr "$split" p_last
fault dl_mshr/dlm_attached.v '& ~(ours & {N{link}})' '' dl_mshr "$split" a_last
fault dl_mshr/dlm_attached.v 'used & ~(gone & {N{active}}) : used' 'used : used' dl_mshr "$split EARLY_FREE=1" a_owner
fault dl_mshr/dlm_split.v '!hit ? req_head : full ? shared_free' '!hit ? req_head : any_shared ? shared_free' dl_mshr "$split" a_word
# what Verilator reads of the comparators is what the other tools read
yosys -q -p 'read_verilog -DVERILATOR rtl/mshr/mshr_cam.v; chparam -set N 8 -set ADDR_W 5 mshr_cam; hierarchy -top mshr_cam; proc; rename mshr_cam gold; design -stash gold
    read_verilog rtl/mshr/mshr_cam.v; chparam -set N 8 -set ADDR_W 5 mshr_cam; hierarchy -top mshr_cam; proc; rename mshr_cam gate; design -stash gate
    design -copy-from gold gold; design -copy-from gate gate; equiv_make gold gate both; hierarchy -top both; opt; equiv_simple; equiv_induct; equiv_status -assert' \
    >"$work/log" 2>&1 || complain "mshr_cam: the two texts of its store are not equal"

# the allocation unit: the numbers of what is taken, and of where the request is stored
fault dl_mshr/dau.v '.BASE(RESERVED_HEADS)' '.BASE(0)' dau "$dau" a_id a_link a_head a_slot
fault dl_mshr/dau.v 'was_hit ? was_shared : was_head' 'was_shared' dau "$dau" a_was a_slot
fault dl_mshr/dau.v 'way_set : head_id;' 'way_set : 0;' dau "${dau/TAIL=2/TAIL=0}" a_start
# a set that was taken in the cycle before still counts
fault dl_mshr/dau.v '(was_free[0] && !was_taken)' 'was_free[0]' dau "$dau" a_any
fault lib/mt_first_id.v 'group_seen & ~(group_seen << 8)' 'group_seen' mt_first_id 'N=13 BASE=5 W=5' a_first
fault lib/mt_late_count.v '(held[0] && !less)' 'held[0]' mt_late_count 'W=3 MAX=5' a_any
fault lib/mt_fifo_ptr.v 'tail_next == head' 'tail == head' mt_fifo_ptr 'DEPTH=5 PTR_W=3' full_if_count
fault lib/mt_regfile_sel_1r1w.v 'rfile[p] ?' "1'b1 ?" mt_regfile_sel_1r1w 'WIDTH=2 DEPTH=20 ADDR_W=2 FILES=2' a_read a_none
fault lib/mt_regfile_sel_2r1w.v 'if (we[l])' 'if (|we)' mt_regfile_sel_2r1w 'WIDTH=6 DEPTH=5 ADDR_W=3 LANES=3' a_stored
fault cart/cart.v '^ {N{!p[w]}}' '| {N{!p[w]}}' cart "$cart" u_ids.r_part
fault lib/mt_ram_slice.v 'rdata <= mem[raddr]' 'rdata <= mem[waddr]' mt_ram_slice 'WIDTH=4 DEPTH=6 ADDR_W=3' a_read
finish
