// SPDX-License-Identifier: Apache-2.0
// The lanes of lease: which entry an access is counted in. A stage a cycle:
//   take    accesses, which come late, are put into registers
//   look    is there an entry of its block; may its group have another
//   choose  the lowest lane without entry that may have one gets the lowest free entry
//   join    lanes of the same block belong to that entry
// Entries that accesses see in `look` are those chosen two cycles before and earlier; those between are compared in `choose` and `join`.
`default_nettype none
`include "mt_reset.vh"

module lease_lanes #(
    parameter LANES = 1,
    parameter ENTRIES = 16,
    parameter BLOCK_W = 16,
    parameter GROUPS = 32,
    // bits of a page's number in its block, of a group's, of an entry's (given by lease)
    parameter PAGE_W = 4,
    parameter GROUP_W = 5,
    parameter ENTRY_W = 4
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       clear,      // a window begins with the next cycle
    input  wire [LANES-1:0]           acc_valid,  // late
    input  wire [LANES*BLOCK_W-1:0]   acc_block,  // late
    input  wire [LANES*PAGE_W-1:0]    acc_page,   // late
    input  wire [LANES*GROUP_W-1:0]   acc_group,  // late
    input  wire [GROUPS-1:0]          none,       // the group may have no more entries; one
    input  wire [GROUPS-1:0]          one,
    output reg                        new_valid,  // an entry was chosen in the cycle before
    output reg  [GROUP_W-1:0]         new_group,
    output reg  [ENTRIES-1:0]         used,
    output wire [ENTRIES*GROUP_W-1:0] groups,     // of the entries
    // four cycles behind the access
    output reg  [LANES-1:0]           hit,        // it is counted, in
    output reg  [LANES*ENTRY_W-1:0]   entry,
    output reg  [LANES*PAGE_W-1:0]    page,
    output reg  [LANES-1:0]           miss        // it may have an entry, and none was free
);
    localparam [ENTRIES-1:0] ENTRY0 = 1;
    localparam WORD_W = BLOCK_W + GROUP_W;
    // groups that there are not have no room
    localparam ALL = 1 << GROUP_W;
    wire [ALL+GROUPS-1:0] wide_none = {{ALL{1'b1}}, none};
    wire [ALL+GROUPS-1:0] wide_one = {{ALL{1'b0}}, one};
    wire [ALL-1:0]        all_none = wide_none[ALL-1:0];
    wire [ALL-1:0]        all_one = wide_one[ALL-1:0];
    wire                  unused_wide = &{1'b0, wide_none, wide_one};

    // ---- take
    reg [LANES-1:0]         took;
    reg [LANES*BLOCK_W-1:0] took_block;
    reg [LANES*PAGE_W-1:0]  took_page;
    reg [LANES*GROUP_W-1:0] took_group;
    always @(posedge clk `MT_OR_RST)
        if (rst) took <= {LANES{1'b0}};
        else took <= acc_valid;
    always @(posedge clk) begin
        took_block <= acc_block;
        took_page  <= acc_page;
        took_group <= acc_group;
    end

    // ---- look: what is found of each lane, and goes on to `choose`
    reg  [LANES-1:0]         seen;
    reg  [LANES*BLOCK_W-1:0] seen_block;
    reg  [LANES*PAGE_W-1:0]  seen_page;
    reg  [LANES*GROUP_W-1:0] seen_group;
    reg  [LANES-1:0]         known, last, none_left;
    reg  [LANES*ENTRY_W-1:0] known_entry;
    wire [LANES-1:0]         found, found_none, found_one;
    wire [LANES*ENTRY_W-1:0] found_entry;
    always @(posedge clk `MT_OR_RST)
        if (rst) seen <= {LANES{1'b0}};
        else seen <= took;
    always @(posedge clk) begin
        seen_block  <= took_block;
        seen_page   <= took_page;
        seen_group  <= took_group;
        known       <= found;
        known_entry <= found_entry;
        none_left   <= found_none;
        last        <= found_one;
    end

    // ---- choose
    reg  [BLOCK_W-1:0]      new_block;
    reg  [ENTRY_W-1:0]      new_entry;
    wire [LANES-1:0]        same, able, first;
    wire [LANES*WORD_W-1:0] words;  // columns, as mt_onehot_mux has them
    wire [WORD_W-1:0]       word;   // block and group of the first lane
    wire [ENTRIES-1:0]      free = ~used & ((used << 1) | ENTRY0);
    wire                    full = used[ENTRIES-1];
    wire                    any;
    wire                    choose = any && !full;
    wire [ENTRY_W-1:0]      free_entry;
    mt_first_one #(
        .N(LANES)
    ) u_first (
        .in   (able),
        .first(first),
        .any  (any)
    );
    mt_onehot_mux #(
        .N(LANES),
        .W(WORD_W)
    ) u_word (
        .sel (first),
        .cols(words),
        .word(word)
    );
    mt_onehot_enc #(
        .N(ENTRIES),
        .W(ENTRY_W)
    ) u_free (
        .onehot(free),
        .bin   (free_entry)
    );
    always @(posedge clk `MT_OR_RST)
        if (rst) new_valid <= 1'b0;
        else new_valid <= choose;
    always @(posedge clk) begin
        new_block <= word[BLOCK_W-1:0];
        new_group <= word[BLOCK_W+:GROUP_W];
        new_entry <= free_entry;
    end
    always @(posedge clk `MT_OR_RST)
        if (rst) used <= {ENTRIES{1'b0}};
        else if (clear) used <= {ENTRIES{1'b0}};
        else if (choose) used <= used | free;

    // ---- join
    reg  [LANES-1:0]         joins, join_known, join_miss;
    reg  [LANES*BLOCK_W-1:0] join_block;
    reg  [LANES*PAGE_W-1:0]  join_page;
    reg  [LANES*ENTRY_W-1:0] join_entry;
    wire [LANES-1:0]         joined;
    wire [LANES*ENTRY_W-1:0] choose_entry, joined_entry;
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            joins     <= {LANES{1'b0}};
            hit       <= {LANES{1'b0}};
            join_miss <= {LANES{1'b0}};
            miss      <= {LANES{1'b0}};
        end else begin
            joins     <= seen;
            hit       <= joined;
            join_miss <= able & {LANES{full}};
            miss      <= join_miss;
        end
    always @(posedge clk) begin
        join_known <= known | same;
        join_entry <= choose_entry;
        join_block <= seen_block;
        join_page  <= seen_page;
        entry      <= joined_entry;
        page       <= join_page;
    end

`ifdef FORMAL
`include "lease_lanes_contract.vh"
`endif

    genvar e, l, b;
    generate
        for (e = 0; e < ENTRIES; e = e + 1) begin : gen_entry
            reg [BLOCK_W-1:0] block;
            reg [GROUP_W-1:0] group;
            always @(posedge clk) if (free[e]) {group, block} <= word;
            assign groups[e*GROUP_W+:GROUP_W] = group;
`ifdef FORMAL
            assign f_blocks[e*BLOCK_W+:BLOCK_W] = block;
`endif
        end
        for (l = 0; l < LANES; l = l + 1) begin : gen_lane
            wire [BLOCK_W-1:0] block = took_block[l*BLOCK_W+:BLOCK_W];
            wire [GROUP_W-1:0] group = took_group[l*GROUP_W+:GROUP_W];
            wire [BLOCK_W-1:0] seen_b = seen_block[l*BLOCK_W+:BLOCK_W];
            wire [GROUP_W-1:0] seen_g = seen_group[l*GROUP_W+:GROUP_W];
            wire [ENTRIES-1:0] equal;
            for (e = 0; e < ENTRIES; e = e + 1) begin : gen_equal
                assign equal[e] = used[e] && gen_entry[e].block == block;
            end
            mt_onehot_enc #(
                .N(ENTRIES),
                .W(ENTRY_W)
            ) u_found (
                .onehot(equal),
                .bin   (found_entry[l*ENTRY_W+:ENTRY_W])
            );
            assign found[l]      = |equal;
            assign found_none[l] = all_none[group];
            assign found_one[l]  = all_one[group];

            assign same[l] = new_valid && new_block == seen_b;
            assign able[l] = seen[l] && !known[l] && !same[l] && !none_left[l] && !(last[l] && new_valid && new_group == seen_g);
            for (b = 0; b < WORD_W; b = b + 1) begin : gen_col
                if (b < BLOCK_W) begin : gen_block
                    assign words[b*LANES+l] = seen_b[b];
                end else begin : gen_group
                    assign words[b*LANES+l] = seen_g[b-BLOCK_W];
                end
            end
            assign choose_entry[l*ENTRY_W+:ENTRY_W] = known[l] ? known_entry[l*ENTRY_W+:ENTRY_W] : new_entry;

            assign joined[l] = joins[l] && (join_known[l] || (new_valid && new_block == join_block[l*BLOCK_W+:BLOCK_W]));
            assign joined_entry[l*ENTRY_W+:ENTRY_W] = join_known[l] ? join_entry[l*ENTRY_W+:ENTRY_W] : new_entry;
        end
    endgenerate
endmodule

`default_nettype wire
