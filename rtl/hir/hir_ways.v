// SPDX-License-Identifier: Apache-2.0
// Stores the entries of hir in one RAM per way, and looks a hit up.
// A row (a set) is read in one cycle; in the next, a hit is looked up in the words read, and the change is written. A
// read in the cycle of a write to the same row returns old words, so the last write is also held in registers, which
// replace those words.
// Ways are filled from the lowest up and freed together, so the valid ways of a row are always the lowest. The valid
// bits are in the RAMs; one flip-flop per row tells whether they are used. The first hit of a row writes all of them.
`default_nettype none

module hir_ways #(
    // number of sets, 1..1024, a power of two
    parameter SETS = 128,
    // number of entries per set, 1..16
    parameter WAYS = 8,
    // tag width
    parameter TAG_W = 41,
    // number of pages per page set, 2..32, a power of two
    parameter PAGES = 16,
    // counter width, 1..4 bits
    parameter COUNT_W = 2,
    // widths of a row number, a page number and a way number (set by hir)
    parameter ROW_W = 7,
    parameter PAGE_W = 4,
    parameter WAY_W = 3
) (
    input  wire                     clk,
    input  wire                     clear,       // free all entries; never in a cycle with `look`
    // read of a row
    input  wire                     re,
    input  wire [ROW_W-1:0]         rrow,
    // lookup in the row read in the previous cycle
    input  wire                     look,
    input  wire [ROW_W-1:0]         row,
    input  wire [TAG_W-1:0]         tag,
    input  wire [PAGE_W-1:0]        page,
    output wire                     found,
    output wire                     full,        // no way is free
    output wire [WAY_W-1:0]         free_way,    // lowest free way, valid if not full
    // selects one word of the row read last
    input  wire [WAYS-1:0]          sel,         // one-hot: the word's way; 0 in a cycle with `look`
    output wire [TAG_W-1:0]         sel_tag,
    output wire [PAGES*COUNT_W-1:0] sel_counts
);
    localparam COUNTS_W = PAGES * COUNT_W;
    localparam WORD_W = 1 + TAG_W + COUNTS_W;  // valid, tag, counters
    localparam [SETS-1:0] ROW0 = 1;
    localparam [PAGES-1:0] PAGE0 = 1;
    localparam [WAYS-1:0] WAY0 = 1;

    // ---- rows whose valid bits are used
    reg  [SETS-1:0] used;
    wire [SETS-1:0] at = ROW0 << row;
    wire            row_used = |(used & at);
    always @(posedge clk)
        if (clear) used <= {SETS{1'b0}};
        else used <= used | (at & {SETS{look}});

    // ---- lookup of the previous cycle, which the words read do not reflect
    reg                 last;         // there was a lookup
    reg                 last_kept;    // its page set has an entry
    reg  [ROW_W-1:0]    last_row;
    reg  [TAG_W-1:0]    last_tag;
    reg  [WAYS-1:0]     last_way;     // way of its page set's entry
    reg  [WAYS-1:0]     last_valid;   // valid ways of its row after the lookup
    reg  [COUNTS_W-1:0] last_counts;  // counters of its entry after the lookup
    wire                same_row = last && last_row == row;
    wire                again = same_row && last_kept && last_tag == tag;
    wire [WAYS-1:0]     stale = last_way & {WAYS{same_row}};

    // ---- words read, of way w at held_tags[w*TAG_W +: TAG_W] and held_counts[w*COUNTS_W +: COUNTS_W]
    wire [WAYS-1:0]          held_valid, equal;
    wire [WAYS*TAG_W-1:0]    held_tags;
    wire [WAYS*COUNTS_W-1:0] held_counts;

    // ---- lookup, as if the row were in use; row_used arrives late and is applied last
    wire [WAYS-1:0]     valid = same_row ? last_valid : held_valid;
    wire [WAYS-1:0]     match = equal & valid & ~stale;  // the word in the RAM matches
    wire [WAYS-1:0]     hit = match | (last_way & {WAYS{again}});
    wire                any_hit = (|match) || again;
    wire [WAYS-1:0]     lowest = ~valid & ((valid << 1) | WAY0);
    wire [WAYS-1:0]     chosen = !row_used ? WAY0 : any_hit ? hit : lowest;
    wire [COUNTS_W-1:0] counts_picked, counts;
    wire [WAY_W-1:0]    lowest_way;
    assign found    = any_hit && row_used;
    assign full     = valid[WAYS-1] && row_used;
    assign free_way = lowest_way & {WAY_W{row_used}};

    mt_onehot_enc #(
        .N(WAYS),
        .W(WAY_W)
    ) u_free_way (
        .onehot(lowest),
        .bin   (lowest_way)
    );

    // Counters of the entry found, or 0 if no entry was found, which suits a new entry. The counters of a sent entry
    // use the same path.
    mt_onehot_mux #(
        .N(WAYS),
        .W(COUNTS_W)
    ) u_counts (
        .sel  ((match & {WAYS{look}}) | sel),
        .words(held_counts),
        .word (counts_picked)
    );
    assign sel_counts = counts_picked;
    hir_bump #(
        .PAGES  (PAGES),
        .COUNT_W(COUNT_W)
    ) u_bump (
        .touched(PAGE0 << page),
        .counts ((counts_picked & {COUNTS_W{row_used}}) | (last_counts & {COUNTS_W{again}})),
        .next   (counts)
    );

    always @(posedge clk) begin
        last        <= look;
        last_kept   <= found || !full;
        last_row    <= row;
        last_tag    <= tag;
        last_way    <= chosen;
        last_valid  <= (valid & {WAYS{row_used}}) | chosen;
        last_counts <= counts;
    end

    // ---- the RAMs
    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : gen_way
            wire [TAG_W-1:0]    tag_held;
            wire [COUNTS_W-1:0] counts_held;
            wire                first_valid = row_used || w == 0;  // the first hit of a row makes one way valid
            mt_ram_1r1w #(
                .WIDTH (WORD_W),
                .DEPTH (SETS),
                .ADDR_W(ROW_W)
            ) u_entries (
                .clk  (clk),
                .we   (look && (chosen[w] || !row_used)),
                .waddr(row),
                .wdata({first_valid, tag, counts}),
                .re   (re),
                .raddr(rrow),
                .rdata({held_valid[w], tag_held, counts_held})
            );
            assign equal[w]                          = tag_held == tag;
            assign held_tags[w*TAG_W+:TAG_W]         = tag_held;
            assign held_counts[w*COUNTS_W+:COUNTS_W] = counts_held;
`ifdef FORMAL
            (* hierconn *) wire [SETS*WORD_W-1:0] \u_entries.f_mem ;
            wire [SETS*WORD_W-1:0] f_words = \u_entries.f_mem ;
`endif
        end
    endgenerate

    // ---- one word of the row read last
    mt_onehot_mux #(
        .N(WAYS),
        .W(TAG_W)
    ) u_sel_tag (
        .sel  (sel),
        .words(held_tags),
        .word (sel_tag)
    );

`ifdef FORMAL
`include "hir_ways_contract.vh"
`endif
endmodule

`default_nettype wire
