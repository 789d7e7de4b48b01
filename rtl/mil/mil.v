// SPDX-License-Identifier: Apache-2.0
// mil: the memory-instruction limiter. Cycle-by-cycle contract: docs/understand/mil.md; ports: rtl/mil/ports.md.
//   mil_kernel  counts a kernel's instructions in flight, and computes its limit, room and requests per instruction
//   mil_shares  computes new quotas of the kernels for the time when a quota is used up
//   mil_quota   stores the quotas, and finds the kernel with the greatest
`default_nettype none
`include "mt_reset.vh"

module mil #(
    // number of kernels on the SM, 1..4
    parameter KERNELS = 2,
    // number of warp schedulers per SM, which is the maximum number of memory instructions issued per cycle, 1..4
    parameter SCHEDULERS = 4,
    // log2 of the number of requests between two decisions, 4..16
    parameter INTERVAL_W = 10,
    // failure counter width, 4..24 bits, at least INTERVAL_W
    parameter RF_W = 12,
    // width of the counter of instructions in flight, 4..10 bits
    parameter INFLIGHT_W = 8,
    // width of the instruction counter, 4..16 bits, INTERVAL_W to INTERVAL_W + 2
    parameter MINST_W = 10,
    // maximum number of requests per instruction, 2..64
    parameter RATIO_MAX = 32,
    // quota width, 8..24 bits; RATIO_MAX^KERNELS is at most 2^QUOTA_W
    parameter QUOTA_W = 20,
    // limit on instructions in flight: 0 none, 1 static, 2 dynamic
    parameter LIMIT = 2,
    // issue order among kernels: 0 none, 1 round robin, 2 quotas
    parameter ORDER = 2,
    // new limit after an interval with too few failures, if LIMIT=2: 0 no limit, 1 unchanged, 2 one step up
    parameter ZERO = 0
) ( // late: may arrive after the outputs of the cycle are computed
    input  wire                                           clk,
    input  wire                                           rst,
    input  wire                                           set_valid,   // late
    input  wire [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] set_kernel,  // late
    input  wire [INFLIGHT_W-1:0]                          set_limit,   // late
    input  wire [KERNELS-1:0]                             live,        // late
    input  wire [KERNELS-1:0]                             start,       // late
    input  wire [KERNELS-1:0]                             want,
    output wire [KERNELS-1:0]                             go,
    output wire [KERNELS*$clog2(SCHEDULERS+1)-1:0]        room,
    input  wire [KERNELS*$clog2(SCHEDULERS+1)-1:0]        iss,          // late
    input  wire [KERNELS*2-1:0]                           done,         // late
    input  wire                                           acc_valid,    // late
    input  wire [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] acc_kernel,   // late
    input  wire                                           fail_valid,   // late
    input  wire [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] fail_kernel,  // late
    output wire [KERNELS*INFLIGHT_W-1:0]                  limit,
    output wire [KERNELS-1:0]                             update,
    output reg  [1:0]                                     err
);
    localparam K = KERNELS;
    localparam INDEX_W = (KERNELS < 2) ? 1 : $clog2(KERNELS);
    localparam ROOM_W = $clog2(SCHEDULERS + 1);
    localparam RATIO_W = $clog2(RATIO_MAX + 1);
    localparam [1:0] ERR_DONE = 1;
    localparam [1:0] ERR_KERNEL = 2;
    localparam [1:0] ERR_ISSUED = 3;

    mil_legal #(
        .KERNELS   (KERNELS),
        .SCHEDULERS(SCHEDULERS),
        .INTERVAL_W(INTERVAL_W),
        .RF_W      (RF_W),
        .INFLIGHT_W(INFLIGHT_W),
        .MINST_W   (MINST_W),
        .RATIO_MAX (RATIO_MAX),
        .QUOTA_W   (QUOTA_W),
        .LIMIT     (LIMIT),
        .ORDER     (ORDER),
        .ZERO      (ZERO)
    ) u_legal ();

    // ---- kernels
    wire [K*INFLIGHT_W-1:0] inflight, most;
    wire [K*RF_W-1:0]       rf;
    wire [K*INTERVAL_W-1:0] req;
    wire [K*MINST_W-1:0]    minst;
    wire [K*RATIO_W-1:0]    ratio;
    wire [K*QUOTA_W-1:0]    quota, share;
    wire [K-1:0]            set_k, acc_k, fail_k, able, below, beyond, issues, ratio_new;
    wire                    busy;

    // ---- errors
    localparam [INDEX_W:0] BEYOND = KERNELS[INDEX_W:0];
    wire bad_kernel = (set_valid && {1'b0, set_kernel} >= BEYOND) || (acc_valid && {1'b0, acc_kernel} >= BEYOND) ||
        (fail_valid && {1'b0, fail_kernel} >= BEYOND);
    always @(posedge clk `MT_OR_RST)
        if (rst) err <= 2'd0;
        else if (err == 2'd0) err <= |below ? ERR_DONE : bad_kernel ? ERR_KERNEL : |beyond ? ERR_ISSUED : 2'd0;

`ifdef FORMAL
`include "mil_contract.vh"
`endif

    genvar k;
    generate
        for (k = 0; k < K; k = k + 1) begin : gen_kernel
            localparam [INDEX_W-1:0] THIS = k;
            wire [ROOM_W-1:0] room_k;
            assign room[k*ROOM_W+:ROOM_W] = room_k;
            wire [ROOM_W-1:0] iss_k = iss[k*ROOM_W+:ROOM_W];
            assign set_k[k]  = set_valid && set_kernel == THIS;
            assign acc_k[k]  = acc_valid && acc_kernel == THIS;
            assign fail_k[k] = fail_valid && fail_kernel == THIS;
            assign able[k]   = room_k != {ROOM_W{1'b0}};
            assign issues[k] = iss_k != {ROOM_W{1'b0}};
            assign beyond[k] = iss_k > room_k || (issues[k] && !go[k]);
            mil_kernel #(
                .SCHEDULERS(SCHEDULERS),
                .INTERVAL_W(INTERVAL_W),
                .RF_W      (RF_W),
                .INFLIGHT_W(INFLIGHT_W),
                .MINST_W   (MINST_W),
                .RATIO_MAX (RATIO_MAX),
                .LIMIT     (LIMIT),
                .ORDER     (ORDER),
                .ZERO      (ZERO),
                .ROOM_W    (ROOM_W),
                .RATIO_W   (RATIO_W)
            ) u_kernel (
                .clk      (clk),
                .rst      (rst),
                .start    (start[k]),
                .set      (set_k[k]),
                .set_limit(set_limit),
                .iss      (iss_k),
                .done     (done[k*2+:2]),
                .acc      (acc_k[k]),
                .fail     (fail_k[k]),
                .room     (room_k),
                .limit    (limit[k*INFLIGHT_W+:INFLIGHT_W]),
                .update   (update[k]),
                .below    (below[k]),
                .inflight (inflight[k*INFLIGHT_W+:INFLIGHT_W]),
                .most     (most[k*INFLIGHT_W+:INFLIGHT_W]),
                .rf       (rf[k*RF_W+:RF_W]),
                .req      (req[k*INTERVAL_W+:INTERVAL_W]),
                .minst    (minst[k*MINST_W+:MINST_W]),
                .ratio    (ratio[k*RATIO_W+:RATIO_W]),
                .ratio_new(ratio_new[k])
            );
`ifdef FORMAL
            (* hierconn *) wire \u_kernel.f_ran ;
            assign f_rans[k] = \u_kernel.f_ran ;
`endif
        end
    endgenerate

    // ---- issue choice
    generate
        if (ORDER == 2) begin : gen_quota
            mil_shares #(
                .KERNELS(K),
                .QUOTA_W(QUOTA_W),
                .INDEX_W(INDEX_W),
                .RATIO_W(RATIO_W)
            ) u_shares (
                .clk  (clk),
                .rst  (rst),
                .clear(|start),
                .start(|ratio_new),
                .ratio(ratio),
                .share(share),
                .busy (busy)
            );
`ifdef FORMAL
            (* hierconn *) wire \u_shares.f_ran ;
            assign f_shares_ran = \u_shares.f_ran ;
`endif
            mil_quota #(
                .KERNELS(K),
                .QUOTA_W(QUOTA_W),
                .ROOM_W (ROOM_W)
            ) u_quota (
                .clk  (clk),
                .rst  (rst),
                .live (live),
                .start(start),
                .iss  (iss),
                .share(share),
                .able (want & able),
                .first(go),
                .quota(quota)
            );
        end else begin : gen_no_quota
            wire unused_live = &{1'b0, live, ratio, ratio_new, share};
            assign quota = {K * QUOTA_W{1'b0}};
            assign share = {K * QUOTA_W{1'b0}};
            assign busy  = 1'b0;
            if (ORDER == 1) begin : gen_turns
                // All kernels above the kernel that issued last.
                reg  [K-1:0] behind;
                wire [K-1:0] first_issues, from_issues, unused_from;
                wire         any_issues, unused_any;
                mt_cyclic_first #(
                    .N(K)
                ) u_first (
                    .in   (want & able),
                    .start(behind),
                    .first(go),
                    .any  (unused_any),
                    .from (unused_from)
                );
                mt_cyclic_first #(
                    .N(K)
                ) u_issues (
                    .in   (issues),
                    .start({K{1'b1}}),
                    .first(first_issues),
                    .any  (any_issues),
                    .from (from_issues)
                );
                always @(posedge clk `MT_OR_RST)
                    if (rst) behind <= {K{1'b0}};
                    else if (any_issues) behind <= from_issues & ~first_issues;
`ifdef FORMAL
`include "mil_turns_contract.vh"
`endif
            end else begin : gen_all
                wire unused_want = &{1'b0, want};
                assign go = able;
            end
        end
    endgenerate

    wire unused_state = &{1'b0, inflight, most, rf, req, minst, quota, busy};
endmodule

`default_nettype wire
