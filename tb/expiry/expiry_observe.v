// SPDX-License-Identifier: Apache-2.0
// Observer of expiry: the block with the st_ ports, for verification.
`default_nettype none

module expiry_observe #(
    parameter ENTRIES = 256,
    parameter BLOCK_W = 16,
    parameter PAGES = 16,
    parameter TAKE = 4
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         exp_valid,
    input  wire [BLOCK_W-1:0]           exp_block,
    input  wire [$clog2(PAGES)-1:0]     exp_page,
    output wire                         exp_ready,
    input  wire                         rec_valid,
    input  wire [BLOCK_W-1:0]           rec_block,
    output wire                         rec_ready,
    input  wire                         take,
    output wire                         out_valid,
    output wire [BLOCK_W-1:0]           out_block,
    output wire [PAGES-1:0]             out_mask,
    output wire [1:0]                   out_why,
    output wire                         out_last,
    input  wire                         out_ready,
    output wire [$clog2(ENTRIES+1)-1:0] st_entries,
    output wire                         st_look,
    output wire                         st_found,
    output wire                         st_use,
    output wire [$clog2(ENTRIES)-1:0]   st_way
);
    expiry #(
        .ENTRIES(ENTRIES),
        .BLOCK_W(BLOCK_W),
        .PAGES  (PAGES),
        .TAKE   (TAKE)
    ) u_block (
        .clk      (clk),
        .rst      (rst),
        .exp_valid(exp_valid),
        .exp_block(exp_block),
        .exp_page (exp_page),
        .exp_ready(exp_ready),
        .rec_valid(rec_valid),
        .rec_block(rec_block),
        .rec_ready(rec_ready),
        .take     (take),
        .out_valid(out_valid),
        .out_block(out_block),
        .out_mask (out_mask),
        .out_why  (out_why),
        .out_last (out_last),
        .out_ready(out_ready)
    );

`ifdef YOSYS
    (* hierconn *) wire [$clog2(ENTRIES+1)-1:0] \u_block.count ;
    (* hierconn *) wire \u_block.read ;
    (* hierconn *) wire \u_block.found_r ;
    (* hierconn *) wire \u_block.has_entry ;
    (* hierconn *) wire [$clog2(ENTRIES)-1:0] \u_block.way ;
`endif
    assign st_entries = u_block.count;
    assign st_look    = u_block.read;
    assign st_found   = u_block.found_r;
    assign st_use     = u_block.has_entry;
    assign st_way     = u_block.way;
endmodule

`default_nettype wire
