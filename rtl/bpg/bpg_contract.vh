// SPDX-License-Identifier: Apache-2.0
// Contract of bpg, at its ports: each access and failure has its effect on the shadow array and counter of
// calculator f_k, which the solver chooses. A decision is made from these counters CALCULATORS + 4 cycles after each
// INTERVAL-th accepted access, and only then.
// f_taken: number of accesses in the interval; f_steps: bit i is set i + 1 cycles after the last access of an interval.
localparam F_STEPS = CALCULATORS + 4;
localparam [20:0] F_LAST = INTERVAL - 1;
localparam [20:0] F_ONE = 1;
reg  [20:0]        f_taken;
reg  [F_STEPS-1:0] f_steps;
reg                f_run, f_quiet;
wire               f_clears = rst || launch;
(* hierconn *) wire [$clog2(CALCULATORS+4)-1:0] \u_judge.f_t ;
(* hierconn *) wire \u_judge.f_ran ;
(* hierconn *) wire \u_judge.rst , \u_judge.clear , \u_judge.start , \u_judge.started , \u_judge.cube_valid ;
(* hierconn *) wire [INDEX_W-1:0] \u_judge.cube_index ;
(* hierconn *) wire [`BPG_CUBE_W-1:0] \u_judge.cube_value ;
(* hierconn *) wire [FAIL_W-1:0] \u_judge.fails ;
(* hierconn *) wire [CALCULATORS*HIT_W-1:0] \u_judge.hits ;
(* anyconst *) reg [LMAX_W-1:0] f_k;
wire [$clog2(CALCULATORS+4)-1:0] f_t = \u_judge.f_t ;
wire [20:0]        f_count = {{21 - COUNT_W{1'b0}}, count};
wire [20:0]        f_bound = ended ? F_LAST + F_LAST + F_ONE : F_LAST + f_count;

reg     f_bounded, f_first;
integer f_i;
always @* begin
    f_bounded = 1'b1;
    f_first   = 1'b1;
    for (f_i = 0; f_i < CALCULATORS; f_i = f_i + 1)
        f_bounded = f_bounded & ({{21 - HIT_W{1'b0}}, hits[f_i*HIT_W+:HIT_W]} <= f_bound);
    for (f_i = 1; f_i < F_STEPS; f_i = f_i + 1) f_first = f_first & (!f_steps[f_i] || f_count < f_i);
end

// The access of the previous cycle, the set of its line (computed independently of mt_set_index), and that set's row.
localparam F_SKIPPED = (1 << SKIP) - 1;
reg               f_look, f_failed;
reg [2:0]         f_op;
reg [ADDR_W-1:0]  f_line;
reg [ID_W-1:0]    f_id;
wire [ADDR_W+18:0] f_bits = {19'd0, f_line};
wire [4:0]        f_folded = {f_bits[12], f_bits[10], f_bits[8:6]};
// the polynomial of ipoly for 8 to 64 sets; the remainder is computed by division
localparam F_POLY = (SET_BITS == 3) ? 11 : (SET_BITS == 4) ? 19 : (SET_BITS == 5) ? 37 : 67;
localparam [ADDR_W+18:0] F_DIVISOR = F_POLY;
reg [ADDR_W+18:0] f_divided;
reg [SET_W-1:0]   f_set;
always @* begin
    f_divided = f_bits;
    for (f_i = ADDR_W - 1; f_i >= SET_BITS; f_i = f_i - 1)
        if (f_divided[f_i]) f_divided = f_divided ^ (F_DIVISOR << (f_i - SET_BITS));
    f_set = {SET_W{1'b0}};
    for (f_i = 0; f_i < SET_BITS; f_i = f_i + 1)
        f_set[f_i] = f_bits[f_i] ^
            (INDEX == 1 ? f_bits[f_i+7] : INDEX == 2 && f_i < 5 && f_folded[f_i] || INDEX == 3 && f_bits[f_i+SET_BITS]);
    if (INDEX == 6) f_set = f_bits[SET_W-1:0] + f_bits[SET_BITS+:SET_W] * 11;
    if (INDEX == 7) f_set = f_divided[SET_W-1:0];
end
wire                   f_sampled = (f_set & F_SKIPPED[SET_W-1:0]) == {SET_W{1'b0}};
wire [ADDR_W+KEPT_W:0] f_tag = {{KEPT_W + 1{1'b0}}, f_line} >> SET_BITS;

// The chosen calculator: inputs and outputs of its shadow array, and expected values of its counter, the failures and
// the accesses.
reg [ROWS+KEPT_W+4:0] f_shadow;
reg [HIT_W-1:0]       f_judge_hits, f_shown_hits;
always @* begin
    f_shadow     = {ROWS + KEPT_W + 5{1'b0}};
    f_judge_hits = {HIT_W{1'b0}};
    f_shown_hits = {HIT_W{1'b0}};
    for (f_i = 0; f_i < CALCULATORS; f_i = f_i + 1)
        if (f_k == f_i + 1) begin
            f_shadow     = f_shadows[f_i*(ROWS+KEPT_W+5)+:ROWS+KEPT_W+5];
            f_judge_hits = \u_judge.hits [f_i*HIT_W+:HIT_W];
            f_shown_hits = ended ? hits[f_i*HIT_W+:HIT_W] >> 1 : hits[f_i*HIT_W+:HIT_W];
        end
end
wire [CALCULATORS*(ROWS+KEPT_W+5)-1:0] f_shadows;
genvar f_c;
generate
    for (f_c = 0; f_c < CALCULATORS; f_c = f_c + 1) begin : gen_f_calculator
        assign f_shadows[f_c*(ROWS+KEPT_W+5)+:ROWS+KEPT_W+5] = gen_calculator[f_c+1].f_shadow;
    end
endgenerate
wire [ROWS-1:0]   f_at;
wire [KEPT_W-1:0] f_told_tag;
wire              f_clear, f_enter, f_update, f_evict, f_found;
assign {f_at, f_told_tag, f_clear, f_enter, f_update, f_evict, f_found} = f_shadow;

wire              f_mine = f_look && f_sampled && f_id < f_k;
wire              f_hit = f_mine && f_op == `BPG_LOAD && f_found;
wire              f_ends = f_steps[0];
reg  [HIT_W-1:0]  f_hits, f_copied;
reg  [FAIL_W-1:0] f_fails;
wire [HIT_W-1:0]  f_hits_more = (f_hit && !(&f_hits)) ? f_hits + 1'b1 : f_hits;
wire [FAIL_W-1:0] f_fails_more = (f_failed && !(&f_fails)) ? f_fails + 1'b1 : f_fails;

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run    <= f_run || f_clears;
    f_quiet  <= f_clears;
    f_look   <= acc_valid;
    f_failed <= fail;
    f_op     <= acc_op;
    f_line   <= acc_addr;
    f_id     <= acc_id;
    f_copied <= f_hits_more;
    f_hits   <= f_ends ? f_hits_more >> 1 : f_hits_more;
    f_fails  <= f_ends ? f_fails_more >> 1 : f_fails_more;
    f_steps  <= {f_steps[F_STEPS-2:0], acc_valid && f_taken == F_LAST};
    if (acc_valid) f_taken <= f_taken == F_LAST ? 21'd0 : f_taken + F_ONE;
    if (f_clears) begin
        f_look   <= 1'b0;
        f_failed <= 1'b0;
        f_hits   <= {HIT_W{1'b0}};
        f_fails  <= {FAIL_W{1'b0}};
        f_taken  <= 21'd0;
        f_steps  <= {F_STEPS{1'b0}};
    end
end

always @* begin
    r_chosen: assume (f_k >= 1 && f_k <= CALCULATORS);
    if (!f_run) r_clear: `RULE_bpg (f_clears);
    judge_ran: assert (\u_judge.f_ran == f_run);
    if (f_run) begin
        on_time:     assert (update == f_steps[F_STEPS-1]);
        after_clear: assert (!f_quiet ||
                             (lmax == CALCULATORS && !look && !failed && count == 0 && fails == 0 && hits == 0));
        past:        assert (ask_past == (lmax < CALCULATORS && ask_id >= lmax));
        hits_bound:  assert (f_bounded);
        // an access: the shadow array's inputs and the counter updates match the ports
        looked_at:     assert (look == f_look && (!f_look || sampled == f_sampled));
        its_place:     assert (!f_look || !f_sampled ||
                               (f_at == ({{ROWS - 1{1'b0}}, 1'b1} << (f_set >> SKIP)) &&
                               f_told_tag == f_tag[KEPT_W-1:0]));
        its_operation: assert (f_enter == (f_mine && (f_op == `BPG_LOAD || f_op == `BPG_WRITE)) &&
                               f_update == (f_mine && f_op == `BPG_UPDATE) &&
                                   f_evict == (f_mine && f_op == `BPG_EVICT) && f_clear == f_clears);
        hits_counted:  assert (f_shown_hits == f_hits);
        fails_counted: assert (failed == f_failed && fails == f_fails_more);
        // the decision uses the counts and the table
        judged_hits:   assert (!f_steps[1] || (\u_judge.started && f_judge_hits == f_copied));
        judged_fails:  assert (\u_judge.start == f_ends && (!f_ends || \u_judge.fails == f_fails_more));
        judged_table:  assert ((\u_judge.rst || \u_judge.clear ) == f_clears && \u_judge.cube_valid == cube_valid &&
                               (!cube_valid ||
                                   (\u_judge.cube_index == cube_index && \u_judge.cube_value == cube_value)));
        // accepted accesses are looked up one cycle later
        interval:    assert (f_taken == (!look ? f_count : f_count == F_LAST ? 21'd0 : f_count + F_ONE) &&
                             f_count <= F_LAST);
        last_looked: assert (last == f_steps[0]);
        last_ended:  assert (!f_steps[1] || ended);
        halves_once: assert (!ended || count == 0);
        judging:     assert (f_first && (f_steps & (f_steps - 1)) == 0);
        steps:       assert ((f_steps >> 1) ==
                             (f_t == 0 ? {f_steps[F_STEPS-1], {F_STEPS - 2{1'b0}}} :
                             ({{F_STEPS - 1{1'b0}}, 1'b1} << (f_t - 1))));

        c_update: cover (update && lmax == 1);
        c_again:  cover (update && lmax == CALCULATORS && hits != 0);
    end
end
