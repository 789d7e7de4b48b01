// SPDX-License-Identifier: Apache-2.0
// Contract of mil_div: at each step, the dividend bits consumed = quotient so far * divisor + rest, and rest < divisor.
// f_given: a division was started and has not been cleared since.
localparam F_W = N + D;
localparam [LEFT_W-1:0] F_N = N;
localparam [F_W-1:0] F_ONE = 1;
reg              f_given, f_run;
reg  [N-1:0]     f_dividend;
wire [LEFT_W-1:0] f_left = left;
wire [D-1:0]     f_divisor = den;
wire [LEFT_W-1:0] f_done = F_N - left;
wire [F_W-1:0]   f_mask = (F_ONE << f_done) - F_ONE;
wire [F_W-1:0]   f_num = {{D{1'b0}}, num};
wire [F_W-1:0]   f_taken = {{D{1'b0}}, f_dividend} >> left;
wire [F_W-1:0]   f_left_mask = (F_ONE << left) - F_ONE;
wire f_ran = f_run;  // a wire, because `hierconn` to a register would drop its initial value
initial f_run = 1'b0;
initial f_given = 1'b0;
always @(posedge clk) begin
    f_run <= f_run || rst;
    if (rst || clear) f_given <= 1'b0;
    else if (start) f_given <= 1'b1;
    if (start) f_dividend <= dividend;
end
always @* if (f_run) begin
    steps:   assert (left <= F_N && (left == 0 || f_given));
    bits:    assert (!f_given || f_num >> f_done == ({{D{1'b0}}, f_dividend} & f_left_mask));
    product: assert (!f_given || den == 0 || f_taken == (f_num & f_mask) * {{N{1'b0}}, den} + {{N{1'b0}}, rest});
    below:   assert (!f_given || den == 0 || rest < den);

    c_last: cover (last && quotient > 1 && den > 1);
end
