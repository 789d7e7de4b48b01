// SPDX-License-Identifier: Apache-2.0
// Register file with one shared one-hot address: in each cycle, one word is read and can be written. It is meant for
// few words, because an AND-OR is then smaller and faster than a multiplexer tree, and for users that can decode the
// address a cycle early.
//   read:  `rdata` is the word at `at` in the same cycle; during a write, it is the old word.
//   write: the word is stored at the clock edge at which `we` is 1. There is no reset.
// With MT_FPGA the address is encoded, so that FPGA tools infer LUT RAM.
// To use a macro, replace this file in the file list with a module of the same name and ports, with an encoder before
// its address.
`default_nettype none

module mt_regfile_1rw #(
    // word width, at least 1 bit
    parameter WIDTH = 32,
    // number of words, at least 1
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
