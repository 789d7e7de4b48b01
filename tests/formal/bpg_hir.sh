#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 12 s; long, 32 s
# The contracts of bpg and hir can fail: each fault planted in a copy of the RTL violates the named property, possibly among others.
. tests/lib.bash
. tests/formal/contract_fault.bash

fault bpg/bpg_counter.v "!(&count)}" "1'b1}" bpg_counter W=3 stays_at_most
fault bpg/bpg_counter.v "{1'b0, total[W-1:1]}" "{1'b0, count[W-1:1]}" bpg_counter W=3 halved_down
fault bpg/bpg_shadow.v 'held == tag;' 'held[TAG_W-2:0] == tag[TAG_W-2:0];' bpg_shadow "$shadow" found_if_in
fault bpg/bpg_shadow.v 'enter && !found' 'enter' bpg_shadow "$shadow" no_tag_twice once_in_its_row
fault bpg/bpg_shadow.v ': oldest;' ": {{WAYS-1{1'b0}}, 1'b1};" bpg_shadow "$shadow" pushed_if_old
fault bpg/bpg_shadow.v '{enter || update}' '{update}' bpg_shadow "$shadow" used_since
fault bpg/bpg_shadow.v 'any_free ? free' 'any_free && !valid_at[WAYS-1] ? free' bpg_shadow "$shadow" free_first
fault bpg/bpg_judge.v ", {FRACTION{1'b1}}}" ", {FRACTION{1'b0}}}" bpg_judge "$judge" exact
fault bpg/bpg_judge.v 'value >= best' 'value > best' bpg_judge "$judge" of_equal_ones
fault bpg/bpg_judge.v 'reg signed [ADJUSTED_W-1:0] best;' 'reg [ADJUSTED_W-1:0] best;' bpg_judge "$judge" greatest
fault bpg/bpg_judge.v 'update <= decide;' 'update <= decide && lmax != best_k;' bpg_judge "$judge" on_time
fault bpg/bpg_judge.v 'if (decide) lmax' 'if (busy[2]) lmax' bpg_judge "$judge" stays
fault bpg/bpg_judge.v '.we   (cube_valid)' '.we   (renewed)' bpg_judge "$judge" as_given
fault bpg/bpg_judge.v '.waddr(cube_index)' '.waddr(index)' bpg_judge "$judge" as_given
fault bpg/bpg.v 'LAST_COUNT = INTERVAL - 1' 'LAST_COUNT = INTERVAL - 2' bpg "$bpg" on_time
fault hir/hir_order.v ' && (!next_valid || re);' ';' hir "$hir" sent_at_first
fault hir/hir.v '{free_way, row}' '{free_way >> 1, row}' hir "$hir" sent_if_touched
fault hir/hir.v 'else if (miss && full) lost' 'else if (miss && full && row == 0) lost' hir "$hir" lost_all

# ports: accepted and counted events
fault hir/hir.v 'look <= take;' 'look <= take && !(flush && hit_page[0]);' hir "$hir" looked_up
fault hir/hir.v 'page <= hit_page;' 'page <= 0;' hir "$hir" looked_up
fault bpg/bpg.v 'id} < k;' 'id} <= k;' bpg "$bpg" its_operation hits_counted
fault bpg/bpg.v '.one  (failed)' ".one  (1'b0)" bpg "$bpg" fails_counted
finish
