// SPDX-License-Identifier: Apache-2.0
// Contract of lease_lanes, for two entries and one lane chosen by the solver: a block has at most one entry; an access
// is counted in its block's entry if there is one after the entry of the access's cycle has been chosen.
localparam F_LANE_W = (LANES < 2) ? 1 : $clog2(LANES);
localparam [ENTRY_W:0] F_ENTRIES = ENTRIES;
localparam [F_LANE_W:0] F_LANES = LANES;
(* anyconst *) reg [ENTRY_W-1:0] f_any_i, f_any_j;
(* anyconst *) reg [F_LANE_W-1:0] f_any_l;
wire [ENTRY_W-1:0]  f_i = {1'b0, f_any_i} < F_ENTRIES ? f_any_i : {ENTRY_W{1'b0}};
wire [ENTRY_W-1:0]  f_j = {1'b0, f_any_j} < F_ENTRIES ? f_any_j : {ENTRY_W{1'b0}};
wire [F_LANE_W-1:0] f_l = {1'b0, f_any_l} < F_LANES ? f_any_l : {F_LANE_W{1'b0}};
wire [ENTRIES*BLOCK_W-1:0] f_blocks;
genvar f_e;
generate
    for (f_e = 0; f_e < ENTRIES; f_e = f_e + 1) begin : gen_f_entry
        assign f_blocks[f_e*BLOCK_W+:BLOCK_W] = gen_entry[f_e].block;
    end
endgenerate
wire [BLOCK_W-1:0] f_block_i = f_blocks[f_i*BLOCK_W+:BLOCK_W];
wire [BLOCK_W-1:0] f_block_j = f_blocks[f_j*BLOCK_W+:BLOCK_W];
wire [BLOCK_W-1:0] f_seen_b = seen_block[f_l*BLOCK_W+:BLOCK_W];
wire [GROUP_W-1:0] f_seen_g = seen_group[f_l*GROUP_W+:GROUP_W];
wire [BLOCK_W-1:0] f_join_b = join_block[f_l*BLOCK_W+:BLOCK_W];
wire [ENTRY_W-1:0] f_known_e = known_entry[f_l*ENTRY_W+:ENTRY_W];
wire [ENTRY_W-1:0] f_join_e = join_entry[f_l*ENTRY_W+:ENTRY_W];
wire [ENTRY_W-1:0] f_hit_e = entry[f_l*ENTRY_W+:ENTRY_W];
wire               f_newest = new_valid && new_entry == f_i;
wire               f_newest_j = new_valid && new_entry == f_j;
// used by the contract of lease
wire [LANES-1:0]   f_took = took, f_seen = seen, f_joins = joins;
wire [LANES-1:0]   f_news;  // lanes that join the new entry
wire [ENTRY_W-1:0] f_new_e = new_entry;
wire               f_chosen = choose && first[f_l];
wire               f_lane_seen = seen[f_l];
wire               f_lane_none = none_left[f_l];
wire               f_lane_last = last[f_l];
reg                f_run, f_was;   // f_was: the lane had an access whose result is due in this cycle
reg [BLOCK_W-1:0]  f_was_b;
genvar f_k;
generate
    for (f_k = 0; f_k < LANES; f_k = f_k + 1) begin : gen_f_new
        assign f_news[f_k] = joins[f_k] && !join_known[f_k] && new_valid &&
            join_block[f_k*BLOCK_W+:BLOCK_W] == new_block;
    end
endgenerate
// in all lanes, known entries are in use, and a block without a known entry is in no entry except the newest
reg     f_known, f_join, f_hit, f_unknown;
integer f_n;
always @* begin
    f_known   = 1'b1;
    f_join    = 1'b1;
    f_hit     = 1'b1;
    f_unknown = 1'b1;
    for (f_n = 0; f_n < LANES; f_n = f_n + 1) begin
        f_known = f_known && (!seen[f_n] || !known[f_n] ||
                              (known_entry[f_n*ENTRY_W+:ENTRY_W] < F_ENTRIES &&
                                  used[known_entry[f_n*ENTRY_W+:ENTRY_W]]));
        f_join = f_join && (!joins[f_n] || !join_known[f_n] ||
                            (join_entry[f_n*ENTRY_W+:ENTRY_W] < F_ENTRIES && used[join_entry[f_n*ENTRY_W+:ENTRY_W]]));
        f_hit = f_hit && (!hit[f_n] || (entry[f_n*ENTRY_W+:ENTRY_W] < F_ENTRIES && used[entry[f_n*ENTRY_W+:ENTRY_W]]));
        if (seen[f_n] && !known[f_n])
            f_unknown = f_unknown && (!used[f_i] || f_block_i != seen_block[f_n*BLOCK_W+:BLOCK_W] || f_newest) &&
                        (!used[f_j] || f_block_j != seen_block[f_n*BLOCK_W+:BLOCK_W] || f_newest_j);
    end
end
wire f_ran = f_run;  // a wire, because `hierconn` to a register would drop its initial value
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run   <= f_run || rst;
    f_was   <= joins[f_l] && !rst;
    f_was_b <= f_join_b;
end
always @* begin
    if (!f_run) r_reset: `RULE_lease_lanes (rst);
    if (f_run) begin
        r_clear:      `RULE_lease_lanes (!clear || (took == 0 && seen == 0 && joins == 0));

        in_order:     assert ((used & (used + 1'b1)) == 0);
        once:         assert (f_i == f_j || !used[f_i] || !used[f_j] || f_block_i != f_block_j);
        newest:       assert (!new_valid || ({1'b0, new_entry} < F_ENTRIES && used >> new_entry == 1));
        newest_is:    assert (!f_newest || (f_block_i == new_block && groups[f_i*GROUP_W+:GROUP_W] == new_group));
        newest_is_j:  assert (!f_newest_j || f_block_j == new_block);
        known_in:     assert (f_known);
        known_is:     assert (!seen[f_l] || !known[f_l] || f_known_e != f_i || f_block_i == f_seen_b);
        unknown:      assert (f_unknown);
        join_in:      assert (f_join);
        join_is:      assert (!joins[f_l] || !join_known[f_l] || f_join_e != f_i || f_block_i == f_join_b);
        join_unknown: assert (!joins[f_l] || join_known[f_l] || !used[f_i] || f_block_i != f_join_b || f_newest);
        hit_in:       assert (f_hit && (!hit[f_l] || f_was));
        hit_is:       assert (!hit[f_l] || f_hit_e != f_i || f_block_i == f_was_b);
        hit_all:      assert (!f_was || hit[f_l] || !used[f_i] || f_block_i != f_was_b || f_newest);
        word_is:      assert (!first[f_l] || word == {f_seen_g, f_seen_b});
        chosen_able:  assert (!first[f_l] || (seen[f_l] && !known[f_l] && !same[f_l]));
        not_beyond:   assert (!choose || !full);

        c_same:       cover (same[f_l] && seen[f_l] && choose);
        c_full:       cover (full && able[f_l]);
        c_joins:      cover (hit[f_l] && f_was && f_hit_e == ENTRIES - 1);
    end
end
