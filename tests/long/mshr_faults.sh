#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Does what tests/formal/mshr.sh does, for the other properties of the MSHRs and their submodules.
. tests/lib.bash
. tests/formal/contract_fault.bash
dl='SETS=3 SLOTS=2 ADDR_W=2 PAYLOAD_W=3 RESERVED_HEADS=1'
static='ENTRIES=2 SLOTS=2 ADDR_W=2 PAYLOAD_W=3'
dau='SETS=5 RESERVED_HEADS=2 TAIL=2 EARLY_FREE=0 SET_W=3 CNT_W=3'
free=${dau/TAIL=2 /}

# the ports
fault mshr/mshr_slots.v '.wdata(wdata)' ".wdata({1'b0, wdata[PAYLOAD_PW-2:0]})" dl_mshr_paper "$dl" p_word
fault dl_mshr_paper/dau_free.v 'is_free[SETS-1:RESERVED_HEADS]' 'is_free[SETS-2:RESERVED_HEADS]' dl_mshr_paper "$dl" p_head
fault dl_mshr_paper/dau.v 'open_reserved = live && !hit && any_head' 'open_reserved = live && !hit && any_head && any_shared' dl_mshr_paper "$dl" p_primary
fault dl_mshr_paper/dau.v '(hit ? !walking && (!tail_full || any_shared)' '(hit ? !walking && (!tail_full || any_shared || any_head)' dl_mshr_paper "$dl" p_ready
fault dl_mshr_paper/dau.v ': !hit ? `MSHR_REFUSE_ENTRY_FULL' ': !any_head ? `MSHR_REFUSE_ENTRY_FULL' dl_mshr_paper "$dl" p_refuse
fault dl_mshr_paper/dau_tail.v '(on_way && way_head == head_id) ? way_set' 'on_way ? way_set' dl_mshr_paper "$dl TAIL=0" p_refuse
fault dl_mshr_paper/dau.v 'else if (ret_start && !ret_known)' 'else if (ret_start && !ret_known && any_head)' dl_mshr_paper "$dl" p_err
fault dl_mshr_paper/dau.v 'stop      = err != `MSHR_OK' 'stop = err != `MSHR_OK && req_valid' dl_mshr_paper "$dl" p_stopped
fault dl_mshr_paper/dau.v '|(at_ret & (linked | link))' '|(at_ret & linked)' dl_mshr_paper "$dl" p_last
fault mshr/mshr_drain.v 'ret_ready = !stop && (!active || (rsp_fire && at_end && !late))' 'ret_ready = !stop && !active' static_mshr "$static" p_ret_ready
fault mshr/mshr_drain.v '(active && !all_done) || (start && ret_known)' 'active ? !all_done : start && ret_known' static_mshr "$static" p_rsp_valid
fault mshr/mshr_drain.v '(step && !at_end) || start' 'active || start' static_mshr "$static" p_stable
fault static_mshr/static_mshr.v '? !hit_full : any_free' '? !hit_full || all_done : any_free' static_mshr "$static" p_ready

# the allocation unit
fault dl_mshr_paper/dau_free.v "{{(CNT_W - 1) {1'b0}}, take_shared_r};" "{CNT_W{1'b0}};" dau_free "$free" a_shared
fault dl_mshr_paper/dau_free.v 'freed_head  = all_done && (head_drained || !cur_shared);' 'freed_head  = all_done && !cur_shared;' dau_free "$free" a_heads
fault dl_mshr_paper/dau_free.v '!all_done && (head_drained || !cur_shared);' '!all_done && !cur_shared;' dau_free "$free" a_held
fault dl_mshr_paper/dau_free.v 'is_free[SETS-1:RESERVED_HEADS]' 'is_free[SETS-2:RESERVED_HEADS]' dau_free "$free" a_found
fault dl_mshr_paper/dau.v 'open_reserved = live && !hit && any_head' 'open_reserved = live && any_head' dau "$dau" a_taken
fault dl_mshr_paper/dau.v 'attach = live && tail_full' 'attach = live && any_head && tail_full' dau "$dau" a_taken

fault dl_mshr_paper/dau.v '? set_done : all_done' '? all_done : all_done' dau "${dau/EARLY_FREE=0/EARLY_FREE=1}" a_release
fault dl_mshr_paper/dau.v '`MSHR_S10: if (released)' '`MSHR_S10: if (released && to_head)' dau "${dau/EARLY_FREE=0/EARLY_FREE=1}" a_release
fault dl_mshr_paper/dau.v 'full_end && to_tail[s] && any_shared' 'full_end && to_tail[s]' dau "$dau" a_link

# the parts
fault mshr/mshr_drain.v '= cur_fill_low == upto;' '= cur_fill_low[0] == upto[0];' mshr_drain 'SET_W=3 SLOT_W=2' a_end
fault dl_mshr_paper/dlm_sets.v 'ret_start && |(match & ret_hit)' 'ret_start' dl_mshr_paper "$dl" a_match
fault mshr/mshr_drain.v 'end_of_set ? cur_successor : cur' 'end_of_set && cur_linked ? cur : cur_successor' mshr_drain 'SET_W=3 SLOT_W=2' a_next
fault mshr/mshr_drain.v 'at_end = end_of_set && !cur_linked' 'at_end = end_of_set' mshr_drain 'SET_W=3 SLOT_W=2' a_last
fault mshr/mshr_fill.v 'add[s] ? count + ONE : count' 'add[s] ? count ^ ONE : count' mshr_fill 'N=4 SLOTS=5 SLOT_W=3' a_count
fault lib/mt_first_one.v 'in & ~(seen << 1)' 'in & ~(seen << 2)' mt_first_one N=13 a_first
fault lib/mt_cyclic_first.v 'seen_start[N-1] ? seen_start : seen' 'seen_start[0] ? seen_start : seen' mt_cyclic_first N=13 a_first
fault lib/mt_onehot_enc.v '((i >> b) & 1) != 0' '((i >> b) & 1) != 0 && i != N - 1' mt_onehot_enc 'N=13 W=4' a_place
fault lib/mt_onehot_mux.v '{W{sel[i]}}' '{W{sel[N-1]}}' mt_onehot_mux 'N=5 W=3' a_word
fault lib/mt_regfile_sel_1r1w.v 'gen_part[p-FILES].upto_part |' '' mt_regfile_sel_1r1w 'WIDTH=2 DEPTH=20 ADDR_W=2 FILES=2' a_read
fault lib/mt_regfile_sel_2r1w.v 'WIDTH{rsel1[i-DEPTH]}' 'WIDTH{rsel0[i-DEPTH]}' mt_regfile_sel_2r1w 'WIDTH=6 DEPTH=5 ADDR_W=3 LANES=3' a_read1 a_none
finish
