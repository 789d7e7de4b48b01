// SPDX-License-Identifier: Apache-2.0
// One slice of mt_ram_1r1w: the storage itself, in flip-flops.
`default_nettype none

module mt_ram_slice #(
    // bits of a word, 1..64
    parameter WIDTH = 16,
    // words, 1 and up
    parameter DEPTH = 256,
    // bits of an address, at least log2(DEPTH)
    parameter ADDR_W = 8
) (
    input  wire              clk,
    input  wire              we,
    input  wire [ADDR_W-1:0] waddr,
    input  wire [WIDTH-1:0]  wdata,
    input  wire              re,
    input  wire [ADDR_W-1:0] raddr,
    output reg  [WIDTH-1:0]  rdata
);
    reg [WIDTH-1:0] mem[0:DEPTH-1];

    always @(posedge clk) begin
        if (we) mem[waddr] <= wdata;
        if (re) rdata <= mem[raddr];
    end

`ifdef FORMAL
`include "mt_ram_slice_contract.vh"
`endif
endmodule

`default_nettype wire
