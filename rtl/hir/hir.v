// SPDX-License-Identifier: Apache-2.0
// hir: the hit information record cache. Cycle-by-cycle contract: docs/understand/hir.md; ports:
// rtl/hir/ports.md.
//   take   registers a hit, a late input, and reads its row
//   look   looks the hit up in the entries (hir_ways), and appends a new entry to the order (hir_order)
//   send   after a flush, reads and outputs the entries in that order
`default_nettype none
`include "mt_reset.vh"

module hir #(
    // number of sets, 1..1024, a power of two
    parameter SETS = 128,
    // number of entries per set, 1..16
    parameter WAYS = 8,
    // page-set number width, 4..48 bits, at least log2(SETS) + 1
    parameter SET_W = 48,
    // number of pages per page set, 2..32, a power of two
    parameter PAGES = 16,
    // counter width, 1..4 bits; PAGES * COUNT_W is at most 64
    parameter COUNT_W = 2,
    // width of the counter of lost hits, 1..16 bits
    parameter LOST_W = 16
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     hit_valid,  // late
    input  wire [SET_W-1:0]         hit_set,    // late
    input  wire [$clog2(PAGES)-1:0] hit_page,   // late
    output wire                     hit_ready,
    input  wire                     flush,  // late
    output wire                     busy,
    output wire                     out_valid,
    output wire [SET_W-1:0]         out_set,
    output wire [PAGES*COUNT_W-1:0] out_counts,
    output wire                     out_last,
    input  wire                     out_ready,  // late
    output reg  [LOST_W-1:0]        lost
);
    // clamped so that an illegal value reaches its ILLEGAL_ message
    localparam ROWS = (SETS < 1) ? 1 : SETS;
    localparam COLS = (WAYS < 1) ? 1 : WAYS;
    localparam BITS = (COUNT_W < 1) ? 1 : COUNT_W;
    localparam ROW_BITS = (SETS < 2) ? 0 : $clog2(SETS);
    localparam ROW_W = (ROW_BITS < 1) ? 1 : ROW_BITS;
    localparam TAG_W = (SET_W - ROW_BITS < 1) ? 1 : SET_W - ROW_BITS;
    localparam PAGE_W = $clog2(PAGES);
    localparam WAY_W = (WAYS < 2) ? 1 : $clog2(WAYS);
    localparam ENTRY_W = WAY_W + ROW_W;
    localparam ALL_W = $clog2(ROWS * COLS + 1);
    localparam [COLS-1:0] WAY0 = 1;
    localparam [LOST_W-1:0] ONE = 1;

    hir_legal #(
        .SETS   (SETS),
        .WAYS   (WAYS),
        .SET_W  (SET_W),
        .PAGES  (PAGES),
        .COUNT_W(COUNT_W),
        .LOST_W (LOST_W)
    ) u_legal ();

    // ---- take
    wire              take = hit_valid && hit_ready;
    wire [ROW_W-1:0]  hit_row, row;
    reg               look;
    reg  [SET_W-1:0]  set;
    reg  [PAGE_W-1:0] page;
    assign hit_ready = !busy;
    always @(posedge clk `MT_OR_RST)
        if (rst) look <= 1'b0;
        else look <= take;
    always @(posedge clk) begin
        set  <= hit_set;
        page <= hit_page;
    end
    generate
        if (ROW_BITS > 0) begin : gen_row
            assign hit_row = hit_set[ROW_BITS-1:0];
            assign row     = set[ROW_BITS-1:0];
        end else begin : gen_no_row
            assign hit_row = 1'b0;
            assign row     = 1'b0;
        end
    endgenerate

    // ---- look
    wire             found, full, done, send;
    wire [WAY_W-1:0] free_way, send_way;
    wire [ROW_W-1:0] send_row;
    wire [ALL_W-1:0] count;
    wire             miss = look && !found;
    reg  [COLS-1:0]  out_way;  // one-hot; 0 if nothing is sent
    reg  [ROW_W-1:0] out_row;
    wire [TAG_W-1:0] out_tag;
    reg              clear;    // delayed by a cycle, because a hit accepted in one cycle is looked up in the next
    always @(posedge clk `MT_OR_RST)
        if (rst) clear <= 1'b1;
        else clear <= done;

    hir_ways #(
        .SETS   (ROWS),
        .WAYS   (COLS),
        .TAG_W  (TAG_W),
        .PAGES  (PAGES),
        .COUNT_W(BITS),
        .ROW_W  (ROW_W),
        .PAGE_W (PAGE_W),
        .WAY_W  (WAY_W)
    ) u_ways (
        .clk       (clk),
        .clear     (clear),
        .re        (take || send),
        .rrow      (busy ? send_row : hit_row),
        .look      (look),
        .row       (row),
        .tag       (set[ROW_BITS+:TAG_W]),
        .page      (page),
        .found     (found),
        .full      (full),
        .free_way  (free_way),
        .sel       (out_way),
        .sel_tag   (out_tag),
        .sel_counts(out_counts)
    );
    wire [LOST_W-1:0] lost_more = &lost ? lost : lost + ONE;
    always @(posedge clk `MT_OR_RST)
        if (rst) lost <= {LOST_W{1'b0}};
        else if (done) lost <= {LOST_W{1'b0}};
        else if (miss && full) lost <= lost_more;

    // ---- send
    hir_order #(
        .ENTRIES(ROWS * COLS),
        .ENTRY_W(ENTRY_W)
    ) u_order (
        .clk        (clk),
        .rst        (rst),
        .enter      (miss && !full),
        .enter_entry({free_way, row}),
        .count      (count),
        .flush      (flush),
        .busy       (busy),
        .done       (done),
        .re         (send),
        .entry      ({send_way, send_row}),
        .out_valid  (out_valid),
        .out_last   (out_last),
        .out_ready  (out_ready)
    );
    always @(posedge clk) if (send) out_row <= send_row;
    always @(posedge clk `MT_OR_RST)
        if (rst) out_way <= {COLS{1'b0}};
        else if (done) out_way <= {COLS{1'b0}};
        else if (send) out_way <= WAY0 << send_way;
    generate
        if (ROW_BITS > 0) begin : gen_out_row
            assign out_set = {out_tag, out_row};
        end else begin : gen_no_out_row
            wire unused_row = &{1'b0, out_row};
            assign out_set = out_tag;
        end
    endgenerate

    wire unused_count = &{1'b0, count};

`ifdef FORMAL
`include "hir_contract.vh"
`endif
endmodule

`default_nettype wire
