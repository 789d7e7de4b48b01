// SPDX-License-Identifier: Apache-2.0
// The entries of hir, in one RAM a way, and the lookup of a hit among them.
// A row (a set) is read in one cycle; in the next, a hit is looked up in what came, and what has changed is written. A read in the cycle of
// a write of the same row does not show it: what was written last is kept beside the RAMs and put in its place.
// Ways are filled from the lowest on and freed all at once, so the valid ones of a row are always the lowest. Their bits are in the RAMs; a
// flip-flop a row says whether they mean anything. The first hit of a row writes them all.
`default_nettype none

module hir_ways #(
    parameter SETS = 128,
    parameter WAYS = 8,
    // bits of a tag
    parameter TAG_W = 41,
    parameter PAGES = 16,
    parameter COUNT_W = 2,
    // bits of a row's number, of a page's, of a way's (given by hir)
    parameter ROW_W = 7,
    parameter PAGE_W = 4,
    parameter WAY_W = 3
) (
    input  wire                     clk,
    input  wire                     clear,       // all entries become free; not with `look`
    // read of a row
    input  wire                     re,
    input  wire [ROW_W-1:0]         rrow,
    // lookup in the row that was read in the cycle before
    input  wire                     look,
    input  wire [ROW_W-1:0]         row,
    input  wire [TAG_W-1:0]         tag,
    input  wire [PAGE_W-1:0]        page,
    output wire                     found,
    output wire                     full,        // no way is free
    output wire [WAY_W-1:0]         found_way,   // if found
    output wire [WAY_W-1:0]         free_way,    // if not full: the lowest free one
    // a word of the row that was read last
    input  wire [WAYS-1:0]          sel,         // one-hot: its way; 0 in a cycle with `look`
    output wire [TAG_W-1:0]         sel_tag,
    output wire [PAGES*COUNT_W-1:0] sel_counts
);
    localparam COUNTS_W = PAGES * COUNT_W;
    localparam WORD_W = 1 + TAG_W + COUNTS_W;  // valid, tag, counters
    localparam [SETS-1:0] ROW0 = 1;
    localparam [PAGES-1:0] PAGE0 = 1;
    localparam [WAYS-1:0] WAY0 = 1;

    // ---- rows whose valid bits count
    reg  [SETS-1:0] used;
    wire            row_used;
    wire [SETS-1:0] at = ROW0 << row;
    mt_onehot_mux #(
        .N(SETS),
        .W(1)
    ) u_used (
        .sel (at),
        .cols(used),
        .word(row_used)
    );
    always @(posedge clk)
        if (clear) used <= {SETS{1'b0}};
        else used <= used | (at & {SETS{look}});

    // ---- what was looked up in the cycle before, and is not in the words read
    reg                 last;         // there was such a lookup
    reg                 last_kept;    // and it has an entry
    reg  [ROW_W-1:0]    last_row;
    reg  [TAG_W-1:0]    last_tag;
    reg  [WAYS-1:0]     last_way;     // its entry
    reg  [WAYS-1:0]     last_valid;   // the valid ways of its row after it
    reg  [COUNTS_W-1:0] last_counts;  // the counters of its entry after it
    wire                same_row = last && last_row == row;
    wire                again = same_row && last_kept && last_tag == tag;
    wire [WAYS-1:0]     stale = last_way & {WAYS{same_row}};

    // ---- the words read. Bit b of way w is at b * WAYS + w: columns, as mt_onehot_mux has them.
    wire [WAYS-1:0]          held_valid, equal;
    wire [WAYS*TAG_W-1:0]    tag_cols;
    wire [WAYS*COUNTS_W-1:0] counts_cols;

    // ---- lookup, as if the row were in use; whether it is comes last, since it is known last
    wire [WAYS-1:0]     valid = same_row ? last_valid : held_valid;
    wire [WAYS-1:0]     match = equal & valid & ~stale;  // in the RAMs
    wire [WAYS-1:0]     hit = match | (last_way & {WAYS{again}});
    wire                any_hit = (|match) || again;
    wire [WAYS-1:0]     lowest = ~valid & ((valid << 1) | WAY0);
    wire [WAYS-1:0]     chosen = !row_used ? WAY0 : any_hit ? hit : lowest;
    wire [COUNTS_W-1:0] counts_held, counts;
    wire [WAY_W-1:0]    lowest_way;
    assign found    = any_hit && row_used;
    assign full     = valid[WAYS-1] && row_used;
    assign free_way = lowest_way & {WAY_W{row_used}};

    mt_onehot_enc #(
        .N(WAYS),
        .W(WAY_W)
    ) u_found_way (
        .onehot(hit),
        .bin   (found_way)
    );
    mt_onehot_enc #(
        .N(WAYS),
        .W(WAY_W)
    ) u_free_way (
        .onehot(lowest),
        .bin   (lowest_way)
    );

    // The counters of the entry that was found; 0 if none was, as in a new one. Those of an entry that is sent come the same way.
    mt_onehot_mux #(
        .N(WAYS),
        .W(COUNTS_W)
    ) u_counts (
        .sel ((match & {WAYS{look}}) | sel),
        .cols(counts_cols),
        .word(counts_held)
    );
    assign sel_counts = counts_held;
    hir_bump #(
        .PAGES  (PAGES),
        .COUNT_W(COUNT_W)
    ) u_bump (
        .touched(PAGE0 << page),
        .counts ((counts_held & {COUNTS_W{row_used}}) | (last_counts & {COUNTS_W{again}})),
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
    genvar w, b;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : gen_way
            wire [TAG_W-1:0]    held_tag;
            wire [COUNTS_W-1:0] held_counts;
            wire                first_valid = row_used || w == 0;  // the first hit of a row leaves one way valid
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
                .rdata({held_valid[w], held_tag, held_counts})
            );
            assign equal[w] = held_tag == tag;
`ifdef FORMAL
            (* hierconn *) wire [SETS*WORD_W-1:0] \u_entries.gen_slice[0].u_slice.f_mem ;
            wire [SETS*WORD_W-1:0] f_words = \u_entries.gen_slice[0].u_slice.f_mem ;
`endif
            for (b = 0; b < TAG_W; b = b + 1) begin : gen_tag
                assign tag_cols[b*WAYS+w] = held_tag[b];
            end
            for (b = 0; b < COUNTS_W; b = b + 1) begin : gen_count
                assign counts_cols[b*WAYS+w] = held_counts[b];
            end
        end
    endgenerate

    // ---- a word of the row that was read last
    mt_onehot_mux #(
        .N(WAYS),
        .W(TAG_W)
    ) u_sel_tag (
        .sel (sel),
        .cols(tag_cols),
        .word(sel_tag)
    );

`ifdef FORMAL
`include "hir_ways_contract.vh"
`endif
endmodule

`default_nettype wire
