// Contract of bpg, at its ports: a decision CALCULATORS + 4 cycles after each INTERVAL-th access that was taken, and at no other time; what
// the counters can hold. f_taken: accesses of the interval; f_steps: bit i, the last one of an interval was taken i + 1 cycles ago.
localparam F_STEPS = CALCULATORS + 4;
localparam [20:0] F_LAST = INTERVAL - 1;
localparam [20:0] F_ONE = 1;
reg  [20:0]        f_taken;
reg  [F_STEPS-1:0] f_steps;
reg                f_run, f_quiet;
(* hierconn *) wire [$clog2(CALCULATORS+4)-1:0] \u_judge.f_t ;
(* hierconn *) wire \u_judge.f_ran ;
wire [$clog2(CALCULATORS+4)-1:0] f_t = \u_judge.f_t ;
wire [20:0]        f_count = {{21 - COUNT_W{1'b0}}, count};
wire [20:0]        f_bound = ended ? F_LAST + F_LAST + F_ONE : F_LAST + f_count;

reg     f_bounded, f_first;
integer f_i;
always @* begin
    f_bounded = 1'b1;
    f_first   = 1'b1;
    for (f_i = 0; f_i < CALCULATORS; f_i = f_i + 1) f_bounded = f_bounded & ({{21 - HIT_W{1'b0}}, hits_total[f_i*HIT_W+:HIT_W]} <= f_bound);
    for (f_i = 1; f_i < F_STEPS; f_i = f_i + 1) f_first = f_first & (!f_steps[f_i] || f_count < f_i);
end

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run   <= f_run || clear;
    f_quiet <= clear;
    f_steps <= {f_steps[F_STEPS-2:0], acc_valid && f_taken == F_LAST};
    if (acc_valid) f_taken <= f_taken == F_LAST ? 21'd0 : f_taken + F_ONE;
    if (clear) f_taken <= 21'd0;
    if (clear) f_steps <= {F_STEPS{1'b0}};
end

always @* begin
    if (!f_run) r_clear: `RULE_bpg (clear);
    judge_ran: assert (\u_judge.f_ran == f_run);
    if (f_run) begin
        on_time:     assert (update == f_steps[F_STEPS-1]);
        after_clear: assert (!f_quiet || (lmax == CALCULATORS && !look && !failed && count == 0 && fails == 0 && hits_total == 0));
        past:        assert (ask_past == (lmax < CALCULATORS && ask_id >= lmax));
        hits_bound:  assert (f_bounded);
        // accesses that were taken are looked at a cycle later
        interval:    assert (f_taken == (!look ? f_count : f_count == F_LAST ? 21'd0 : f_count + F_ONE) && f_count <= F_LAST);
        last_looked: assert (last == f_steps[0]);
        last_ended:  assert (!f_steps[1] || ended);
        halves_once: assert (!ended || count == 0);
        judging:     assert (f_first && (f_steps & (f_steps - 1)) == 0);
        steps:       assert ((f_steps >> 1) == (f_t == 0 ? {f_steps[F_STEPS-1], {F_STEPS - 2{1'b0}}} : ({{F_STEPS - 1{1'b0}}, 1'b1} << (f_t - 1))));

        c_update: cover (update && lmax == 1);
        c_again:  cover (update && lmax == CALCULATORS && hits_next != 0);
    end
end
