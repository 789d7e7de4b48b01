// SPDX-License-Identifier: Apache-2.0
// Contract of mshr_fill for one set chosen by the solver, f_at. f_count: the number of its requests.
// fill: number of requests in each set s, fill[s*FILL_W +: FILL_W].
localparam FILL_W = $clog2(SLOTS + 1);
wire [N*FILL_W-1:0] fill;
genvar f_s;
generate
    for (f_s = 0; f_s < N; f_s = f_s + 1) begin : gen_f_fill
        wire [SLOT_W-1:0] low_used = fill_lows[f_s*SLOT_W+:SLOT_W] & {SLOT_W{used[f_s]}};
        if (FILL_W > SLOT_W) begin : gen_f_full
            assign fill[f_s*FILL_W+:FILL_W] = {is_full[f_s], low_used};
        end else begin : gen_f_low
            assign fill[f_s*FILL_W+:FILL_W] = low_used;
        end
    end
endgenerate
(* anyconst *) reg [N-1:0] f_at;
reg              f_run;  // reset has been applied
reg [FILL_W-1:0] f_count, f_fill;
reg [N-1:0]      f_begun;  // sets that could be allocated at the previous edge
reg [SLOT_W-1:0] f_low;
integer          f_i;

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run   <= 1'b1;
    f_begun <= is_free & ~take;
    if (rst) f_count <= {FILL_W{1'b0}};
    else if (|(take & f_at)) f_count <= {{(FILL_W - 1) {1'b0}}, 1'b1};
    else if (|(clear & f_at)) f_count <= {FILL_W{1'b0}};
    else f_count <= f_count + |(add & f_at);
end

always @* begin
    f_fill = {FILL_W{1'b0}};
    f_low  = {SLOT_W{1'b0}};
    for (f_i = 0; f_i < N; f_i = f_i + 1) begin
        f_fill = f_fill | (fill[f_i*FILL_W+:FILL_W] & {FILL_W{f_at[f_i]}});
        f_low  = f_low | (fill_lows[f_i*SLOT_W+:SLOT_W] & {SLOT_W{f_at[f_i]}});
    end
    r_set: assume (f_at != 0 && (f_at & (f_at - 1'b1)) == 0);
    if (!f_run) r_reset: `RULE_mshr_fill (rst);
    if (f_run) begin
        r_take:  `RULE_mshr_fill ((take & ~is_free) == 0);
        r_add:   `RULE_mshr_fill ((add & (is_free | is_full)) == 0);
        r_clear: `RULE_mshr_fill ((add & clear) == 0);

        a_count: assert (f_fill == f_count && f_count <= SLOTS);
        a_begun: assert (!(|(f_begun & f_at)) || f_count == 0 && (SLOTS == 1 || f_low == 1));
        a_free:  assert (|(is_free & f_at) == (f_count == 0));
        a_full:  assert (|(is_full & f_at) == (f_count == SLOTS));
        a_low:   assert (f_count == 0 || f_low == f_count[SLOT_W-1:0]);
        c_full:  cover (|(is_full & clear & f_at));
    end
end
