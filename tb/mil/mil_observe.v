// SPDX-License-Identifier: Apache-2.0
// Observer of mil: the block with the st_ ports, for verification.
`default_nettype none

module mil_observe #(
    parameter KERNELS = 2,
    parameter SCHEDULERS = 4,
    parameter INTERVAL_W = 10,
    parameter RF_W = 12,
    parameter INFLIGHT_W = 8,
    parameter MINST_W = 10,
    parameter RATIO_MAX = 32,
    parameter QUOTA_W = 20,
    parameter LIMIT = 2,
    parameter ORDER = 2,
    parameter ZERO = 0
) (
    input  wire                                           clk,
    input  wire                                           rst,
    input  wire                                           set_valid,
    input  wire [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] set_kernel,
    input  wire [INFLIGHT_W-1:0]                          set_limit,
    input  wire [KERNELS-1:0]                             live,
    input  wire [KERNELS-1:0]                             start,
    input  wire [KERNELS-1:0]                             want,
    output wire [KERNELS-1:0]                             go,
    output wire [KERNELS*$clog2(SCHEDULERS+1)-1:0]        room,
    input  wire [KERNELS*$clog2(SCHEDULERS+1)-1:0]        iss,
    input  wire [KERNELS*2-1:0]                           done,
    input  wire                                           acc_valid,
    input  wire [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] acc_kernel,
    input  wire                                           fail_valid,
    input  wire [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] fail_kernel,
    output wire [KERNELS*INFLIGHT_W-1:0]                  limit,
    output wire [KERNELS-1:0]                             update,
    output wire [1:0]                                     err,
    output wire [KERNELS*INFLIGHT_W-1:0]                  st_inflight,
    output wire [KERNELS*INFLIGHT_W-1:0]                  st_max,
    output wire [KERNELS*RF_W-1:0]                        st_rf,
    output wire [KERNELS*INTERVAL_W-1:0]                  st_req,
    output wire [KERNELS*MINST_W-1:0]                     st_minst,
    output wire [KERNELS*$clog2(RATIO_MAX+1)-1:0]         st_ratio,
    output wire [KERNELS*QUOTA_W-1:0]                     st_quota,
    output wire [KERNELS*QUOTA_W-1:0]                     st_share,
    output wire                                           st_busy
);
    mil #(
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
    ) u_block (
        .clk        (clk),
        .rst        (rst),
        .set_valid  (set_valid),
        .set_kernel (set_kernel),
        .set_limit  (set_limit),
        .live       (live),
        .start      (start),
        .want       (want),
        .go         (go),
        .room       (room),
        .iss        (iss),
        .done       (done),
        .acc_valid  (acc_valid),
        .acc_kernel (acc_kernel),
        .fail_valid (fail_valid),
        .fail_kernel(fail_kernel),
        .limit      (limit),
        .update     (update),
        .err        (err)
    );

`ifdef YOSYS
    (* hierconn *) wire [KERNELS*INFLIGHT_W-1:0] \u_block.inflight ;
    (* hierconn *) wire [KERNELS*INFLIGHT_W-1:0] \u_block.most ;
    (* hierconn *) wire [KERNELS*RF_W-1:0] \u_block.rf ;
    (* hierconn *) wire [KERNELS*INTERVAL_W-1:0] \u_block.req ;
    (* hierconn *) wire [KERNELS*MINST_W-1:0] \u_block.minst ;
    (* hierconn *) wire [KERNELS*$clog2(RATIO_MAX+1)-1:0] \u_block.ratio ;
    (* hierconn *) wire [KERNELS*QUOTA_W-1:0] \u_block.quota ;
    (* hierconn *) wire [KERNELS*QUOTA_W-1:0] \u_block.share ;
    (* hierconn *) wire \u_block.busy ;
`endif
    assign st_inflight = u_block.inflight;
    assign st_max      = u_block.most;
    assign st_rf       = u_block.rf;
    assign st_req      = u_block.req;
    assign st_minst    = u_block.minst;
    assign st_ratio    = u_block.ratio;
    assign st_quota    = u_block.quota;
    assign st_share    = u_block.share;
    assign st_busy     = u_block.busy;
endmodule

`default_nettype wire
