#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 12 s; long, 32 s
# The contracts of the MSHRs and of the shared modules can fail: a fault planted in a copy of the RTL violates the named property. The first
# five faults are bugs of shipped designs.
. tests/lib.bash
. tests/formal/contract_fault.bash
dl='SETS=3 SLOTS=2 ADDR_W=2 PAYLOAD_W=3 RESERVED_HEADS=1'
pools='SETS=4 HEADS=2 SLOTS=2 ADDR_W=2 PAYLOAD_W=3'
static='ENTRIES=2 SLOTS=2 ADDR_W=2 PAYLOAD_W=3'
dau='SETS=5 RESERVED_HEADS=2 TAIL=2 EARLY_FREE=0 SET_W=3 CNT_W=3'
cart='ADDR_W=4 ID_W=1 BANKS=2 BANK_MASK=1 COL_MASK=2 ROWS=2 COLS=2 DEPTH=2'

# a request merges with a super-entry under drain
fault dl_mshr_paper/dlm_sets.v '& ~(ret_hit & {SETS{ret_start}})' '' dl_mshr_paper "$dl" p_primary
# a set attached in the cycle of RET is orphaned
fault dl_mshr_paper/dlm_sets.v '(take & {SETS{!joins}})' take dl_mshr_paper "$dl" p_primary
# the drain repeats one slot forever
fault mshr/mshr_drain.v 'ONE : upto + ONE;' 'ONE : upto;' static_mshr "$static" p_last
# a comparison omits an address bit
fault mshr/mshr_cam.v 'tag == sought;' 'tag[ADDR_W-1:1] == sought[ADDR_W-1:1];' static_mshr "$static" p_primary
# a set allocated in the cycle of a release stays free
fault dl_mshr_paper/dau.v 'if (req_h[s]) state <= SLOTS == 1' 'if (req_h[s] && !released) state <= SLOTS == 1' dl_mshr_paper "$dl" p_free_shared

# the payload differs from the request's; a response shows the slot that is read next
fault mshr/mshr_slots.v '.wdata(wdata)' '.wdata(~wdata)' static_mshr "$static" p_word
fault mshr/mshr_slots.v 'assign num  = num_32[NUM_W-1:0]' 'assign num  = rnum_32[NUM_W-1:0]' static_mshr "$static" p_slot
# the address of RET is that of another entry
fault mshr/mshr_cam.v '.sel  (sel)' '.sel  (store)' static_mshr "$static ADDR_OUT=1" p_ret_x
fault mshr/mshr_heads.v '.sel      (returned)' '.sel      (match)' dl_mshr "$pools ADDR_OUT=1" p_ret_x

# one entry: RET for number 1, which does not exist, frees entry 0
fault static_mshr/static_mshr.v 'matchable & (ENTRY0 << ret_head)' matchable static_mshr "${static/ENTRIES=2/ENTRIES=1}" p_err
fault mshr/mshr_heads.v 'at_ret & matchable' matchable static_mshr "${static/ENTRIES=2/ENTRIES=1} LOOKUP=2" p_err

# a merging request also allocates a reserved set
fault dl_mshr_paper/dau.v 'open_reserved = live && !hit && any_head' 'open_reserved = live && any_head' dl_mshr_paper "$dl" p_err
# the drain starts in the wrong group of sets
fault dl_mshr_paper/dlm_sets.v 'GROUP0 << (ret_head >> PLACE_W)' 'GROUP0' dl_mshr_paper "$dl" a_at_cur

# the lookup register misses the drain, its end, a lookup in the drain, or a request for the same address; the drain misses a request in the
# cycle of RET, or one that joins it
fault mshr/mshr_heads.v 'hit && draining && id == drain_head' "1'b0" dl_mshr "$pools" a_late p_last
fault mshr/mshr_heads.v '(hit && !ends) || take' 'hit || take' dl_mshr "$pools" a_late
fault mshr/mshr_heads.v 'stale <= keep && (stale || ends);' "stale <= 1'b0;" dl_mshr "$pools" a_late p_ready
fault mshr/mshr_heads.v '(req_fire && !late && look_addr == addr)' '(req_fire && look_addr == addr)' dl_mshr "$pools" a_late p_primary
fault mshr/mshr_heads.v '(req_fire && !late && look_addr == addr)' "1'b0" dl_mshr "$pools" p_primary
fault mshr/mshr_heads.v 'else if (late) drain_fill_low <= new_fill_low;' '' dl_mshr "$pools" p_last
fault mshr/mshr_drain.v 'gap    <= rsp_fire && grows_at_end' "gap    <= 1'b0" static_mshr "$static LOOKUP=2" a_gap p_rsp_valid
fault mshr/mshr_drain.v 'rsp_last  = at_end && !grow' 'rsp_last  = at_end' static_mshr "$static LOOKUP=2" p_last
fault mshr/mshr_heads.v 'ret_hit ? new_fill_low : ret_fill_low' ret_fill_low dl_mshr "$pools" p_last
fault mshr/mshr_heads.v 'used & ~(at_drain & {N{draining}})' used dl_mshr "$pools" p_primary
# a lookup without a request is answered wrongly if the block is full, or has left
fault dl_mshr/dl_mshr.v 'req_primary = !hit;' 'req_primary = !hit || (full && !any_attached);' dl_mshr "$pools" p_primary
fault dl_mshr/dl_mshr.v 'req_primary = !hit;' 'req_primary = !hit && !stale;' dl_mshr "$pools" p_primary
# the drain ends at the head, or does not end at the last set
fault dl_mshr/dlm_attached.v 'at_head ? |in_drain :' "at_head ? 1'b0 :" dl_mshr "$pools" p_last
fault dl_mshr/dlm_attached.v '!(|(at_cur & is_last))' '!(|is_last)' dl_mshr "$pools" p_last
# a set attached in the cycle of RET, or during the drain, is orphaned; the previous last set stays last
fault dl_mshr/dlm_attached.v ' | (free & {N{grows}})' '' dl_mshr "$pools" p_last
fault dl_mshr/dlm_attached.v '(to_head ? ret_hit : late)' '(to_head && ret_hit)' dl_mshr "$pools" p_last
fault dl_mshr/dlm_attached.v '& ~(tail_at & {N{link}})' '' dl_mshr "$pools" a_last
fault dl_mshr/dl_mshr.v '!hit ? req_head : full ? attached_free' '!hit ? req_head : any_attached ? attached_free' dl_mshr "$pools" a_word

# allocation unit: numbers of the allocated sets, and write address of the request
fault dl_mshr_paper/dau_free.v '.BASE(RESERVED_HEADS)' '.BASE(0)' dau_free "${dau/TAIL=2 /}" a_link
fault dl_mshr_paper/dau.v '(req_head & {SET_W{!hit}})' '(id_head & {SET_W{!hit}})' dau "$dau" a_slot
fault dl_mshr_paper/dau_tail.v 'way_set : head_id;' 'way_set : 0;' dau "${dau/TAIL=2/TAIL=0}" a_start
# a set allocated in the previous cycle still counts as free
fault dl_mshr_paper/dau_free.v '(free_shared_r[0] && !take_shared_r)' 'free_shared_r[0]' dau_free "${dau/TAIL=2 /}" a_any
fault lib/mt_first_id.v 'group_seen & ~(group_seen << 8)' 'group_seen' mt_first_id 'N=13 BASE=5 W=5' a_first
fault lib/mt_late_count.v '(stored[0] && !decrement)' 'stored[0]' mt_late_count 'W=3 MAX=5' a_any
fault lib/mt_fifo_ptr.v 'tail_next == head' 'tail == head' mt_fifo_ptr 'DEPTH=5 PTR_W=3' full_if_count
fault lib/mt_regfile_sel_1r1w.v 'rfile[p] ?' "1'b1 ?" mt_regfile_sel_1r1w 'WIDTH=2 DEPTH=20 ADDR_W=2 FILES=2' a_read a_none
fault lib/mt_regfile_sel_2r1w.v 'if (we[l])' 'if (|we)' mt_regfile_sel_2r1w 'WIDTH=6 DEPTH=5 ADDR_W=3 LANES=3' a_stored
fault cart/cart.v '+:PLACE_W] == PLACE[PLACE_W-1:0]' '+:PLACE_W] >= PLACE[PLACE_W-1:0]' cart "$cart" u_ids.r_part
fault lib/mt_ram_1r1w.v 'rdata <= mem[raddr]' 'rdata <= mem[waddr]' mt_ram_1r1w 'WIDTH=4 DEPTH=6 ADDR_W=3' a_read
finish
