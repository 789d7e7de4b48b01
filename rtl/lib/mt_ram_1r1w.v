// SPDX-License-Identifier: Apache-2.0
// RAM with one write port and one synchronous read port.
//   write: the word is stored at the clock edge at which `we` is 1.
//   read:  the word is on `rdata` after the clock edge at which `re` is 1, and stays there until the next read (latency 1 cycle).
//   Reading a word in the cycle in which it is written gives the old word; users do not rely on it. Nothing is reset.
// To use an SRAM macro, put another file with this module name and these ports in its place in the file list.
// Wide words are cut into equal slices, so that synthesis maps one slice and counts it as often as it is used.
`default_nettype none

module mt_ram_1r1w #(
    // bits of a word, 1 and up
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
    output wire [WIDTH-1:0]  rdata
);
`ifdef MT_FPGA
    localparam SLICES = 1;  // a slice of its own would not share a block RAM
`else
    localparam SLICES = (WIDTH + 63) / 64;
`endif
    localparam SLICE_W = (WIDTH + SLICES - 1) / SLICES;

    genvar i;
    generate
        for (i = 0; i < SLICES; i = i + 1) begin : gen_slice
            // The last slice is narrower where the width does not divide.
            localparam W = (i == SLICES - 1) ? WIDTH - i * SLICE_W : SLICE_W;
            mt_ram_slice #(
                .WIDTH (W),
                .DEPTH (DEPTH),
                .ADDR_W(ADDR_W)
            ) u_slice (
                .clk  (clk),
                .we   (we),
                .waddr(waddr),
                .wdata(wdata[i*SLICE_W+:W]),
                .re   (re),
                .raddr(raddr),
                .rdata(rdata[i*SLICE_W+:W])
            );
        end
    endgenerate
endmodule

`default_nettype wire
