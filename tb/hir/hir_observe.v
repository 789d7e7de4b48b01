// SPDX-License-Identifier: Apache-2.0
// Observer of hir: the block with the st_ ports, for verification.
`default_nettype none

module hir_observe #(
    parameter SETS = 128,
    parameter WAYS = 8,
    parameter SET_W = 48,
    parameter PAGES = 16,
    parameter COUNT_W = 2,
    parameter LOST_W = 16
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire                                     hit_valid,
    input  wire [SET_W-1:0]                         hit_set,
    input  wire [$clog2(PAGES)-1:0]                 hit_page,
    output wire                                     hit_ready,
    input  wire                                     flush,
    output wire                                     busy,
    output wire                                     out_valid,
    output wire [SET_W-1:0]                         out_set,
    output wire [PAGES*COUNT_W-1:0]                 out_counts,
    output wire                                     out_last,
    input  wire                                     out_ready,
    output wire [LOST_W-1:0]                        lost,
    output wire                                     st_look,
    output wire [(SETS < 2 ? 1 : $clog2(SETS))-1:0] st_row,
    output wire                                     st_found,
    output wire                                     st_lose,
    output wire [(WAYS < 2 ? 1 : $clog2(WAYS))-1:0] st_way,
    output wire [$clog2(SETS*WAYS+1)-1:0]           st_count
);
    hir #(
        .SETS   (SETS),
        .WAYS   (WAYS),
        .SET_W  (SET_W),
        .PAGES  (PAGES),
        .COUNT_W(COUNT_W),
        .LOST_W (LOST_W)
    ) u_block (
        .clk       (clk),
        .rst       (rst),
        .hit_valid (hit_valid),
        .hit_set   (hit_set),
        .hit_page  (hit_page),
        .hit_ready (hit_ready),
        .flush     (flush),
        .busy      (busy),
        .out_valid (out_valid),
        .out_set   (out_set),
        .out_counts(out_counts),
        .out_last  (out_last),
        .out_ready (out_ready),
        .lost      (lost)
    );

`ifdef YOSYS
    (* hierconn *) wire \u_block.look ;
    (* hierconn *) wire [(SETS < 2 ? 1 : $clog2(SETS))-1:0] \u_block.row ;
    (* hierconn *) wire \u_block.found ;
    (* hierconn *) wire \u_block.full ;
    (* hierconn *) wire [WAYS-1:0] \u_block.u_ways.hit ;
    (* hierconn *) wire [(WAYS < 2 ? 1 : $clog2(WAYS))-1:0] \u_block.free_way ;
    (* hierconn *) wire [$clog2(SETS*WAYS+1)-1:0] \u_block.count ;
`endif
    wire [(WAYS < 2 ? 1 : $clog2(WAYS))-1:0] found_way;
    mt_onehot_enc #(
        .N(WAYS),
        .W(WAYS < 2 ? 1 : $clog2(WAYS))
    ) u_found_way (
        .onehot(u_block.u_ways.hit),
        .bin   (found_way)
    );
    assign st_look  = u_block.look;
    assign st_row   = u_block.row;
    assign st_found = u_block.found;
    assign st_lose  = !u_block.found && u_block.full;
    assign st_way   = u_block.found ? found_way : u_block.free_way;
    assign st_count = u_block.count;
endmodule

`default_nettype wire
