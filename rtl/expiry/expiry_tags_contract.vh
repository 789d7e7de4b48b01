// SPDX-License-Identifier: Apache-2.0
// Contract of expiry_tags, stated with the entries of the previous cycle: f_block_was, f_used_was, f_tags_was.
reg                        f_run, f_ran;  // f_ran: f_run of the previous cycle
reg  [BLOCK_W-1:0]         f_block_was;
reg  [ENTRIES-1:0]         f_used_was;
reg  [ENTRIES*BLOCK_W-1:0] f_tags_was;
wire [ENTRIES*BLOCK_W-1:0] f_tags;
wire [ENTRIES-1:0]         f_others = used & ~at;
localparam [WAY_W:0] F_ENTRIES = ENTRIES;
wire f_runs = f_ran;
wire f_running = f_run;  // a wire, because `hierconn` to a register would drop its initial value
genvar f_j;
generate
    for (f_j = 0; f_j < ENTRIES; f_j = f_j + 1) begin : gen_f_tag
        assign f_tags[f_j*BLOCK_W+:BLOCK_W] = gen_entry[f_j].tag;
    end
endgenerate

initial f_run = 1'b0;
initial f_ran = 1'b0;
always @(posedge clk) begin
    f_run       <= f_run || rst;
    f_ran       <= f_run;
    f_block_was <= block;
    f_used_was  <= used;
    f_tags_was  <= f_tags;
end

// Entries that had the block; free entries below free_way; entries that duplicate a lower tag; entries whose tag `set`
// would duplicate.
reg [ENTRIES-1:0] f_had, f_free_below, f_twice, f_second;
integer           f_i, f_k;
always @* begin
    f_twice = {ENTRIES{1'b0}};
    for (f_i = 0; f_i < ENTRIES; f_i = f_i + 1) begin
        f_had[f_i]        = f_used_was[f_i] && f_tags_was[f_i*BLOCK_W+:BLOCK_W] == f_block_was;
        f_free_below[f_i] = !f_used_was[f_i] && f_i < free_way;
        f_second[f_i]     = f_others[f_i] && f_tags[f_i*BLOCK_W+:BLOCK_W] == block;
        for (f_k = 0; f_k < f_i; f_k = f_k + 1)
            f_twice[f_i] = f_twice[f_i] |
                (used[f_i] && used[f_k] && f_tags[f_i*BLOCK_W+:BLOCK_W] == f_tags[f_k*BLOCK_W+:BLOCK_W]);
    end
end

always @* begin
    if (!f_run) r_reset: `RULE_expiry_tags (rst);
    if (f_run) begin
        r_way:    `RULE_expiry_tags (!(set || clear) || {1'b0, way} < F_ENTRIES);
        r_change: `RULE_expiry_tags (!(set && clear));
        r_once:   `RULE_expiry_tags (!set || f_second == {ENTRIES{1'b0}});

        once:        assert (f_twice == {ENTRIES{1'b0}});
        found_any:   assert (found == |f_had && match == f_had);
        found_one:   assert (!f_ran || (f_had & (f_had - WAY0)) == {ENTRIES{1'b0}});
        found_there: assert (!(f_ran && found) || ({1'b0, found_way} < F_ENTRIES && f_had[found_way]));
        lowest_free: assert (&f_used_was ||
                             (!f_used_was[free_way] && {1'b0, free_way} < F_ENTRIES &&
                             f_free_below == {ENTRIES{1'b0}}));

        c_last: cover (found && {1'b0, found_way} == F_ENTRIES - 1'b1);
        c_hole: cover (!(&f_used_was) && f_used_was[ENTRIES-1] && free_way != {WAY_W{1'b0}} && ENTRIES > 2);
    end
end
