// SPDX-License-Identifier: Apache-2.0
// Contract of mshr_fill, by a set that the solver chooses: one bit of f_at. f_count: requests in it, except one that `taken` tells of.
// fill: how many requests each set holds, in columns.
localparam FILL_W = $clog2(SLOTS + 1);
wire [N*FILL_W-1:0] fill;
generate
    if (FILL_W > SLOT_W) begin : gen_f_full
        assign fill = {is_full, low & {SLOT_W{used}}};
    end else begin : gen_f_low
        assign fill = low & {SLOT_W{used}};
    end
endgenerate
(* anyconst *) reg [N-1:0] f_at;
reg              f_run;  // after a first reset
reg [FILL_W-1:0] f_count, f_fill;
reg [N-1:0]      f_begun;  // sets that could be taken at the edge before
wire [FILL_W-1:0] f_now = |(taken & f_at) ? {{(FILL_W - 1) {1'b0}}, 1'b1} : f_count;
reg [SLOT_W-1:0] f_low;
integer          f_b;

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run   <= 1'b1;
    f_begun <= is_free & ~take;
    if (rst) f_count <= {FILL_W{1'b0}};
    else if (|(take & f_at)) f_count <= {{(FILL_W - 1) {1'b0}}, 1'b1};
    else if (|(clear & f_at)) f_count <= {FILL_W{1'b0}};
    else f_count <= f_now + |(add & f_at);
end

always @* begin
    for (f_b = 0; f_b < FILL_W; f_b = f_b + 1) f_fill[f_b] = |(fill[f_b*N+:N] & f_at);
    for (f_b = 0; f_b < SLOT_W; f_b = f_b + 1) f_low[f_b] = |(low[f_b*N+:N] & f_at);
    r_set: assume (f_at != 0 && (f_at & (f_at - 1'b1)) == 0);
    if (!f_run) r_reset: `RULE_mshr_fill (rst);
    if (f_run) begin
        r_take:  `RULE_mshr_fill ((take & ~is_free) == 0);
        r_taken: `RULE_mshr_fill ((taken & ~f_begun) == 0);
        r_add:   `RULE_mshr_fill ((add & (is_free | is_full)) == 0);
        r_clear: `RULE_mshr_fill ((add & clear) == 0);

        a_count: assert (f_fill == f_now && f_now <= SLOTS);
        a_begun: assert (!(|(f_begun & f_at)) || f_count == 0 && (SLOTS == 1 || f_low == 1));
        a_free:  assert (|(is_free & f_at) == (f_now == 0));
        a_full:  assert (|(is_full & f_at) == (f_now == SLOTS));
        a_low:   assert (f_now == 0 || f_low == f_now[SLOT_W-1:0]);
        c_full:  cover (|(is_full & clear & f_at));
    end
end
