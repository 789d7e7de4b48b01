// SPDX-License-Identifier: Apache-2.0
// The data of all lines: a RAM with one write port with a mask of bytes and one synchronous read port, a RAM a byte of the word.
// No word is read in the cycle in which it is written. A RAM macro with a byte mask takes this module's place.
`default_nettype none

module cache_data #(
    // bits of a word, a multiple of 8
    parameter DATA_W = 128,
    // words
    parameter DEPTH = 1024,
    // bits of an address
    parameter ADDR_W = 10
) (
    input  wire                clk,
    input  wire                we,
    input  wire [ADDR_W-1:0]   waddr,
    input  wire [DATA_W-1:0]   wdata,
    input  wire [DATA_W/8-1:0] wmask,
    input  wire                re,
    input  wire [ADDR_W-1:0]   raddr,
    output wire [DATA_W-1:0]   rdata   // stays until the next read
);
    genvar b;
    generate
        for (b = 0; b < DATA_W / 8; b = b + 1) begin : gen_byte
            mt_ram_1r1w #(
                .WIDTH (8),
                .DEPTH (DEPTH),
                .ADDR_W(ADDR_W)
            ) u_bytes (
                .clk  (clk),
                .we   (we && wmask[b]),
                .waddr(waddr),
                .wdata(wdata[b*8+:8]),
                .re   (re),
                .raddr(raddr),
                .rdata(rdata[b*8+:8])
            );
        end
    endgenerate
endmodule

`default_nettype wire
