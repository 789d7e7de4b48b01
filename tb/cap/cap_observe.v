// SPDX-License-Identifier: Apache-2.0
// Observer of cap: the block with the st_ ports, for verification.
`default_nettype none

module cap_observe #(
    parameter GROUPS = 32,
    parameter AVAIL_W = 22,
    parameter SIZE_W = 18,
    parameter C_NUM = 11,
    parameter C_DEN = 10,
    parameter OVER = 3
) (
    input  wire                                         clk,
    input  wire                                         rst,
    input  wire                                         set_valid,
    input  wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] set_group,
    input  wire [SIZE_W-1:0]                            set_req,
    input  wire                                         agg_valid,
    input  wire [SIZE_W-1:0]                            agg,
    input  wire                                         ask_valid,
    input  wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] ask_group,
    input  wire [AVAIL_W-1:0]                           ask_avail,
    input  wire                                         ask_full,
    output wire                                         ans_valid,
    output wire [2:0]                                   ans_size,
    output wire                                         st_ask,
    output wire [2:0]                                   st_limit,
    output wire [2:0]                                   st_fit
);
    cap #(
        .GROUPS (GROUPS),
        .AVAIL_W(AVAIL_W),
        .SIZE_W (SIZE_W),
        .C_NUM  (C_NUM),
        .C_DEN  (C_DEN),
        .OVER   (OVER)
    ) u_block (
        .clk      (clk),
        .rst      (rst),
        .set_valid(set_valid),
        .set_group(set_group),
        .set_req  (set_req),
        .agg_valid(agg_valid),
        .agg      (agg),
        .ask_valid(ask_valid),
        .ask_group(ask_group),
        .ask_avail(ask_avail),
        .ask_full (ask_full),
        .ans_valid(ans_valid),
        .ans_size (ans_size)
    );

`ifdef YOSYS
    (* hierconn *) wire \u_block.asked ;
    (* hierconn *) wire [3:0] \u_block.limit ;
    (* hierconn *) wire [3:0] \u_block.fit ;
`endif
    // Returns the number of ones in a thermometer code.
    function [2:0] number(input [3:0] bits);
        number = {2'd0, bits[0]} + {2'd0, bits[1]} + {2'd0, bits[2]} + {2'd0, bits[3]};
    endfunction
    assign st_ask   = u_block.asked;
    assign st_limit = number(u_block.limit);
    assign st_fit   = number(u_block.fit);
endmodule

`default_nettype wire
