// SPDX-License-Identifier: Apache-2.0
// Register file with one write port and one asynchronous read port.
//   write: the word is stored at the clock edge at which `we` is 1, and can be read from then on. If there are several
//          lanes, it is stored in the lanes whose `we` is 1. There is no reset.
//   read:  `rdata` is the word at `raddr` in the same cycle.
// To use a macro, replace this file in the file list with a module of the same name and ports.
`default_nettype none

module mt_regfile_1r1w #(
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
    input  wire [WIDTH/LANES-1:0] wdata,  // the same for all lanes
    input  wire [ADDR_W-1:0]      raddr,
    output wire [WIDTH-1:0]       rdata
);
    localparam W = WIDTH / LANES;

    reg [WIDTH-1:0] mem[0:DEPTH-1];
    integer         l;

    always @(posedge clk) for (l = 0; l < LANES; l = l + 1) if (we[l]) mem[waddr][l*W+:W] <= wdata;
    assign rdata = mem[raddr];

`ifdef FORMAL
    // All words, for the contracts of users.
    wire [WIDTH*DEPTH-1:0] f_mem;
    genvar f_i;
    generate
        for (f_i = 0; f_i < DEPTH; f_i = f_i + 1) begin : gen_f_mem
            assign f_mem[f_i*WIDTH+:WIDTH] = mem[f_i];
        end
    endgenerate
`endif
endmodule

`default_nettype wire
