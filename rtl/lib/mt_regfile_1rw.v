// SPDX-License-Identifier: Apache-2.0
// Register file with one address, one-hot: in a cycle one word is read, and written if wanted. For few words: an AND-OR is smaller and faster
// than a tree of multiplexers while there are few, and the user decodes the address a cycle early where it can.
//   read:  `rdata` is the word of `at` in the same cycle; where it is written, the old word.
//   write: the word is stored at the clock edge at which `we` is 1. Nothing is reset.
// With MT_FPGA the address is encoded, so that FPGA tools infer LUT RAM.
// To use a macro, put another file with this module name and these ports in its place in the file list, with an encoder before its address.
`default_nettype none

module mt_regfile_1rw #(
    // bits of a word, 1 and up
    parameter WIDTH = 32,
    // words, 1 and up
    parameter DEPTH = 4
) (
    input  wire             clk,
    input  wire [DEPTH-1:0] at,     // one-hot
    input  wire             we,
    input  wire [WIDTH-1:0] wdata,
    output reg  [WIDTH-1:0] rdata
);
`ifdef MT_FPGA
    localparam ADDR_W = (DEPTH < 2) ? 1 : $clog2(DEPTH);

    reg [ WIDTH-1:0] mem[0:DEPTH-1];
    reg [ADDR_W-1:0] addr;
    integer          i;

    always @* begin
        addr = {ADDR_W{1'b0}};
        for (i = 0; i < DEPTH; i = i + 1) addr = addr | (i[ADDR_W-1:0] & {ADDR_W{at[i]}});
    end
    wire [WIDTH-1:0] word = mem[addr];
    always @* rdata = word;
    always @(posedge clk) if (we) mem[addr] <= wdata;
`else
    reg [WIDTH*DEPTH-1:0] mem;
    integer               i;

    always @* begin
        rdata = {WIDTH{1'b0}};
        for (i = 0; i < DEPTH; i = i + 1) rdata = rdata | (mem[i*WIDTH+:WIDTH] & {WIDTH{at[i]}});
    end
    integer j;
    always @(posedge clk) for (j = 0; j < DEPTH; j = j + 1) if (we && at[j]) mem[j*WIDTH+:WIDTH] <= wdata;
`endif
endmodule

`default_nettype wire
