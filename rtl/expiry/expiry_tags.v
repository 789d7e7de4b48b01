// SPDX-License-Identifier: Apache-2.0
// Stores the block number of each entry of expiry in flip-flops, so that all are compared in one cycle. The number of
// the matching entry is encoded in the next cycle. The lowest free entry is valid two cycles after a change.
`default_nettype none
`include "mt_reset.vh"

module expiry_tags #(
    // number of entries, 2..1024
    parameter ENTRIES = 256,
    // block number width, 2..32 bits
    parameter BLOCK_W = 16,
    // entry number width (set by expiry)
    parameter WAY_W = 8
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [BLOCK_W-1:0] block,
    // result for the block of the previous cycle
    output wire               found,
    output wire [WAY_W-1:0]   found_way,  // valid if found
    output reg  [WAY_W-1:0]   free_way,   // lowest free entry, valid if one is free
    // entry `way` holds `block` from the next cycle on, or is free
    input  wire               set,
    input  wire               clear,
    input  wire [WAY_W-1:0]   way
);
    localparam [ENTRIES-1:0] WAY0 = 1;

    reg  [ENTRIES-1:0] used, match;
    wire [ENTRIES-1:0] equal;
    wire [ENTRIES-1:0] at = WAY0 << way;
    always @(posedge clk `MT_OR_RST)
        if (rst) used <= {ENTRIES{1'b0}};
        else used <= (used | (at & {ENTRIES{set}})) & ~(at & {ENTRIES{clear}});

    genvar i;
    generate
        for (i = 0; i < ENTRIES; i = i + 1) begin : gen_entry
            reg [BLOCK_W-1:0] tag;
            always @(posedge clk) if (set && at[i]) tag <= block;
            assign equal[i] = tag == block;
        end
    endgenerate

    always @(posedge clk) match <= equal & used;
    assign found = |match;
    mt_onehot_enc #(
        .N(ENTRIES),
        .W(WAY_W)
    ) u_found_way (
        .onehot(match),
        .bin   (found_way)
    );

    wire [ENTRIES-1:0] unused_first;
    wire               unused_any;
    wire [WAY_W-1:0]   lowest;
    mt_first_id #(
        .N(ENTRIES),
        .W(WAY_W)
    ) u_free_way (
        .in   (~used),
        .first(unused_first),
        .any  (unused_any),
        .id   (lowest)
    );
    always @(posedge clk) free_way <= lowest;

`ifdef FORMAL
`include "expiry_tags_contract.vh"
`endif
endmodule

`default_nettype wire
