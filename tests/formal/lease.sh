#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 70 s; long, 200 s
# The contract of lease can fail: a fault planted in the choice of entries, a counter, a division or a lease violates the named property. The
# check that outputs depend only on registers can fail too.
. tests/lib.bash
. tests/formal/contract_fault.bash

groups='GROUPS=3 GROUP_W=2 QUOTA_W=2'
fault lease/lease_groups.v 'set && set_group == THIS' 'set' lease_groups "$groups" limit
fault lease/lease_groups.v 'set <= quota_valid;' 'set <= quota_valid && !clear;' lease_groups "$groups" set_is
fault lease/lease_groups.v 'else if (grows)' 'else if (grow)' lease_groups "$groups" counts
fault lease/lease_groups.v ' || (room_1 && grows)' '' lease_groups "$groups" none_is
fault lease/lease_groups.v 'grows ? room_2 : room_1' 'room_1' lease_groups "$groups" one_is

# the entry in which an access is counted
lanes='LANES=2 ENTRIES=2 BLOCK_W=2 GROUPS=2 PAGE_W=1 GROUP_W=1 ENTRY_W=1'
fault lease/lease_lanes.v 'same[l] = new_valid && new_block == seen_b;' "same[l] = 1'b0;" lease_lanes "$lanes" once join_unknown
fault lease/lease_lanes.v 'seen[l] && !known[l]' 'seen[l]' lease_lanes "$lanes" once chosen_able
fault lease/lease_lanes.v 'new_entry <= free_entry;' 'new_entry <= 0;' lease_lanes "$lanes" newest
fault lease/lease_lanes.v 'free = ~used & ((used << 1) | ENTRY0)' 'free = ENTRY0 << 1' lease_lanes "$lanes" in_order
fault lease/lease_lanes.v 'gen_entry[e].block == block' 'gen_entry[e].block[0] == block[0]' lease_lanes "$lanes" known_is
fault lease/lease_lanes.v 'found[l]      = |equal' 'found[l]      = equal[0]' lease_lanes "$lanes" unknown
fault lease/lease_lanes.v 'known       <= found;' 'known       <= found | took;' lease_lanes "$lanes" known_in
fault lease/lease_lanes.v 'join_known <= known | same;' 'join_known <= known | same | seen;' lease_lanes "$lanes" join_in
fault lease/lease_lanes.v 'known[l] ? known_entry[l*ENTRY_W+:ENTRY_W] : new_entry' 'known_entry[l*ENTRY_W+:ENTRY_W]' lease_lanes "$lanes" join_is
fault lease/lease_lanes.v 'join_known <= known | same;' 'join_known <= known;' lease_lanes "$lanes" join_unknown
fault lease/lease_lanes.v 'join_known[l] ? join_entry[l*ENTRY_W+:ENTRY_W] : new_entry' 'new_entry' lease_lanes "$lanes" hit_is
fault lease/lease_lanes.v 'joins[l] && (join_known[l]' '(join_known[l]' lease_lanes "$lanes" hit_in
fault lease/lease_lanes.v ' || (new_valid && new_block == join_block[l*BLOCK_W+:BLOCK_W])' '' lease_lanes "$lanes" hit_all
fault lease/lease_lanes.v 'choose = any && !full' 'choose = any' lease_lanes "$lanes" not_beyond
fault lease/lease_lanes.v '= {seen_g, seen_b}' '= {seen_group[GROUP_W-1:0], seen_b}' lease_lanes "$lanes" word_is
fault lease/lease_lanes.v 'new_block <= word[BLOCK_W-1:0]' 'new_block <= seen_block[BLOCK_W-1:0]' lease_lanes "$lanes" newest_is newest_is_j

# counters and pages
counts='LANES=2 ENTRIES=2 COUNT_W=2 PAGES=2 PAGE_W=1 ENTRY_W=1'
fault lease/lease_counts.v '.bits(lane_hits)' '.bits(hit)' lease_counts "$counts" sums
fault lease/lease_counts.v 'sum_r   <= sum;' 'sum_r   <= sum >> 1;' lease_counts "$counts" parts
fault lease/lease_counts.v ' | {COUNT_W{overflow}}' '' lease_counts "$counts" counts_is
fault lease/lease_counts.v 'pages_r | marks_r' 'marks_r' lease_counts "$counts" pages_is some
fault lease/lease_counts.v '= PAGE0 << page[l*PAGE_W+:PAGE_W]' '= PAGE0' lease_counts "$counts" marks
fault lease/lease_counts.v 'marks_r <= marks;' 'marks_r <= marks | {PAGES{hit[0]}};' lease_counts "$counts" more_parts
fault lease/lease_counts.v '.words(counts)' '.words({counts[0], counts[ENTRIES*COUNT_W-1:1]})' lease_counts "$counts" picked

# leases
frames=60
size='COUNT_W=2 PAGES=2 LIFE_W=2'
average="ENTRIES=2 $size GROUPS=2 GROUP_W=1 WEIGHT=1"
fault lease/lease_average.v 'MOVE: state <= SHOW;' 'MOVE: state <= 11;' lease_average "$average" states
fault lease/lease_average.v 'after = last_group ? IDLE : FIND' 'after = FIND' lease_average "ENTRIES=2 $size GROUPS=3 GROUP_W=2 WEIGHT=1" group_in
fault lease/lease_average.v 'after = last_group ? IDLE : FIND' 'after = FIND' lease_average "$average" once
fault lease/lease_average.v 'rest <= rest & ~pick' 'rest <= rest' lease_average "$average" one_apart
fault lease/lease_average.v 'rest <= of_group' 'rest <= used' lease_average "$average" all_of adds_of
fault lease/lease_average.v 'n <= n + ONE;' 'n <= ONE;' lease_average "$average" n_is
fault lease/lease_average.v "any_rest ? LOAD : n == {N_W{1'b0}} ? after : MEAN" 'any_rest ? LOAD : MEAN' lease_average "$average" ends_all
fault lease/lease_average.v "sum <= {SUM_W{1'b0}};" "sum <= {SUM_W{1'b1}};" lease_average "$average" sums
fault lease/lease_average.v 'if (state == SAMPLE) group' 'if (clear) group' lease_average "$average" summed
fault lease/lease_average.v 'fits = part >= ' 'fits = part > ' lease_average "$average" product carries quotient mean
fault lease/lease_average.v 'left  <= F_STEPS;' 'left  <= SUM_STEPS;' lease_average "$average" lefts
fault lease/lease_average.v 'num   <= sum;' 'num   <= sum >> 1;' lease_average "$average" bits
fault lease/lease_average.v "den   <= {{DEN_W - PART_W{1'b0}}, parts};" 'den   <= 1;' lease_average "$average" dens
fault lease/lease_average.v "den   <= {{DEN_W - N_W{1'b0}}, n};" 'den   <= 1;' lease_average "$average" means
fault lease/lease_average.v 'HALF = 8' 'HALF = 7' lease_average "$average" samples
fault lease/lease_average.v 'if (rst) leased' "if (1'b0) leased" lease_average "$average" leaseds
fault lease/lease_average.v "(|(leased & at)) ? lease : {LIFE_W{1'b0}}" 'lease' lease_average "$average" olds
fault lease/lease_average.v 'below ? LEAST : ' '' lease_average "ENTRIES=1 COUNT_W=2 PAGES=8 LIFE_W=2 GROUPS=1 GROUP_W=1 WEIGHT=1" held kept_in
fault lease/lease_average.v 'above ? MOST[LIFE_W-1:0] : ' '' lease_average "$average" held
fault lease/lease_average.v 'moved = below' 'moved = above' lease_average "$average" low
fault lease/lease_average.v 'distance >>> WEIGHT' '0' lease_average "$average" high
fault lease/lease_average.v 'was_leased ? distance_part : distance' 'distance' lease_average "$average" ways
fault lease/lease_average.v 'upd_valid <= state == SHOW' 'upd_valid <= state == MOVE' lease_average "$average" upd_1
fault lease/lease_average.v 'upd_group <= group;' 'upd_group <= ~group;' lease_average "$average" upd_2

# the whole block
lease='LANES=2 ENTRIES=2 BLOCK_W=2 COUNT_W=2 PAGES=2 GROUPS=2 DUTY=4 PERIOD=57 LIFE_W=2'
fault lease/lease.v 'LAST_DUTY = DUTY - 1' 'LAST_DUTY = DUTY' lease "$lease" period
fault lease/lease.v 'acc_valid & {L{duty}}' 'acc_valid' lease "$lease" takes looks joins hits adds
fault lease/lease.v 'LAST_COUNT = DUTY + 4' 'LAST_COUNT = DUTY + 2' lease "$lease" samples
fault lease/lease_average.v 'FIND: state <= NEXT;' 'FIND: state <= FIND;' lease "$lease" on_time
fault lease/lease_average.v 'upd_valid <= state == SHOW' 'upd_valid <= state == SAMPLE' lease "$lease" between
fault lease/lease_groups.v 'grow && grow_group == THIS' 'grow' lease "$lease" of_group
fault lease/lease_lanes.v ' && !none_left[l]' '' lease "$lease" in_quota
fault lease/lease_lanes.v 'none_left   <= found_none;' 'none_left   <= found_one;' lease "$lease" lane_none
fault lease/lease_lanes.v 'last        <= found_one;' 'last        <= found_none;' lease "$lease" lane_one
fault lease/lease_counts.v 'lane_hits[l] = hit[l]' 'lane_hits[l] = l == 0 && hit[l]' lease "$lease" some
fault lease/lease_counts.v 'entry[l*ENTRY_W+:ENTRY_W] == THIS' "1'b1" lease "$lease" unused

# outputs depend only on registers
plant lease/lease_observe.v 'assign st_used   = u_block.used;' 'assign st_used   = u_block.used & {ENTRIES{quota_valid}};'
MEMTWIN_RTL=$work/rtl OUT=$work/cone expect 1 tb/formal/run.sh --quick lease cone
grep -q 'VIOLATED: an output depends' "$work/out" || complain "the cone of lease: $(cat "$work/out")"
finish
