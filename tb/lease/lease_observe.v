// SPDX-License-Identifier: Apache-2.0
// Observer of lease: the block with the st_ ports, for verification.
`default_nettype none
`include "mt_reset.vh"

module lease_observe #(
    parameter LANES = 1,
    parameter ENTRIES = 16,
    parameter BLOCK_W = 16,
    parameter COUNT_W = 10,
    parameter PAGES = 16,
    parameter GROUPS = 32,
    parameter DUTY = 1000,
    parameter PERIOD = 6000,
    parameter LIFE_W = 10,
    parameter WEIGHT = 1
) (
    input  wire                                               clk,
    input  wire                                               rst,
    input  wire                                               quota_valid,
    input  wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0]       quota_group,
    input  wire [$clog2(ENTRIES+1)-1:0]                       quota,
    input  wire [LANES-1:0]                                   acc_valid,
    input  wire [LANES*BLOCK_W-1:0]                           acc_block,
    input  wire [LANES*$clog2(PAGES)-1:0]                     acc_page,
    input  wire [LANES*(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] acc_group,
    output wire                                               upd_valid,
    output wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0]       upd_group,
    output wire [LIFE_W-1:0]                                  upd_lease,
    output wire                                               duty,
    output wire [1:0]                                         st_phase,
    output wire [ENTRIES-1:0]                                 st_used,
    output wire [ENTRIES*COUNT_W-1:0]                         st_count,
    output wire [ENTRIES*PAGES-1:0]                           st_pages,
    output wire [15:0]                                        st_missed
);
    lease #(
        .LANES  (LANES),
        .ENTRIES(ENTRIES),
        .BLOCK_W(BLOCK_W),
        .COUNT_W(COUNT_W),
        .PAGES  (PAGES),
        .GROUPS (GROUPS),
        .DUTY   (DUTY),
        .PERIOD (PERIOD),
        .LIFE_W (LIFE_W),
        .WEIGHT (WEIGHT)
    ) u_block (
        .clk        (clk),
        .rst        (rst),
        .quota_valid(quota_valid),
        .quota_group(quota_group),
        .quota      (quota),
        .acc_valid  (acc_valid),
        .acc_block  (acc_block),
        .acc_page   (acc_page),
        .acc_group  (acc_group),
        .upd_valid  (upd_valid),
        .upd_group  (upd_group),
        .upd_lease  (upd_lease),
        .duty       (duty)
    );

`ifdef YOSYS
    (* hierconn *) wire \u_block.clear ;
    (* hierconn *) wire [LANES-1:0] \u_block.u_lanes.able ;
    (* hierconn *) wire \u_block.u_lanes.full ;
    (* hierconn *) wire [3:0] \u_block.u_average.state ;
    (* hierconn *) wire [ENTRIES-1:0] \u_block.used ;
    (* hierconn *) wire [ENTRIES*COUNT_W-1:0] \u_block.u_counts.counts ;
    (* hierconn *) wire [ENTRIES*PAGES-1:0] \u_block.u_counts.pages ;
`endif
    // states of lease_average
    localparam [3:0] IDLE = 0, MEAN = 6, SAMPLE = 10;

    // Accesses that found no entry are counted when the hits of the same cycle are.
    localparam SUM_W = $clog2(LANES + 1);
    reg  [LANES-1:0] join_miss, miss;
    reg  [SUM_W-1:0] sum, more;
    reg  [15:0]      missed;
    wire [16:0]      wide = {1'b0, missed} + {{17 - SUM_W{1'b0}}, more};
    integer          i;
    always @* begin
        sum = {SUM_W{1'b0}};
        for (i = 0; i < LANES; i = i + 1) sum = sum + {{SUM_W - 1{1'b0}}, miss[i]};
    end
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            join_miss <= {LANES{1'b0}};
            miss      <= {LANES{1'b0}};
            more      <= {SUM_W{1'b0}};
            missed    <= 16'd0;
        end else begin
            join_miss <= u_block.u_lanes.able & {LANES{u_block.u_lanes.full}};
            miss      <= join_miss;
            more      <= sum;
            missed    <= u_block.clear ? 16'd0 : wide[15:0] | {16{wide[16]}};
        end
    assign st_phase  = u_block.u_average.state == SAMPLE ? 2'd0 : u_block.u_average.state == IDLE ? 2'd3 :
        u_block.u_average.state < MEAN ? 2'd1 : 2'd2;
    assign st_used   = u_block.used;
    assign st_count  = u_block.u_counts.counts;
    assign st_pages  = u_block.u_counts.pages;
    assign st_missed = missed;
endmodule

`default_nettype wire
