// SPDX-License-Identifier: Apache-2.0
// Contract of mil_kernel's dynamic limit: when due, the limit is the maximum number of instructions in flight divided
// by the number of failures per request.
(* hierconn *) wire \u_div.f_ran ;
(* hierconn *) wire [$clog2(W+1)-1:0] \u_div.f_left ;
(* hierconn *) wire [Q_W-1:0] \u_div.f_divisor ;
(* hierconn *) wire [W-1:0] \u_div.f_dividend ;
wire [$clog2(W+1)-1:0] f_div_left = \u_div.f_left ;
wire [Q_W-1:0] f_divisor = \u_div.f_divisor ;
wire [W-1:0] f_dividend = \u_div.f_dividend ;
wire [RF_W-1:0] f_q = f_rf >> INTERVAL_W;
wire [W+RF_W-1:0] f_times = {{RF_W{1'b0}}, limit} * {{W{1'b0}}, f_q};
reg f_step;
integer f_n;
always @* ran: assert (\u_div.f_ran == f_run);
always @* begin
    f_step = f_div_left == 0;
    for (f_n = 0; f_n < W; f_n = f_n + 1)
        if (f_steps[f_n]) f_step = f_div_left == W - f_n && f_divisor == f_q && f_dividend == f_max;
    if (f_run) begin
        mosts:     assert (most == f_most);
        divides:   assert (f_step && (f_div_left == 0 || |f_steps[W-1:0]));
        update_is: assert (update == f_steps[W]);
        limit_0:   assert (!update || f_q != 0 || limit == f_zero);
        limit_1:   assert (!update || f_q == 0 || f_q <= {{RF_W{1'b0}}, f_max} || limit == 1);
        limit_q:   assert (!update || f_q == 0 || f_q > {{RF_W{1'b0}}, f_max} ||
                           (f_times <= {{RF_W{1'b0}}, f_max} && f_times + f_q > {{RF_W{1'b0}}, f_max}));
    end
end
