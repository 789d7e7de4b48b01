// SPDX-License-Identifier: Apache-2.0
// Contract of bpg_shadow for one row and one tag chosen by the solver. f_in: the accesses have put that
// line into the array; f_way: its way; f_since: the ways of the row that were used since the line's last use.
(* anyconst *) reg [ROWS-1:0] f_at;
(* anyconst *) reg [TAG_W-1:0] f_tag;
localparam [ROWS-1:0] F_ROW0 = 1;
localparam [WAYS-1:0] F_WAY0 = 1;

reg            f_run, f_in;
wire           f_clears = rst || clear;
reg [WAYS-1:0] f_way, f_since;
wire           f_here = at == f_at;
wire           f_mine = f_here && tag == f_tag;

// For the chosen row: the valid bits, the ways with the tag, and the ways that duplicate a lower way's tag.
// f_later[w*WAYS+v]: way w was used after way v.
wire [WAYS-1:0]       f_valid, f_equal, f_twice;
wire [WAYS*TAG_W-1:0] f_held;
wire [WAYS*WAYS-1:0]  f_later;
reg  [ROW_W-1:0]      f_row;  // order and valid bits of the chosen row
integer               f_n;
always @* begin
    f_row = {ROW_W{1'b0}};
    for (f_n = 0; f_n < ROWS; f_n = f_n + 1) f_row = f_row | (rows[f_n*ROW_W+:ROW_W] & {ROW_W{f_at[f_n]}});
end
genvar f_w, f_v, f_r;
generate
    for (f_w = 0; f_w < WAYS; f_w = f_w + 1) begin : gen_f_way
        wire [WAYS-1:0] same;
        for (f_v = 0; f_v < TAG_W; f_v = f_v + 1) begin : gen_f_bit
            wire [ROWS-1:0] bits;  // this bit of the tags of all rows
            for (f_r = 0; f_r < ROWS; f_r = f_r + 1) begin : gen_f_row
                assign bits[f_r] = gen_way[f_w].f_tags[f_r*TAG_W+f_v];
            end
            assign f_held[f_w*TAG_W+f_v] = |(bits & f_at);
        end
        for (f_v = 0; f_v < WAYS; f_v = f_v + 1) begin : gen_f_other
            assign same[f_v] = f_v < f_w && f_held[f_v*TAG_W+:TAG_W] == f_held[f_w*TAG_W+:TAG_W];
            if (f_v < f_w) begin : gen_f_below
                assign f_later[f_w*WAYS+f_v] = f_row[WAYS+f_w*(f_w-1)/2+f_v];
                assign f_later[f_v*WAYS+f_w] = !f_later[f_w*WAYS+f_v];
            end
        end
        assign f_later[f_w*WAYS+f_w] = 1'b0;
        assign f_valid[f_w] = f_row[f_w];
        assign f_equal[f_w] = f_held[f_w*TAG_W+:TAG_W] == f_tag;
        assign f_twice[f_w] = f_valid[f_w] && |(same & f_valid);
    end
endgenerate

// Indices of three valid ways in order of use; the ways used after the line.
integer        f_i, f_j, f_k;
reg            f_circle;
reg [WAYS-1:0] f_after;
always @* begin
    f_circle = 1'b0;
    f_after  = {WAYS{1'b0}};
    for (f_i = 0; f_i < WAYS; f_i = f_i + 1)
        for (f_j = 0; f_j < WAYS; f_j = f_j + 1) begin
            f_after[f_i] = f_after[f_i] | (f_way[f_j] & f_later[f_i*WAYS+f_j]);
            for (f_k = 0; f_k < WAYS; f_k = f_k + 1)
                f_circle = f_circle |
                    (f_later[f_i*WAYS+f_j] & f_later[f_j*WAYS+f_k] & f_later[f_k*WAYS+f_i] & f_valid[f_i] &
                    f_valid[f_j] & f_valid[f_k]);
        end
end

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run <= f_run || f_clears;
    if (f_here) f_since <= f_since | used;
    if (f_mine && (enter || (update && f_in))) begin
        f_in    <= 1'b1;
        f_way   <= f_in ? f_way : fill;
        f_since <= {WAYS{1'b0}};
    end else if (f_in && f_here && ((f_mine && evict) || |(fill & f_way))) f_in <= 1'b0;
    if (f_clears) f_in <= 1'b0;
end

always @* begin
    r_chosen: assume (f_at != {ROWS{1'b0}} && (f_at & (f_at - F_ROW0)) == {ROWS{1'b0}});
    if (f_run) begin
        r_row: `RULE_bpg_shadow (at != {ROWS{1'b0}} && (at & (at - F_ROW0)) == {ROWS{1'b0}});
        r_one: `RULE_bpg_shadow ({1'b0, enter} + {1'b0, update} + {1'b0, evict} <= 2'd1);

        found_if_in:     assert (!f_mine || found == f_in);
        once_in_its_row: assert ((f_valid & f_equal) == (f_way & {WAYS{f_in}}));
        one_way:         assert (!f_in || (f_way != {WAYS{1'b0}} && (f_way & (f_way - F_WAY0)) == {WAYS{1'b0}}));
        no_tag_twice:    assert (f_twice == {WAYS{1'b0}});
        order:           assert (!f_circle);
        used_since:      assert (!f_in || f_after == f_since);
        fills_one:       assert (!(f_here && enter && !found) ||
                                 (fill != {WAYS{1'b0}} && (fill & (fill - F_WAY0)) == {WAYS{1'b0}}));
        free_first:      assert (!(f_here && enter && !found) || &f_valid || fill == (~f_valid & (f_valid + F_WAY0)));
        pushed_if_old:   assert (!(f_here && f_in && |(fill & f_way)) || (&f_valid && &(f_since | f_way)));

        c_pushed: cover (f_here && f_in && |(fill & f_way));
        c_again:  cover (f_mine && f_in && enter && &f_valid);
        c_gone:   cover (f_mine && f_in && evict);
    end
end
