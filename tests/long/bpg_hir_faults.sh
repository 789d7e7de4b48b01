#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Does what tests/formal/bpg_hir.sh does, for the other properties of bpg and hir.
. tests/lib.bash
. tests/formal/contract_fault.bash

fault bpg/bpg.v 'ask_id} >= ' 'ask_id} > ' bpg "$bpg" past
fault hir/hir_order.v 'all_read <= place_next == count;' 'all_read <= place_next + ONE == count;' hir "$hir" u_order.sent_last
fault hir/hir_ways.v 'again = same_row && last_kept && last_tag == tag;' "again = 1'b0;" hir "$hir" u_ways.no_tag_twice
fault hir/hir.v 'busy ? send_row : hit_row' 'hit_row' hir "$hir" sent_at_first
fault hir/hir_ways.v 'valid[WAYS-1] && row_used;' 'valid[0] && row_used;' hir "$hir" shown_found
fault hir/hir.v 'hit_ready = !busy;' "hit_ready = 1'b1;" hir "$hir" held_off
fault hir/hir_order.v 'next_valid && (!out_valid || out_ready);' 'next_valid;' hir "$hir" stands
fault hir/hir.v 'else clear <= done;' "else clear <= 1'b0;" hir "$hir" counted
fault bpg/bpg.v 'mine && op == `BPG_LOAD && found[k-1] && !launch;' 'found[k-1];' bpg "$bpg" hits_bound after_clear
fault bpg/bpg.v 'if (launch || last) count' 'if (last) count' bpg "$bpg" interval

# effects of an access at the ports
fault bpg/bpg.v 'look   <= acc_valid && !launch;' 'look   <= acc_valid && !launch && !fail;' bpg "$bpg" looked_at interval
fault bpg/bpg.v 'row = acc_set[SET_BITS-1-:ROW_BITS]' 'row = acc_set[ROW_BITS-1:0]' bpg "$bpg" its_place
fault bpg/bpg.v 'tag <= acc_addr[SET_BITS+:KEPT_W];' 'tag <= acc_addr[KEPT_W-1:0];' bpg "$bpg" its_place
fault bpg/bpg.v 'wire mine = seen &&' 'wire mine = look &&' bpg "$bpg" its_operation hits_counted
fault bpg/bpg.v '(mine && op == `BPG_UPDATE)' '(seen && op == `BPG_UPDATE)' bpg "$bpg" its_operation
fault bpg/bpg.v 'mine && op == `BPG_LOAD && found' 'mine && enters && found' bpg "$bpg" hits_counted
fault bpg/bpg.v 'failed <= fail && !launch;' 'failed <= fail && !acc_valid && !launch;' bpg "$bpg" fails_counted
fault bpg/bpg.v '.halve(last)' '.halve(ended)' bpg "$bpg" fails_counted
fault bpg/bpg.v '.halve(ended)' '.halve(last)' bpg "$bpg" hits_counted
fault bpg/bpg.v '.hits      (hits)' '.hits      (hits >> 1)' bpg "$bpg" judged_hits
fault bpg/bpg.v '.fails     (fails)' '.fails     (fails >> 1)' bpg "$bpg" judged_fails
fault bpg/bpg.v '.cube_index(cube_index)' '.cube_index(~cube_index)' bpg "$bpg" judged_table
fault lib/mt_set_index.v 'a[18:7]' 'a[17:6]' bpg 'ADDR_W=9 ID_W=1 SETS=4 WAYS=1 INDEX=1 SAMPLED=2 TAG_W=2 CALCULATORS=1 INTERVAL=5 HIT_W=2 FAIL_W=2 HIT_SCALE=0' looked_at
# effects of a hit at the ports, and the outputs
fault hir/hir.v 'set  <= hit_set;' "set  <= {hit_set[SET_W-1:1], 1'b0};" hir "$hir" looked_up
fault hir/hir.v '.tag       (set[ROW_BITS+:TAG_W])' '.tag       (~set[ROW_BITS+:TAG_W])' hir "$hir" looked_up
fault hir/hir.v '&lost ? lost : lost + ONE' 'lost + ONE' hir "$hir" lost_all
fault hir/hir_bump.v '(touched[i] && !(&count))' 'touched[i]' hir "$hir" sent_at_first u_ways.counted
fault hir/hir_order.v 'busy || flush;' 'busy || (flush && count != 0);' hir "$hir" flushes
fault hir/hir_order.v 'place    <= place_next;' "place    <= place_next + {{COUNT_W - 1{1'b0}}, !out_ready};" hir "$hir" sent_each
fault hir/hir_order.v '(out_valid && out_ready && out_last)' '(out_valid && out_last)' hir "$hir" flushes none_left
finish
