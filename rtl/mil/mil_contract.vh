// SPDX-License-Identifier: Apache-2.0
// Contract of mil, at its ports, for a user that obeys `go` and `room`: there is no error. With ORDER, one kernel may
// issue if any can, and it is the kernel that the policy selects; this is checked for two kernels chosen by the solver.
// A live kernel always has a quota. If all live kernels can issue, a refilled quota is at most the kernel's share plus
// the issues of one cycle.
(* anyconst *) reg [INDEX_W-1:0] f_k, f_j;
localparam [INDEX_W:0] F_K = KERNELS;
localparam [QUOTA_W:0] F_ALL = SCHEDULERS;
wire [K-1:0]       f_can = want & able;
wire [K-1:0]       f_low = go - 1'b1;
wire [QUOTA_W-1:0] f_mine = quota[f_k*QUOTA_W+:QUOTA_W];
wire [QUOTA_W-1:0] f_other = quota[f_j*QUOTA_W+:QUOTA_W];
reg [INDEX_W-1:0]  f_last;  // kernel that issued last
wire [INDEX_W+1:0] f_turn_k = (f_k + F_K - f_last - 1'b1) % F_K;
wire [INDEX_W+1:0] f_turn_j = (f_j + F_K - f_last - 1'b1) % F_K;
reg                f_run, f_fair;
reg [K-1:0]        f_live;
reg [QUOTA_W-1:0]  f_share;
reg                f_obeys, f_flies, f_all_want;
integer            f_i;
always @* begin
    f_obeys    = 1'b1;
    f_flies    = 1'b1;
    f_all_want = start == 0;
    for (f_i = 0; f_i < K; f_i = f_i + 1) begin
        f_obeys    = f_obeys & iss[f_i*ROOM_W+:ROOM_W] <= (go[f_i] ? room[f_i*ROOM_W+:ROOM_W] : {ROOM_W{1'b0}});
        f_flies    = f_flies & done[f_i*2+:2] <= inflight[f_i*INFLIGHT_W+:INFLIGHT_W] + iss[f_i*ROOM_W+:ROOM_W];
        f_all_want = f_all_want & (!live[f_i] || (f_can[f_i] && quota[f_i*QUOTA_W+:QUOTA_W] != 0));
    end
end
// Refill: the quota of the issuing kernel is used up.
reg f_refill;
integer f_n;
always @* begin
    f_refill = 1'b0;
    for (f_n = 0; f_n < K; f_n = f_n + 1)
        f_refill = f_refill | (live[f_n] && quota[f_n*QUOTA_W+:QUOTA_W] <= iss[f_n*ROOM_W+:ROOM_W]);
end
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run   <= f_run || rst;
    f_live  <= rst ? {K{1'b0}} : live;
    f_fair  <= f_refill && f_all_want && live[f_k] && !rst;
    f_share <= share[f_k*QUOTA_W+:QUOTA_W];
    if (rst) f_last <= KERNELS - 1;
    else
        for (f_n = 0; f_n < K; f_n = f_n + 1) if (issues[f_n]) f_last <= f_n;
end
wire [K-1:0] f_rans;  // all submodules have been reset too
wire f_shares_ran;
generate
    if (ORDER != 2) assign f_shares_ran = f_run;
endgenerate
always @* begin
    ran:      assert (f_rans == {K{f_run}} && f_shares_ran == f_run);
    r_chosen: `RULE_mil ({1'b0, f_k} < F_K && {1'b0, f_j} < F_K);
    if (!f_run) r_reset: `RULE_mil (rst);
    if (f_run) begin
        r_issued: `RULE_mil (f_obeys);
        r_done:   `RULE_mil (f_flies);
        r_kernel: `RULE_mil (!bad_kernel);
        r_one:    `RULE_mil (!acc_valid || !fail_valid);

        no_fault: assert (err == 0);
        one_goes: assert (ORDER == 0 ? go == able : (go & f_low) == 0 && (go != 0) == (f_can != 0));
        can_go:   assert (ORDER == 0 || (go & ~f_can) == 0);

        c_all:    cover (&able && &want);
        c_done:   cover (inflight != 0 && done != 0);
    end
end
generate
    if (ORDER == 2) begin : gen_f_quota
        always @* if (f_run) begin
            greatest: assert (!go[f_k] || !f_can[f_j] || f_mine > f_other || (f_mine == f_other && f_k <= f_j));
            some:     assert (!f_live[f_k] || f_mine != 0);
            fair:     assert (!f_fair || {1'b0, f_mine} <= {1'b0, f_share} + F_ALL);
            c_fair:   cover (f_fair && f_mine > f_share);
        end
    end
endgenerate
