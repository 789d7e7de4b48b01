#!/bin/bash
# As tests/formal/bpg_hir.sh, the other properties of bpg and hir.
. tests/lib.bash
. tests/formal/contract_fault.bash

fault bpg/bpg.v 'ask_id} >= ' 'ask_id} > ' bpg "$bpg" past
fault hir/hir_order.v 'all_read <= place_next == count;' 'all_read <= place_next + ONE == count;' hir "$hir" u_order.sent_last
fault hir/hir_ways.v 'again = same_row && last_kept && last_tag == tag;' "again = 1'b0;" hir "$hir" u_ways.no_tag_twice
fault hir/hir.v 'busy ? send_row : hit_row' 'hit_row' hir "$hir" sent_at_first
fault hir/hir_ways.v 'valid[WAYS-1] && row_used;' 'valid[0] && row_used;' hir "$hir" lost_if_full
fault hir/hir.v 'hit_ready = !busy;' "hit_ready = 1'b1;" hir "$hir" held_off
fault hir/hir_order.v 'next_valid && (!out_valid || out_ready);' 'next_valid;' hir "$hir" stands
fault hir/hir.v 'clear <= rst || done;' 'clear <= rst;' hir "$hir" counted
fault bpg/bpg.v 'mine && op == `BPG_LOAD && found[k-1] && !clear;' 'found[k-1];' bpg "$bpg" hits_bound after_clear
fault bpg/bpg.v 'if (clear || last) count' 'if (rst || last) count' bpg "$bpg" interval
finish
