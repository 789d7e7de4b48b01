// SPDX-License-Identifier: Apache-2.0
// The RAM rtl/lib/mt_ram_1r1w.v as synthesis measures it: words of more than 64 bits are cut into equal slices, so that
// one slice of each shape is mapped and counted once per instance. mt_ram_slice is the RAM of rtl/lib under that name
// (synth/storage.bash). tests/synth/slices.sh proves the two equal.
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
    output wire [WIDTH-1:0]  rdata
);
    localparam SLICES = (WIDTH + 63) / 64;
    localparam SLICE_W = (WIDTH + SLICES - 1) / SLICES;

    genvar i;
    generate
        for (i = 0; i < SLICES; i = i + 1) begin : gen_slice
            // The last slice is narrower if WIDTH is not a multiple of SLICE_W.
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
