// SPDX-License-Identifier: Apache-2.0
// Stores the tags and states of the lines; finds the way of a line and the victim for a miss.
// A line is free, filling (its fetch is in flight), or valid; a valid line is clean or dirty. Tags are in RAMs, states
// in flip-flops. A tag is written in the cycle in which its line starts to fill. A read in that cycle may return
// any value, because a filling line cannot hit.
`default_nettype none
`include "mt_reset.vh"

module cache_lines #(
    // number of sets, a power of two
    parameter SETS = 64,
    // number of ways per set
    parameter WAYS = 4,
    // widths of a tag, a set number, a way number and a line's {way, set}
    parameter TAG_W = 20,
    parameter INDEX_W = 6,
    parameter WAY_W = 2,
    parameter LINE_W = WAY_W + INDEX_W
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [INDEX_W-1:0] read_index,    // set to look up in the next cycle
    // lookup
    input  wire [INDEX_W-1:0] index,
    input  wire [TAG_W-1:0]   tag,
    output wire               hit,
    output wire [LINE_W-1:0]  hit_line,
    output wire               room,          // at least one way is not filling
    output wire [LINE_W-1:0]  victim_line,   // a free way or, if there is none, the next valid way in turn
    output wire               victim_dirty,
    output wire [TAG_W-1:0]   victim_tag,
    // state changes of the set
    input  wire               write,         // the line that hits becomes dirty
    input  wire               evict,         // the victim becomes free
    input  wire               fetch,         // the victim starts to fill, with this tag
    // state change of a line that was filling
    input  wire               filled,
    input  wire [LINE_W-1:0]  filled_line,
    input  wire               filled_valid,  // 0: the line becomes free
    input  wire               filled_dirty
);
    localparam LINES = SETS << WAY_W;
    localparam [LINES-1:0] LINE0 = 1;

    reg  [LINES-1:0]      filling, valid, dirty;  // one bit per line; `dirty` is meaningful only if `valid` is set
    reg  [WAYS-1:0]       turn;                   // all ways above the last filled one
    wire [WAYS-1:0]       hits, fills, valids, dirties, victim, from;
    wire [WAYS*TAG_W-1:0] tags;

    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : gen_way
            localparam [WAY_W-1:0] WAY = w;
            mt_ram_1r1w #(
                .WIDTH (TAG_W),
                .DEPTH (SETS),
                .ADDR_W(INDEX_W)
            ) u_tags (
                .clk  (clk),
                .we   (fetch && victim[w]),
                .waddr(index),
                .wdata(tag),
                .re   (1'b1),
                .raddr(read_index),
                .rdata(tags[w*TAG_W+:TAG_W])
            );
            assign fills[w]   = filling[{WAY, index}];
            assign valids[w]  = valid[{WAY, index}];
            assign dirties[w] = dirty[{WAY, index}];
            assign hits[w]    = valids[w] && tags[w*TAG_W+:TAG_W] == tag;
        end
    endgenerate

    // ---- lookup result
    wire [WAYS-1:0]  free = ~fills & ~valids;
    wire [WAY_W-1:0] hit_way, victim_way;
    reg  [TAG_W-1:0] tag_of_victim;
    integer          i;

    mt_onehot_enc #(
        .N(WAYS),
        .W(WAY_W)
    ) u_hit_way (
        .onehot(hits),
        .bin   (hit_way)
    );
    mt_cyclic_first #(
        .N(WAYS)
    ) u_victim (
        .in   (|free ? free : ~fills),
        .start(turn),
        .first(victim),
        .any  (room),
        .from (from)
    );
    mt_onehot_enc #(
        .N(WAYS),
        .W(WAY_W)
    ) u_victim_way (
        .onehot(victim),
        .bin   (victim_way)
    );
    always @* begin
        tag_of_victim = {TAG_W{1'b0}};
        for (i = 0; i < WAYS; i = i + 1) tag_of_victim = tag_of_victim | (tags[i*TAG_W+:TAG_W] & {TAG_W{victim[i]}});
    end
    assign hit          = |hits;
    assign hit_line     = {hit_way, index};
    assign victim_line  = {victim_way, index};
    assign victim_dirty = |(victim & valids & dirties);
    assign victim_tag   = tag_of_victim;

    // ---- next state of the lines
    wire [LINES-1:0] at_hit = (LINE0 << hit_line) & {LINES{write}};
    wire [LINES-1:0] at_victim = LINE0 << victim_line;
    wire [LINES-1:0] at_filled = (LINE0 << filled_line) & {LINES{filled}};
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            filling <= {LINES{1'b0}};
            valid   <= {LINES{1'b0}};
            turn    <= {WAYS{1'b0}};
        end else begin
            filling <= (filling | (at_victim & {LINES{fetch}})) & ~at_filled;
            valid   <= (valid & ~(at_victim & {LINES{fetch || evict}})) | (at_filled & {LINES{filled_valid}});
            if (fetch) turn <= from << 1;
        end
    always @(posedge clk) dirty <= (dirty & ~at_filled) | (at_filled & {LINES{filled_dirty}}) | at_hit;
endmodule

`default_nettype wire
