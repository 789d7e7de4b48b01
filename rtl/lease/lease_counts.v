// SPDX-License-Identifier: Apache-2.0
// Stores the access counter and page bits of each entry. Pipeline stages:
//   sum  sums the lanes of each entry, and collects their pages
//   add  adds the sums to the entry
`default_nettype none
`include "mt_reset.vh"

module lease_counts #(
    // maximum number of accesses per cycle, 1..32
    parameter LANES = 1,
    // maximum number of blocks sampled per window, 1..32
    parameter ENTRIES = 16,
    // access counter width, 2..16 bits
    parameter COUNT_W = 10,
    // number of pages per block, 2..32, a power of two
    parameter PAGES = 16,
    // widths of a page number in its block and an entry number (set by lease)
    parameter PAGE_W = 4,
    parameter ENTRY_W = 4
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       clear,   // a window starts in the next cycle
    input  wire [LANES-1:0]           hit,     // the lane's access is counted in this entry
    input  wire [LANES*ENTRY_W-1:0]   entry,
    input  wire [LANES*PAGE_W-1:0]    page,
    // reads one entry
    input  wire [ENTRIES-1:0]         pick,    // one-hot
    output wire [COUNT_W-1:0]         count,
    output wire [PAGES-1:0]           mask
);
    localparam SUM_W = $clog2(LANES + 1);
    localparam WIDE_W = (SUM_W > COUNT_W ? SUM_W : COUNT_W) + 1;
    localparam [PAGES-1:0] PAGE0 = 1;

    wire [ENTRIES*COUNT_W-1:0] counts;
    wire [ENTRIES*PAGES-1:0]   pages;
    wire [LANES*PAGES-1:0]     lane_pages;  // page of each lane, one-hot
    mt_onehot_mux #(
        .N(ENTRIES),
        .W(COUNT_W)
    ) u_count (
        .sel  (pick),
        .words(counts),
        .word (count)
    );
    mt_onehot_mux #(
        .N(ENTRIES),
        .W(PAGES)
    ) u_mask (
        .sel  (pick),
        .words(pages),
        .word (mask)
    );

    genvar e, l;
    generate
        for (l = 0; l < LANES; l = l + 1) begin : gen_lane
            assign lane_pages[l*PAGES+:PAGES] = PAGE0 << page[l*PAGE_W+:PAGE_W];
        end
        for (e = 0; e < ENTRIES; e = e + 1) begin : gen_entry
            localparam [ENTRY_W-1:0] THIS = e;
            wire [LANES-1:0] lane_hits;
            for (l = 0; l < LANES; l = l + 1) begin : gen_lane_hit
                assign lane_hits[l] = hit[l] && entry[l*ENTRY_W+:ENTRY_W] == THIS;
            end

            // ---- sum
            wire [SUM_W-1:0] sum;
            wire [PAGES-1:0] marks;
            reg  [SUM_W-1:0] sum_r;
            reg  [PAGES-1:0] marks_r;
            mt_sum_bits #(
                .N      (LANES),
                .W      (SUM_W),
                .WEIGHTS({LANES{{{SUM_W - 1{1'b0}}, 1'b1}}})
            ) u_sum (
                .bits(lane_hits),
                .sum (sum)
            );
            mt_onehot_mux #(
                .N(LANES),
                .W(PAGES)
            ) u_marks (
                .sel  (lane_hits),
                .words(lane_pages),
                .word (marks)
            );
            always @(posedge clk `MT_OR_RST)
                if (rst) begin
                    sum_r   <= {SUM_W{1'b0}};
                    marks_r <= {PAGES{1'b0}};
                end else begin
                    sum_r   <= sum;
                    marks_r <= marks;
                end

            // ---- add
            reg  [COUNT_W-1:0] count_r;
            reg  [PAGES-1:0]   pages_r;
            wire [WIDE_W-1:0]  wide = {{WIDE_W - COUNT_W{1'b0}}, count_r} + {{WIDE_W - SUM_W{1'b0}}, sum_r};
            wire               overflow = |wide[WIDE_W-1:COUNT_W];
            always @(posedge clk `MT_OR_RST)
                if (rst) begin
                    count_r <= {COUNT_W{1'b0}};
                    pages_r <= {PAGES{1'b0}};
                end else if (clear) begin
                    count_r <= {COUNT_W{1'b0}};
                    pages_r <= {PAGES{1'b0}};
                end else begin
                    count_r <= wide[COUNT_W-1:0] | {COUNT_W{overflow}};
                    pages_r <= pages_r | marks_r;
                end
            assign counts[e*COUNT_W+:COUNT_W] = count_r;
            assign pages[e*PAGES+:PAGES]      = pages_r;
        end
    endgenerate

`ifdef FORMAL
`include "lease_counts_contract.vh"
`endif
endmodule

`default_nettype wire
