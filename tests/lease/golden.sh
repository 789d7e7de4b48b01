#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 12 s; full, 50 s; long, 90 s
# The Verilog of lease produces the sequences of tests/lease/test_lease.c in Verilator and in Icarus, and a planted fault changes the sequence
# that is meant to find it. In tier test, sequences of thousands of cycles run only on the model. Run from the root.
. tests/lib.bash
. tests/golden.bash
golden lease "$(grep -c '^    struct lease_bench .*START(\|^        struct lease_bench .*START(' tests/lease/test_lease.c)"
[ "$TIER" != test ] || rm "$work"/golden/test_{pass,missed_saturates,most_of_16_pages,leases_in_turn}.vec
replays

fault three_blocks lease_average.v 's/sum + {{ENTRY_BITS/{{ENTRY_BITS/'
fault below_half lease_average.v 's/num   <= sum;/num   <= sum ^ 2;/'
fault half_rounds_up lease_average.v 's/HALF = 8/HALF = 7/'
fault groups_in_turn lease_average.v 's/used\[e\] \&\& groups.* == group/used[e]/'
fault window_without_access lease_average.v 's/had ? part_far : far/far/'
fault bounds_of_a_lease lease_average.v 's/above ? MOST\[LIFE_W-1:0\] ://'
fault least_lease lease_average.v 's/below ? LEAST ://'
fault weight lease_average.v 's/part_far = far >>> WEIGHT/part_far = far \/ (1 << WEIGHT)/'
fault quota_of_a_group lease_lanes.v 's/ \&\& !none_left\[l\]//'
fault no_entry_is_free lease_lanes.v 's/choose = any \&\& !full/choose = any/'
fault group_beyond lease_lanes.v "s/{{ALL{1'b1}}, none}/{{ALL{1'b0}}, none}/"
fault edges_of_a_window lease.v 's/LAST_DUTY = DUTY - 1/LAST_DUTY = DUTY/'
fault lanes_of_a_block lease_lanes.v 's/joins\[l\] \&\& (join_known.*/joins[l] \&\& join_known[l];/'
fault one_entry_a_cycle lease_lanes.v "s/same\[l\] = .*/same[l] = 1'b0;/"
fault quota_in_a_row lease_groups.v 's/grows ? room_2 : room_1/room_1/'
fault reset_forgets lease_average.v "s/if (rst) leased/if (1'b0) leased/"
finish
