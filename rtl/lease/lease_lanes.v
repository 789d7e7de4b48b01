// SPDX-License-Identifier: Apache-2.0
// Finds the entry in which each lane's access is counted. Pipeline stages:
//   take    registers the accesses, which are late inputs
//   look    finds the entry of the block, and whether the group may get another entry
//   choose  assigns the lowest free entry to the lowest lane that needs and may get an entry
//   join    assigns the other lanes with the same block to that entry
// `look` sees entries chosen at least two cycles before; `choose` and `join` compare with the newer ones.
`default_nettype none
`include "mt_reset.vh"

module lease_lanes #(
    // maximum number of accesses per cycle, 1..32
    parameter LANES = 1,
    // maximum number of blocks sampled per window, 1..32
    parameter ENTRIES = 16,
    // block number width, 2..20 bits
    parameter BLOCK_W = 16,
    // number of page groups, 1..64
    parameter GROUPS = 32,
    // widths of a page number in its block, a group number and an entry number (set by lease)
    parameter PAGE_W = 4,
    parameter GROUP_W = 5,
    parameter ENTRY_W = 4
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       clear,      // a window starts in the next cycle
    input  wire [LANES-1:0]           acc_valid,  // late
    input  wire [LANES*BLOCK_W-1:0]   acc_block,  // late
    input  wire [LANES*PAGE_W-1:0]    acc_page,   // late
    input  wire [LANES*GROUP_W-1:0]   acc_group,  // late
    input  wire [GROUPS-1:0]          none,       // groups that may get no more entries
    input  wire [GROUPS-1:0]          one,        // groups that may get one more entry
    output reg                        new_valid,  // an entry was chosen in the previous cycle
    output reg  [GROUP_W-1:0]         new_group,
    output reg  [ENTRIES-1:0]         used,
    output wire [ENTRIES*GROUP_W-1:0] groups,     // groups of the entries
    // four cycles after the access
    output reg  [LANES-1:0]           hit,        // the access is counted in this entry
    output reg  [LANES*ENTRY_W-1:0]   entry,
    output reg  [LANES*PAGE_W-1:0]    page
);
    localparam [ENTRIES-1:0] ENTRY0 = 1;
    localparam WORD_W = BLOCK_W + GROUP_W;
    // nonexistent group numbers have no quota left
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

    // ---- look: results for each lane, passed to `choose`
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
    wire [LANES*WORD_W-1:0] words;  // group and block of each lane
    wire [WORD_W-1:0]       word;   // group and block of the selected lane
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
        .sel  (first),
        .words(words),
        .word (word)
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
    reg  [LANES-1:0]         joins, join_known;
    reg  [LANES*BLOCK_W-1:0] join_block;
    reg  [LANES*PAGE_W-1:0]  join_page;
    reg  [LANES*ENTRY_W-1:0] join_entry;
    wire [LANES-1:0]         joined;
    wire [LANES*ENTRY_W-1:0] choose_entry, joined_entry;
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            joins <= {LANES{1'b0}};
            hit   <= {LANES{1'b0}};
        end else begin
            joins <= seen;
            hit   <= joined;
        end
    always @(posedge clk) begin
        join_known <= known | same;
        join_entry <= choose_entry;
        join_block <= seen_block;
        join_page  <= seen_page;
        entry      <= joined_entry;
        page       <= join_page;
    end

    genvar e, l;
    generate
        for (e = 0; e < ENTRIES; e = e + 1) begin : gen_entry
            reg [BLOCK_W-1:0] block;
            reg [GROUP_W-1:0] group;
            always @(posedge clk) if (free[e]) {group, block} <= word;
            assign groups[e*GROUP_W+:GROUP_W] = group;
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
            assign able[l] = seen[l] && !known[l] && !same[l] && !none_left[l]
                && !(last[l] && new_valid && new_group == seen_g);
            assign words[l*WORD_W+:WORD_W] = {seen_g, seen_b};
            assign choose_entry[l*ENTRY_W+:ENTRY_W] = known[l] ? known_entry[l*ENTRY_W+:ENTRY_W] : new_entry;

            assign joined[l] =
                joins[l] && (join_known[l] || (new_valid && new_block == join_block[l*BLOCK_W+:BLOCK_W]));
            assign joined_entry[l*ENTRY_W+:ENTRY_W] = join_known[l] ? join_entry[l*ENTRY_W+:ENTRY_W] : new_entry;
        end
    endgenerate

`ifdef FORMAL
`include "lease_lanes_contract.vh"
`endif
endmodule

`default_nettype wire
