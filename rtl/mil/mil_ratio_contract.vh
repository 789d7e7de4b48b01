// SPDX-License-Identifier: Apache-2.0
// Contract of mil_kernel's ratio: when due, it is requests / instructions, rounded to nearest.
localparam F_N = INTERVAL_W + 2;
(* hierconn *) wire \u_div.f_ran ;
(* hierconn *) wire [$clog2(F_N+1)-1:0] \u_div.f_left ;
(* hierconn *) wire [MINST_W-1:0] \u_div.f_divisor ;
(* hierconn *) wire [F_N-1:0] \u_div.f_dividend ;
wire [$clog2(F_N+1)-1:0] f_div_left = \u_div.f_left ;
wire [MINST_W-1:0] f_divisor = \u_div.f_divisor ;
wire [F_N-1:0] f_dividend = \u_div.f_dividend ;
// bounds: twice the requests are compared with twice the instructions times the ratio minus and plus one half
localparam F_W = MINST_W + RATIO_W + INTERVAL_W + 2;
wire [F_W-1:0] f_requests = {{F_W - 1{1'b0}}, 1'b1} << (INTERVAL_W + 1);
wire [F_W-1:0] f_n = {{F_W - MINST_W{1'b0}}, f_minst};
wire [F_W-1:0] f_r = {{F_W - RATIO_W{1'b0}}, ratio};
wire [F_W-1:0] f_low = (f_r + f_r - 1'b1) * f_n;
wire [F_W-1:0] f_high = (f_r + f_r + 1'b1) * f_n;
reg f_step;
integer f_m;
always @* ran: assert (\u_div.f_ran == f_run);
always @* begin
    f_step = f_div_left == 0;
    for (f_m = 0; f_m < F_N; f_m = f_m + 1)
        if (f_steps[f_m]) f_step = f_div_left == F_N - f_m && f_divisor == f_minst &&
            f_dividend == (1 << INTERVAL_W) + (f_minst >> 1);
    if (f_run) begin
        ratios:    assert (ratio != 0 && ratio <= RATIO_MAX);
        divides_r: assert (f_step && (f_div_left == 0 || |f_steps[F_N-1:0]));
        new_is:    assert (ratio_new == f_steps[F_N-1]);
        stays:     assert (f_rst || f_start || (f_steps[F_N] && f_minst != 0) || ratio == f_ratio_last);
        nearest:   assert (!f_steps[F_N] || f_minst == 0 ||
                           ((ratio == 1 || f_low <= f_requests) && (ratio == RATIO_MAX || f_requests < f_high)));
    end
end
