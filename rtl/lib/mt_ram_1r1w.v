// SPDX-License-Identifier: Apache-2.0
// RAM with one write port and one synchronous read port.
//   write: the word is stored at the clock edge at which `we` is 1.
//   read:  the word is at `rdata` after the clock edge at which `re` is 1, until the next read (latency 1 cycle).
//   A read of the word written in the same cycle returns the old word; users do not rely on it. There is no reset.
// To use an SRAM macro, replace this file in the file list with a module of the same name and ports.
`default_nettype none

module mt_ram_1r1w #(
    // word width, at least 1 bit
    parameter WIDTH = 16,
    // number of words, at least 1
    parameter DEPTH = 256,
    // address width, at least log2(DEPTH) bits
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
`include "mt_ram_1r1w_contract.vh"
`endif
endmodule

`default_nettype wire
