// SPDX-License-Identifier: Apache-2.0
// Register file with one write port and two read ports, all with one-hot selects (see mt_regfile_sel_1r1w). Each lane
// of a word can be written separately.
`default_nettype none

module mt_regfile_sel_2r1w #(
    // word width in bits, a multiple of LANES
    parameter WIDTH = 32,
    // number of words, at least 1
    parameter DEPTH = 16,
    // address width, at least log2(DEPTH) bits
    parameter ADDR_W = 4,
    // number of lanes per word, at least 1
    parameter LANES = 1
) (
    input  wire                   clk,
    input  wire [LANES-1:0]       we,
    input  wire [ADDR_W-1:0]      waddr,
    input  wire [WIDTH/LANES-1:0] wdata,   // the same for all lanes
    input  wire [DEPTH-1:0]       rsel0,
    output wire [WIDTH-1:0]       rdata0,
    input  wire [DEPTH-1:0]       rsel1,
    output wire [WIDTH-1:0]       rdata1
);
    localparam W = WIDTH / LANES;

    reg [WIDTH-1:0] mem[0:DEPTH-1];
    integer         l;
    always @(posedge clk) for (l = 0; l < LANES; l = l + 1) if (we[l]) mem[waddr][l*W+:W] <= wdata;

    genvar i;
    generate
        // binary tree: 1 is the root, 2i and 2i+1 are the children of i
        for (i = 1; i < 2 * DEPTH; i = i + 1) begin : gen_node
            wire [WIDTH-1:0] read0, read1;
            if (i < DEPTH) begin : gen_inner
                assign read0 = gen_node[2*i].read0 | gen_node[2*i+1].read0;
                assign read1 = gen_node[2*i].read1 | gen_node[2*i+1].read1;
            end else begin : gen_word
                assign read0 = mem[i-DEPTH] & {WIDTH{rsel0[i-DEPTH]}};
                assign read1 = mem[i-DEPTH] & {WIDTH{rsel1[i-DEPTH]}};
            end
        end
    endgenerate
    assign rdata0 = gen_node[1].read0;
    assign rdata1 = gen_node[1].read1;

`ifdef FORMAL
`include "mt_regfile_sel_2r1w_contract.vh"
`endif
endmodule

`default_nettype wire
