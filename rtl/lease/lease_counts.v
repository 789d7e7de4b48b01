// SPDX-License-Identifier: Apache-2.0
// The entries' counters and pages. A stage a cycle:
//   sum  the lanes of each entry, and their pages
//   add  to the entry
`default_nettype none
`include "mt_reset.vh"

module lease_counts #(
    parameter LANES = 1,
    parameter ENTRIES = 16,
    parameter COUNT_W = 10,
    parameter PAGES = 16,
    // bits of a page's number in its block, of an entry's (given by lease)
    parameter PAGE_W = 4,
    parameter ENTRY_W = 4
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       clear,   // a window begins with the next cycle
    input  wire [LANES-1:0]           hit,     // the lane is counted, in
    input  wire [LANES*ENTRY_W-1:0]   entry,
    input  wire [LANES*PAGE_W-1:0]    page,
    output wire [ENTRIES*COUNT_W-1:0] counts,
    output wire [ENTRIES*PAGES-1:0]   pages,
    // one entry
    input  wire [ENTRIES-1:0]         pick,    // one-hot
    output wire [COUNT_W-1:0]         count,
    output wire [PAGES-1:0]           mask
);
    localparam SUM_W = $clog2(LANES + 1);
    localparam WIDE_W = (SUM_W > COUNT_W ? SUM_W : COUNT_W) + 1;
    localparam [PAGES-1:0] PAGE0 = 1;

    wire [LANES*PAGES-1:0]     page_cols;
    wire [ENTRIES*COUNT_W-1:0] count_cols;
    wire [ENTRIES*PAGES-1:0]   mask_cols;
    mt_onehot_mux #(
        .N(ENTRIES),
        .W(COUNT_W)
    ) u_count (
        .sel (pick),
        .cols(count_cols),
        .word(count)
    );
    mt_onehot_mux #(
        .N(ENTRIES),
        .W(PAGES)
    ) u_mask (
        .sel (pick),
        .cols(mask_cols),
        .word(mask)
    );

`ifdef FORMAL
`include "lease_counts_contract.vh"
`endif

    genvar e, l, b;
    generate
        for (l = 0; l < LANES; l = l + 1) begin : gen_lane
            wire [PAGES-1:0] at = PAGE0 << page[l*PAGE_W+:PAGE_W];
            for (b = 0; b < PAGES; b = b + 1) begin : gen_page
                assign page_cols[b*LANES+l] = at[b];
            end
        end
        for (e = 0; e < ENTRIES; e = e + 1) begin : gen_entry
            localparam [ENTRY_W-1:0] THIS = e;
            wire [LANES-1:0] here;
            for (l = 0; l < LANES; l = l + 1) begin : gen_here
                assign here[l] = hit[l] && entry[l*ENTRY_W+:ENTRY_W] == THIS;
            end

            // ---- sum
            wire [SUM_W-1:0] sum;
            wire [PAGES-1:0] marks;
            reg  [SUM_W-1:0] more;
            reg  [PAGES-1:0] more_pages;
            mt_sum_bits #(
                .N      (LANES),
                .W      (SUM_W),
                .WEIGHTS({LANES{{{SUM_W - 1{1'b0}}, 1'b1}}})
            ) u_sum (
                .bits(here),
                .sum (sum)
            );
            mt_onehot_mux #(
                .N(LANES),
                .W(PAGES)
            ) u_marks (
                .sel (here),
                .cols(page_cols),
                .word(marks)
            );
            always @(posedge clk `MT_OR_RST)
                if (rst) begin
                    more       <= {SUM_W{1'b0}};
                    more_pages <= {PAGES{1'b0}};
                end else begin
                    more       <= sum;
                    more_pages <= marks;
                end

            // ---- add
            reg  [COUNT_W-1:0] count_r;
            reg  [PAGES-1:0]   pages_r;
            wire [WIDE_W-1:0]  wide = {{WIDE_W - COUNT_W{1'b0}}, count_r} + {{WIDE_W - SUM_W{1'b0}}, more};
            wire               over = |wide[WIDE_W-1:COUNT_W];
            always @(posedge clk `MT_OR_RST)
                if (rst) begin
                    count_r <= {COUNT_W{1'b0}};
                    pages_r <= {PAGES{1'b0}};
                end else if (clear) begin
                    count_r <= {COUNT_W{1'b0}};
                    pages_r <= {PAGES{1'b0}};
                end else begin
                    count_r <= wide[COUNT_W-1:0] | {COUNT_W{over}};
                    pages_r <= pages_r | more_pages;
                end
`ifdef FORMAL
            assign f_mores[e*SUM_W+:SUM_W] = more;
            assign f_marks[e*PAGES+:PAGES] = more_pages;
`endif
            assign counts[e*COUNT_W+:COUNT_W] = count_r;
            assign pages[e*PAGES+:PAGES]      = pages_r;
            for (b = 0; b < COUNT_W; b = b + 1) begin : gen_count
                assign count_cols[b*ENTRIES+e] = count_r[b];
            end
            for (b = 0; b < PAGES; b = b + 1) begin : gen_mask
                assign mask_cols[b*ENTRIES+e] = pages_r[b];
            end
        end
    endgenerate
endmodule

`default_nettype wire
