// SPDX-License-Identifier: Apache-2.0
// Contract of cap, at its ports: a query is answered two cycles later, and there is no other answer. For one group
// chosen by the solver, the answer is the greatest size that the formula allows for the values set before. Wide
// products are too hard for the solver: for them, the sum of the product's words is assumed to be correct.
localparam F_PRODUCT = HAVE_W <= 20;
localparam F_W = CMP_W + 9;  // wide enough for need x 2^8
localparam [2:0] F_OVER = OVER;
localparam [F_W-1:0] F_NUM = C_NUM;
localparam [HAVE_W-1:0] F_DEN = C_DEN;
(* anyconst *) reg [GROUP_W-1:0] f_group;
(* hierconn *) wire [SIZE_W*N-1:0] \u_req.f_mem ;
wire [SIZE_W-1:0] f_kept = \u_req.f_mem >> f_group * SIZE_W;

// Returns log2 of a number of blocks, at most 4.
function [2:0] f_log2(input [SIZE_W-1:0] blocks);
    f_log2 = blocks >= 16 ? 4 : blocks >= 8 ? 3 : blocks >= 4 ? 2 : blocks >= 2 ? 1 : 0;
endfunction

// Values that have been set.
reg               f_run, f_known, f_agg_known;
reg  [SIZE_W-1:0] f_req, f_agg;
// The queries of the last two cycles: whether one is for the chosen group, whether its values are known, the values.
reg               f_asked, f_mine, f_set, f_full, f_answers, f_mine_2, f_set_2, f_full_2;
reg  [AVAIL_W-1:0] f_avail, f_avail_2;
reg  [SIZE_W-1:0] f_req_1, f_req_2, f_agg_1, f_agg_2;
wire [2:0]        f_limit_1 = f_log2(f_req_1), f_limit_2 = f_log2(f_req_2);
reg  [HAVE_W-1:0] f_have;
// The previous answer, if its query was not for oversubscribed memory.
reg               f_last;
reg  [AVAIL_W-1:0] f_last_avail;
reg  [SIZE_W-1:0] f_last_req, f_last_agg;
reg  [2:0]        f_last_size;
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run       <= f_run || rst;
    f_known     <= !rst && (f_known || (set_valid && set_group == f_group && f_group < GROUPS));
    f_agg_known <= !rst && (f_agg_known || agg_valid);
    if (set_valid && set_group == f_group) f_req <= set_req;
    if (agg_valid) f_agg <= agg;

    f_asked   <= ask_valid && !rst;
    f_mine    <= ask_valid && ask_group == f_group && !rst;
    f_set     <= f_known && f_agg_known;
    f_full    <= ask_full;
    f_avail   <= ask_avail;
    f_req_1   <= f_req;
    f_agg_1   <= f_agg;

    f_answers <= f_asked && !rst;
    f_mine_2  <= f_mine && !rst;
    f_set_2   <= f_set;
    f_full_2  <= f_full;
    f_avail_2 <= f_avail;
    f_req_2   <= f_req_1;
    f_agg_2   <= f_agg_1;
    f_have    <= have;

    f_last       <= f_mine_2 && f_set_2 && !f_full_2 && !rst;
    f_last_avail <= f_avail_2;
    f_last_req   <= f_req_2;
    f_last_agg   <= f_agg_2;
    f_last_size  <= ans_size;
end

wire [HAVE_W-1:0] f_product = {{HAVE_W - AVAIL_W{1'b0}}, f_avail} * {{HAVE_W - SIZE_W{1'b0}}, f_req_1} * F_DEN;
wire [F_W-1:0]    f_have_2 = {{F_W - HAVE_W{1'b0}}, f_have};
wire [F_W-1:0]    f_need_2 = {{F_W - SIZE_W{1'b0}}, f_agg_2} * F_NUM;
wire              f_answer = f_mine_2 && f_set_2;
always @* begin
    r_chosen: `RULE_cap ({{32 - GROUP_W{1'b0}}, f_group} < GROUPS);
    if (!f_run) r_reset: `RULE_cap (rst);
    if (f_run) begin
        on_time:   assert (asked == f_asked && ans_valid == f_answers);
        is_set:    assert (known[f_group] == f_known && agg_known == f_agg_known);
        kept:      assert (!f_known || f_kept == f_req);
        limit_is:  assert (!f_mine || number(limit) == (f_set ? f_limit_1 : 3'd0));
        need_is:   assert (!f_mine || !f_set ||
                           {{F_W - NEED_W{1'b0}}, need} == {{F_W - SIZE_W{1'b0}}, f_agg_1} * F_NUM);
        in_order:  assert ((fit & (fit + 1'b1)) == 0 && (limit & (limit + 1'b1)) == 0 &&
                           (!ans_valid || (size & (size + 1'b1)) == 0));

        unset_is_0:  assert (!f_mine_2 || f_set_2 || ans_size == 0);
        at_most:     assert (!f_answer || ans_size <= f_limit_2);
        fits:        assert (!f_answer || f_full_2 || ans_size == 0 || f_have_2 >= f_need_2 << (ans_size + 4));
        greatest:    assert (!f_answer || f_full_2 || ans_size == f_limit_2 || f_have_2 < f_need_2 << (ans_size + 5));
        over_is:     assert (!f_answer || !f_full_2 || ans_size == (f_limit_2 < F_OVER ? f_limit_2 : F_OVER));

        c_largest: cover (f_answer && !f_full_2 && ans_size == 4 && f_agg_2 != 0);
        c_fit:     cover (f_answer && !f_full_2 && ans_size == 2 && f_limit_2 == 4);
        c_over:    cover (f_answer && f_full_2 && ans_size == F_OVER);
    end
end
generate
    if (F_PRODUCT) begin : gen_f_product
        wire [HAVE_W-1:0] f_product_2 =
            {{HAVE_W - AVAIL_W{1'b0}}, f_avail_2} * {{HAVE_W - SIZE_W{1'b0}}, f_req_2} * F_DEN;
        always @* if (f_run) begin
            product_is: assert (!f_mine || !f_set || have == f_product);
            carries_on: assert (!f_answer || f_have == f_product_2);
            monotone:   assert (!f_last || !f_answer || f_full_2 || f_req_2 != f_last_req || f_agg_2 != f_last_agg ||
                                f_avail_2 < f_last_avail ||
                                ans_size >= f_last_size);
        end
    end
endgenerate
