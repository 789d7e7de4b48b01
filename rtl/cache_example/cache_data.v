// SPDX-License-Identifier: Apache-2.0
// Stores the data of all lines in one RAM per byte of the word, with a byte-masked write port and a synchronous read
// port. No word is read in the cycle in which it is written. A RAM macro with a byte mask can replace this module.
`default_nettype none

module cache_data #(
    // word width in bits, a multiple of 8
    parameter DATA_W = 128,
    // number of words
    parameter DEPTH = 1024,
    // address width
    parameter ADDR_W = 10
) (
    input  wire                clk,
    input  wire                we,
    input  wire [ADDR_W-1:0]   waddr,
    input  wire [DATA_W-1:0]   wdata,
    input  wire [DATA_W/8-1:0] wmask,
    input  wire                re,
    input  wire [ADDR_W-1:0]   raddr,
    output wire [DATA_W-1:0]   rdata   // stable until the next read
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
