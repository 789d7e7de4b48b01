// SPDX-License-Identifier: Apache-2.0
// Observer of bpg: the block with the st_ ports, for verification.
`default_nettype none
`include "bpg_defs.vh"

module bpg_observe #(
    parameter ADDR_W = 40,
    parameter ID_W = 5,
    parameter SETS = 32,
    parameter WAYS = 4,
    parameter INDEX = 1,
    parameter SAMPLED = 4,
    parameter TAG_W = 32,
    parameter CALCULATORS = 8,
    parameter INTERVAL = 1000,
    parameter HIT_W = 10,
    parameter FAIL_W = 12,
    parameter HIT_SCALE = 3
) (
    input  wire                                                                       clk,
    input  wire                                                                       rst,
    input  wire                                                                       launch,
    input  wire                                                                       cube_valid,
    input  wire [(CALCULATORS < 2 ? 1 : $clog2(CALCULATORS))-1:0]                     cube_index,
    input  wire [`BPG_CUBE_W-1:0]                                                     cube_value,
    input  wire [ID_W-1:0]                                                            ask_id,
    output wire                                                                       ask_past,
    output wire [$clog2(CALCULATORS+1)-1:0]                                           lmax,
    output wire                                                                       update,
    input  wire                                                                       acc_valid,
    input  wire [2:0]                                                                 acc_op,
    input  wire [ADDR_W-1:0]                                                          acc_addr,
    input  wire [ID_W-1:0]                                                            acc_id,
    input  wire                                                                       fail,
    output wire                                                                       st_look,
    output wire [(SETS < 2 ? 1 : $clog2(SETS))-1:0]                                   st_set,
    output wire                                                                       st_sampled,
    output wire [CALCULATORS-1:0]                                                     st_found,
    output wire [`BPG_COUNT_W-1:0]                                                    st_count,
    output wire [FAIL_W-1:0]                                                          st_fails,
    output wire [CALCULATORS*HIT_W-1:0]                                               st_hits,
    output wire                                                                       st_judged,
    output wire [$clog2(CALCULATORS+1)-1:0]                                           st_judged_k,
    output wire [(HIT_W + HIT_SCALE > FAIL_W - 1 ? HIT_W + HIT_SCALE : FAIL_W - 1):0] st_adjusted
);
    bpg #(
        .ADDR_W     (ADDR_W),
        .ID_W       (ID_W),
        .SETS       (SETS),
        .WAYS       (WAYS),
        .INDEX      (INDEX),
        .SAMPLED    (SAMPLED),
        .TAG_W      (TAG_W),
        .CALCULATORS(CALCULATORS),
        .INTERVAL   (INTERVAL),
        .HIT_W      (HIT_W),
        .FAIL_W     (FAIL_W),
        .HIT_SCALE  (HIT_SCALE)
    ) u_block (
        .clk       (clk),
        .rst       (rst),
        .launch    (launch),
        .cube_valid(cube_valid),
        .cube_index(cube_index),
        .cube_value(cube_value),
        .ask_id    (ask_id),
        .ask_past  (ask_past),
        .lmax      (lmax),
        .update    (update),
        .acc_valid (acc_valid),
        .acc_op    (acc_op),
        .acc_addr  (acc_addr),
        .acc_id    (acc_id),
        .fail      (fail)
    );

`ifdef YOSYS
    (* hierconn *) wire \u_block.look ;
    (* hierconn *) wire [(SETS < 2 ? 1 : $clog2(SETS))-1:0] \u_block.acc_set ;
    (* hierconn *) wire \u_block.sampled ;
    (* hierconn *) wire [CALCULATORS-1:0] \u_block.found ;
    (* hierconn *) wire [$clog2(INTERVAL)-1:0] \u_block.count ;
    (* hierconn *) wire [FAIL_W-1:0] \u_block.u_fails.count ;
    (* hierconn *) wire [CALCULATORS*HIT_W-1:0] \u_block.hits ;
    (* hierconn *) wire \u_block.ended ;
    (* hierconn *) wire [2:0] \u_block.u_judge.busy ;
    (* hierconn *) wire [$clog2(CALCULATORS+1)-1:0] \u_block.u_judge.k ;
    (* hierconn *) wire [(HIT_W + HIT_SCALE > FAIL_W - 1 ? HIT_W + HIT_SCALE : FAIL_W - 1):0] \u_block.u_judge.value ;
`endif
    localparam COUNT_W = $clog2(INTERVAL);
    reg [(SETS < 2 ? 1 : $clog2(SETS))-1:0] set;  // of the access that is looked up
    always @(posedge clk) set <= u_block.acc_set;
    assign st_look     = u_block.look;
    assign st_set      = set;
    assign st_sampled  = u_block.sampled;
    assign st_found    = u_block.found;
    assign st_count    = {{(`BPG_COUNT_W - COUNT_W) {1'b0}}, u_block.count};
    assign st_fails    = u_block.u_fails.count;
    // `hit` belongs to the previous cycle, so these are the counters' next values
    genvar k;
    generate
        for (k = 0; k < CALCULATORS; k = k + 1) begin : gen_hits
            assign st_hits[k*HIT_W+:HIT_W] = u_block.hits[k*HIT_W+:HIT_W] >> u_block.ended;
        end
    endgenerate
    assign st_judged   = u_block.u_judge.busy[2];
    assign st_judged_k = u_block.u_judge.k;
    assign st_adjusted = u_block.u_judge.value;
endmodule

`default_nettype wire
