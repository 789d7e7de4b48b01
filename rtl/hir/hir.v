// SPDX-License-Identifier: Apache-2.0
// hir: the hit information record cache. The contract, cycle by cycle, is docs/understand/hir.md; the ports are cmodel/hir/hir_ports.h.
//   take   a hit, which comes late, is put into registers; its row is read
//   look   it is looked up among the entries (hir_ways); a new entry goes to the end of the order (hir_order)
//   send   after a flush the entries are read in that order, and shown
`default_nettype none
`include "mt_reset.vh"

module hir #(
    // sets, 1..1024, a power of two
    parameter SETS = 128,
    // entries of a set, 1..16
    parameter WAYS = 8,
    // bits of a page-set number, 4..48, at least log2(SETS) + 1
    parameter SET_W = 48,
    // pages of a page set, 2..32, a power of two
    parameter PAGES = 16,
    // bits of a counter, 1..4; PAGES * COUNT_W at most 64
    parameter COUNT_W = 2,
    // bits of the counter of lost hits, 1..16
    parameter LOST_W = 16,
    // 1: the st_ ports show the state, for verification; 0: they are 0, and what only they read is gone
    parameter OBSERVE = 1
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire                                     hit_valid,  // late
    input  wire [SET_W-1:0]                         hit_set,    // late
    input  wire [$clog2(PAGES)-1:0]                 hit_page,   // late
    output wire                                     hit_ready,
    input  wire                                     flush,      // late
    output wire                                     busy,
    output wire                                     out_valid,
    output wire [SET_W-1:0]                         out_set,
    output wire [PAGES*COUNT_W-1:0]                 out_counts,
    output wire                                     out_last,
    input  wire                                     out_ready,  // late
    output reg  [LOST_W-1:0]                        lost,
    output wire                                     st_look,
    output wire [(SETS < 2 ? 1 : $clog2(SETS))-1:0] st_row,
    output wire                                     st_found,
    output wire                                     st_lose,
    output wire [(WAYS < 2 ? 1 : $clog2(WAYS))-1:0] st_way,
    output wire [$clog2(SETS*WAYS+1)-1:0]           st_count
);
    // Not 0 where SETS, WAYS or COUNT_W is, TAG_W not below 1 where SET_W is too small, so that every tool comes as far as the reason.
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
        .LOST_W (LOST_W),
        .OBSERVE(OBSERVE)
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
    wire [WAY_W-1:0] found_way, free_way, send_way;
    wire [ROW_W-1:0] send_row;
    wire [ALL_W-1:0] count;
    wire             miss = look && !found;
    reg  [COLS-1:0]  out_way;  // one-hot; 0 while nothing is sent
    reg  [ROW_W-1:0] out_row;
    wire [TAG_W-1:0] out_tag;
    reg              clear;    // a cycle late: the hit that is taken in it is looked up in the next
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
        .found_way (found_way),
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

    // ---- observed state
    generate
        if (OBSERVE != 0) begin : gen_observe
            assign st_look  = look;
            assign st_row   = row;
            assign st_found = found;
            assign st_lose  = !found && full;
            assign st_way   = found ? found_way : free_way;
            assign st_count = count;
        end else begin : gen_no_observe
            wire unused_state = &{1'b0, found_way, count};
            assign st_look  = 1'b0;
            assign st_row   = {ROW_W{1'b0}};
            assign st_found = 1'b0;
            assign st_lose  = 1'b0;
            assign st_way   = {WAY_W{1'b0}};
            assign st_count = {ALL_W{1'b0}};
        end
    endgenerate

`ifdef FORMAL
`include "hir_contract.vh"
`endif
endmodule

`default_nettype wire
