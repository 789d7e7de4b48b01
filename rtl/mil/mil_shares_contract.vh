// SPDX-License-Identifier: Apache-2.0
// Contract of mil_shares: when shares are output, share * ratio is equal for all kernels, and the shares have no common
// divisor. F_M(i) is the least common multiple of the ratios below i, computed by trial. A common divisor of the shares
// would divide a ratio.
localparam F_W = QUOTA_W + RATIO_W;
localparam [INDEX_W:0] F_K = KERNELS;
localparam [QUOTA_W-1:0] F_D = 1 << RATIO_W;  // greater than any divisor of a ratio
localparam [QUOTA_W-1:0] F_TWO = 2;
// Returns the greatest common divisor of a number and a ratio, found by trial.
function [RATIO_W-1:0] f_gcd(input [QUOTA_W-1:0] a, input [RATIO_W-1:0] b);
    reg [QUOTA_W-1:0] d, wide;
    begin
        f_gcd = 1;
        wide  = {{QUOTA_W - RATIO_W{1'b0}}, b};
        for (d = F_TWO; d < F_D; d = d + ONE) if (a % d == 0 && wide % d == 0) f_gcd = d[RATIO_W-1:0];
    end
endfunction
// Returns a / divisor * b.
function [QUOTA_W-1:0] f_over(input [QUOTA_W-1:0] a, input [RATIO_W-1:0] b, input [RATIO_W-1:0] divisor);
    reg [QUOTA_W-1:0] d;
    begin
        f_over = a;
        for (d = F_TWO; d < F_D; d = d + ONE) if (divisor == d[RATIO_W-1:0]) f_over = a / d;
        f_over = f_over * {{QUOTA_W - RATIO_W{1'b0}}, b};
    end
endfunction
wire [(KERNELS+1)*QUOTA_W-1:0] f_m;  // F_M(i + 1)
wire [KERNELS*RATIO_W-1:0]     f_g;  // gcd of F_M(i) and ratio i
genvar f_i;
generate
    assign f_m[0+:QUOTA_W] = {{QUOTA_W - RATIO_W{1'b0}}, ratio[RATIO_W-1:0]};
    assign f_m[KERNELS*QUOTA_W+:QUOTA_W] = 0;
    assign f_g[0+:RATIO_W] = 1;
    for (f_i = 1; f_i < KERNELS; f_i = f_i + 1) begin : gen_f_multiple
        assign f_g[f_i*RATIO_W+:RATIO_W] = f_gcd(f_m[(f_i-1)*QUOTA_W+:QUOTA_W], ratio[f_i*RATIO_W+:RATIO_W]);
        assign f_m[f_i*QUOTA_W+:QUOTA_W] =
            f_over(f_m[(f_i-1)*QUOTA_W+:QUOTA_W], ratio[f_i*RATIO_W+:RATIO_W], f_g[f_i*RATIO_W+:RATIO_W]);
    end
endgenerate
wire [QUOTA_W-1:0] f_all = f_m[(KERNELS-1)*QUOTA_W+:QUOTA_W];
wire [INDEX_W-1:0] f_below = index - 1'b1;
wire [QUOTA_W-1:0] f_multiple = f_m[f_below*QUOTA_W+:QUOTA_W];
wire [RATIO_W-1:0] f_divisor = f_g[index*RATIO_W+:RATIO_W];

(* hierconn *) wire [$clog2(QUOTA_W+1)-1:0] \u_div.f_left ;
(* hierconn *) wire [RATIO_W-1:0] \u_div.f_divisor ;
(* hierconn *) wire [QUOTA_W-1:0] \u_div.f_dividend ;
(* hierconn *) wire \u_div.f_given ;
(* hierconn *) wire \u_div.f_ran ;
wire f_runs = \u_div.f_left != 0;
wire f_of_r = \u_div.f_given && \u_div.f_dividend == multiple && \u_div.f_divisor == r;
wire f_of_first = \u_div.f_given && \u_div.f_dividend == multiple && \u_div.f_divisor == first;

reg                        f_run, f_changes, f_showed, f_cleared;
reg [KERNELS*RATIO_W-1:0]  f_ratio;
reg [KERNELS*QUOTA_W-1:0]  f_next, f_share;
wire [F_W-1:0]             f_partial = {{RATIO_W{1'b0}}, factor} * ({{QUOTA_W{1'b0}}, r} >> (place + 1));
wire f_ran = f_run;  // a wire, because `hierconn` to a register would drop its initial value
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run     <= f_run || rst;
    f_changes <= start || clear || rst;
    f_cleared <= clear || rst;
    f_showed  <= phase == SHOW;
    f_ratio   <= ratio;
    f_next    <= new_share;
    f_share   <= share;
end

// The shares computed so far match the ratios; all shares match; the shares have a common divisor; a ratio is 0.
reg f_made, f_same, f_common, f_all_of, f_none, f_zero;
reg [QUOTA_W-1:0] f_d;
integer f_n;
always @* begin
    f_made = 1'b1;
    f_same = 1'b1;
    f_none = 1'b0;
    f_zero = 1'b0;
    for (f_n = 0; f_n < KERNELS; f_n = f_n + 1) begin
        f_same = f_same &
            {{RATIO_W{1'b0}}, new_share[f_n*QUOTA_W+:QUOTA_W]} * ratio[f_n*RATIO_W+:RATIO_W] ==
                {{RATIO_W{1'b0}}, f_all};
        f_made = f_made &
            (f_n >= index ||
            {{RATIO_W{1'b0}}, new_share[f_n*QUOTA_W+:QUOTA_W]} * ratio[f_n*RATIO_W+:RATIO_W] ==
                {{RATIO_W{1'b0}}, f_all});
        f_none = f_none | ratio[f_n*RATIO_W+:RATIO_W] == 0;
        f_zero = f_zero | share[f_n*QUOTA_W+:QUOTA_W] == 0;
    end
    f_common = 1'b0;
    for (f_d = F_TWO; f_d < F_D; f_d = f_d + ONE) begin
        f_all_of = 1'b1;
        for (f_n = 0; f_n < KERNELS; f_n = f_n + 1) f_all_of = f_all_of & new_share[f_n*QUOTA_W+:QUOTA_W] % f_d == 0;
        f_common = f_common | f_all_of;
    end
end
always @* begin
    if (!f_run) r_reset: `RULE_mil_shares (rst);
    if (f_run) begin
        ran:     assert (\u_div.f_ran );
        r_ratio: `RULE_mil_shares (!f_none);
        r_stays: `RULE_mil_shares (f_changes || ratio == f_ratio);

        loads:   assert (!load || (phase >= MOD && phase <= SHARE));
        index_1: assert (phase < MOD || phase > TIMES || (index != 0 && {1'b0, index} < F_K));
        index_2: assert (phase != SHARE || {1'b0, index} < F_K);
        mod:     assert (phase != MOD || (multiple == f_multiple && (load || (f_runs && f_of_r))));
        euclid:  assert (phase != EUCLID ||
                         (multiple == f_multiple &&
                         (load ? !f_runs && f_of_r :
                         f_gcd(first, second) == f_divisor || (second == 0 && first == f_divisor))));
        euclids: assert (phase != EUCLID || load || first != 0);
        div:     assert (phase != DIV ||
                         (multiple == f_multiple && first == f_divisor && (load || (f_runs && f_of_first))));
        times:   assert (phase != TIMES ||
                         (factor == f_over(f_multiple, 1, f_divisor) &&
                         (load || (place < RATIO_W && {{RATIO_W{1'b0}}, multiple} == f_partial))));
        shares:  assert (phase != SHARE || (multiple == f_all && f_made && (load || (f_runs && f_of_r))));
        same:    assert (phase != SHOW || f_same);
        coprime: assert (phase != SHOW || !f_common);
        shown:   assert (f_cleared ? share == {KERNELS{ONE}} : share == (f_showed ? f_next : f_share));
        some:    assert (!f_zero);

        c_shown:  cover (f_showed && !f_cleared && share[QUOTA_W-1:0] > 1);
        c_euclid: cover (phase == EUCLID && !load && !equal && KERNELS > 1);
    end
end
