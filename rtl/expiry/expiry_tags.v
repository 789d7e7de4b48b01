// SPDX-License-Identifier: Apache-2.0
// Which block each entry of expiry has, in flip-flops, so that all are compared at once: in one cycle with `block`, in the next the number of
// the equal one is encoded. The lowest free entry is known two cycles after a change.
`default_nettype none
`include "mt_reset.vh"

module expiry_tags #(
    parameter ENTRIES = 256,
    parameter BLOCK_W = 16,
    // bits of an entry's number (given by expiry)
    parameter WAY_W = 8
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [BLOCK_W-1:0] block,
    // of the block of the cycle before
    output wire               found,
    output wire [WAY_W-1:0]   found_way,  // if found
    output reg  [WAY_W-1:0]   free_way,   // if one is free: the lowest
    // entry `way` has `block` from the next cycle on; or is free
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
