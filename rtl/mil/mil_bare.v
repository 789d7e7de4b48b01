// SPDX-License-Identifier: Apache-2.0
// mil without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.
`default_nettype none

module mil_bare #(
    // kernels on the SM, 1..4
    parameter KERNELS = 2,
    // warp schedulers of the SM: most memory instructions in a cycle, 1..4
    parameter SCHEDULERS = 4,
    // log2 of the requests from a decision to the next, 4..16
    parameter INTERVAL_W = 10,
    // bits of a failure counter, 4..24, at least INTERVAL_W
    parameter RF_W = 12,
    // bits of a counter of instructions in flight, 4..10
    parameter INFLIGHT_W = 8,
    // bits of a counter of instructions, 4..16, INTERVAL_W to INTERVAL_W + 2
    parameter MINST_W = 10,
    // most requests per instruction, 2..64
    parameter RATIO_MAX = 32,
    // bits of a quota, 8..24, so that RATIO_MAX^KERNELS is at most 2^QUOTA_W
    parameter QUOTA_W = 20,
    // of instructions in flight: 0 none, 1 static, 2 dynamic
    parameter LIMIT = 2,
    // of kernels: 0 none, 1 round robin, 2 quotas
    parameter ORDER = 2,
    // LIMIT 2, too few failures: 0 open, 1 keep, 2 step
    parameter ZERO = 0
) (
    input  wire clk,
    input  wire rst,
    input  wire set_valid,
    input  wire [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] set_kernel,
    input  wire [INFLIGHT_W-1:0] set_limit,
    input  wire [KERNELS-1:0] live,
    input  wire [KERNELS-1:0] start,
    input  wire [KERNELS-1:0] want,
    output wire [KERNELS-1:0] go,
    output wire [(KERNELS*$clog2(SCHEDULERS+1))-1:0] room,
    input  wire [(KERNELS*$clog2(SCHEDULERS+1))-1:0] iss,
    input  wire [(KERNELS*2)-1:0] done,
    input  wire acc_valid,
    input  wire [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] acc_kernel,
    input  wire fail_valid,
    input  wire [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] fail_kernel,
    output wire [(KERNELS*INFLIGHT_W)-1:0] limit,
    output wire [KERNELS-1:0] update,
    output wire [1:0] err
);
    wire [(KERNELS*INFLIGHT_W)-1:0] st_inflight;
    wire [(KERNELS*INFLIGHT_W)-1:0] st_max;
    wire [(KERNELS*RF_W)-1:0] st_rf;
    wire [(KERNELS*INTERVAL_W)-1:0] st_req;
    wire [(KERNELS*MINST_W)-1:0] st_minst;
    wire [(KERNELS*$clog2(RATIO_MAX+1))-1:0] st_ratio;
    wire [(KERNELS*QUOTA_W)-1:0] st_quota;
    wire [(KERNELS*QUOTA_W)-1:0] st_share;
    wire st_busy;
    wire unused_state = &{1'b0, st_inflight, st_max, st_rf, st_req, st_minst, st_ratio, st_quota, st_share, st_busy};

    mil #(
        .KERNELS(KERNELS),
        .SCHEDULERS(SCHEDULERS),
        .INTERVAL_W(INTERVAL_W),
        .RF_W(RF_W),
        .INFLIGHT_W(INFLIGHT_W),
        .MINST_W(MINST_W),
        .RATIO_MAX(RATIO_MAX),
        .QUOTA_W(QUOTA_W),
        .LIMIT(LIMIT),
        .ORDER(ORDER),
        .ZERO(ZERO),
        .OBSERVE(0)
    ) u_block (
        .clk(clk),
        .rst(rst),
        .set_valid(set_valid),
        .set_kernel(set_kernel),
        .set_limit(set_limit),
        .live(live),
        .start(start),
        .want(want),
        .go(go),
        .room(room),
        .iss(iss),
        .done(done),
        .acc_valid(acc_valid),
        .acc_kernel(acc_kernel),
        .fail_valid(fail_valid),
        .fail_kernel(fail_kernel),
        .limit(limit),
        .update(update),
        .err(err),
        .st_inflight(st_inflight),
        .st_max(st_max),
        .st_rf(st_rf),
        .st_req(st_req),
        .st_minst(st_minst),
        .st_ratio(st_ratio),
        .st_quota(st_quota),
        .st_share(st_share),
        .st_busy(st_busy)
    );
endmodule

`default_nettype wire
