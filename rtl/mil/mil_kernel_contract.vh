// SPDX-License-Identifier: Apache-2.0
// Contract of mil_kernel: the in-flight count is issued minus done, and never wraps. Room is exactly the limit minus
// the in-flight count. Limit and ratio follow from the counts of an interval, INFLIGHT_W and INTERVAL_W + 2 cycles
// after its last access, and only then. f_count: number of accesses in the interval; f_steps: bit i is set i + 1 cycles
// after the last access of an interval. f_rf, f_max, f_minst: counts at the end of the interval.
localparam F_STEPS = (INFLIGHT_W > INTERVAL_W + 2) ? INFLIGHT_W + 1 : INTERVAL_W + 3;
localparam [W:0] F_ALL = SCHEDULERS;
reg                  f_run, f_rst, f_start, f_within, f_ended;
reg [W-1:0]          f_inflight, f_max, f_most, f_limit, f_limit_last;
reg [INTERVAL_W-1:0] f_count;
reg [F_STEPS-1:0]    f_steps;
reg [RF_W-1:0]       f_rf, f_rf_last;
reg [MINST_W-1:0]    f_minst, f_minst_last;
reg [RATIO_W-1:0]    f_ratio_last;
reg [W-1:0]          f_zero;
wire                 f_end = acc && !start && (&f_count);
wire [W-1:0]         f_now = f_inflight + {{W - ROOM_W{1'b0}}, iss} - {{W - 2{1'b0}}, done};
wire [W-1:0]         f_most_now = start || f_now > f_most ? f_now : f_most;
wire [W:0]           f_left = {1'b0, limit} - {1'b0, inflight};
wire f_ran = f_run;  // a wire, because `hierconn` to a register would drop its initial value
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run        <= f_run || rst;
    f_rst        <= rst;
    f_start      <= start && !rst;
    f_inflight   <= rst ? {W{1'b0}} : f_now;
    f_most       <= rst ? {W{1'b0}} : f_end ? f_now : f_most_now;
    f_count      <= rst || (start && !acc) ? {INTERVAL_W{1'b0}} : start ? {{INTERVAL_W - 1{1'b0}}, 1'b1} :
        acc ? f_count + 1'b1 : f_count;
    f_steps      <= rst || start ? {F_STEPS{1'b0}} : {f_steps[F_STEPS-2:0], f_end};
    f_ended      <= f_end && !rst;
    f_within     <= inflight <= limit && !rst;
    f_limit_last <= limit;
    f_rf_last    <= rf;
    f_minst_last <= minst;
    f_ratio_last <= ratio;
    f_zero       <= ZERO == 1 ? limit : ZERO == 0 || &limit ? NONE : limit + ONE;
    if (f_end) f_max <= f_most_now;
    if (f_end) f_rf <= fail && !(&rf) ? rf + 1'b1 : rf;
    if (f_end) f_minst <= {1'b0, minst} + iss > {MINST_W{1'b1}} ? {MINST_W{1'b1}} : minst + iss;
end
integer f_i;
reg f_first;
always @* begin
    f_first = 1'b1;
    for (f_i = 0; f_i < F_STEPS; f_i = f_i + 1)
        f_first = f_first & (!f_steps[f_i] || {{32 - INTERVAL_W{1'b0}}, f_count} <= f_i);
end
always @* begin
    if (!f_run) r_reset: `RULE_mil_kernel (rst);
    if (f_run) begin
        r_issued: `RULE_mil_kernel (iss <= room);
        r_done:   `RULE_mil_kernel ({{W - 2{1'b0}}, done} <= inflight + iss);

        flies:    assert (inflight == f_inflight);
        no_wrap:  assert (!below && !sum[W]);
        room_is:  assert (room == (inflight >= limit ? {ROOM_W{1'b0}} : f_left >= F_ALL ? ALL : f_left[ROOM_W-1:0]));
        some:     assert (limit != 0);
        limited:  assert (!f_within || limit < f_limit_last || inflight <= limit);
        rises:    assert (f_rst || f_start || f_ended || (rf >= f_rf_last && minst >= f_minst_last));
        keeps:    assert (f_rst || f_start || update || limit == f_limit_last);

        c_full:   cover (room == 0 && f_left[W] == 0);
    end
end
generate
    if (LIMIT == 2 || ORDER == 2) begin : gen_f_interval
        always @* if (f_run) begin
            counts:   assert (req == f_count);
            one_only: assert (f_first && (f_steps & (f_steps - 1'b1)) == 0);
        end
    end
endgenerate
