// SPDX-License-Identifier: Apache-2.0
// Counts the free sets (the paper's nFreeSet) and names the lowest free set of each pool: sets 0 to RESERVED_HEADS-1,
// which can only be heads, and the shared sets. The free set is chosen from registers, in parallel with the address
// match. The counts show whether a free set exists.
`default_nettype none
`include "mt_reset.vh"

module dau_free #(
    // number of slot sets, 2..256
    parameter SETS = 128,
    // sets 0..RESERVED_HEADS-1 can only be heads
    parameter RESERVED_HEADS = 64,
    // 1: a set is freed when its last request leaves; 0: all sets of a super-entry are freed together
    parameter EARLY_FREE = 0,
    // widths of a set number and a free count (set by the block)
    parameter SET_W = 7,
    parameter CNT_W = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [SETS-1:0]  is_free,
    // the lowest free set of each pool
    output wire [SETS-1:0]  pick,        // one bit per pool
    output wire             any_head,    // a reserved set is free
    output wire             any_shared,  // a shared set is free
    output wire [SET_W-1:0] id_head,
    output wire [SET_W-1:0] id_shared,
    // allocation, at the edge
    input  wire             take_reserved,
    input  wire             take_shared,
    // release
    input  wire [SET_W-1:0] cur,         // the set under drain
    input  wire             set_done,    // the last slot of `cur` leaves
    input  wire             all_done     // the last slot of the super-entry leaves
);
    localparam [SETS-1:0] SET0 = 1;
    localparam [SETS-1:0] SHARED = {SETS{1'b1}} << RESERVED_HEADS;
    localparam NOT_RESERVED = SETS - RESERVED_HEADS;

    // ---- choice of a free set
    wire                    found_head, found_shared;
    wire                    unused_found = &{1'b0, found_head, found_shared};
    wire [NOT_RESERVED-1:0] pick_shared;

    mt_first_id #(
        .N   (NOT_RESERVED),
        .BASE(RESERVED_HEADS),
        .W   (SET_W)
    ) u_pick_shared (
        .in   (is_free[SETS-1:RESERVED_HEADS]),
        .first(pick_shared),
        .any  (found_shared),
        .id   (id_shared)
    );
    generate
        if (RESERVED_HEADS > 0) begin : gen_reserved
            wire [RESERVED_HEADS-1:0] pick_head;
            mt_first_id #(
                .N(RESERVED_HEADS),
                .W(SET_W)
            ) u_pick_head (
                .in   (is_free[RESERVED_HEADS-1:0]),
                .first(pick_head),
                .any  (found_head),
                .id   (id_head)
            );
            assign pick = {pick_shared, pick_head};
        end else begin : gen_no_reserved
            assign found_head = 1'b0;
            assign id_head    = {SET_W{1'b0}};
            assign pick       = pick_shared;
        end
    endgenerate

    // ---- free counts. There are two for shared sets: `due` also counts sets that are drained but not yet free.
    wire             cur_shared = |(SHARED & (SET0 << cur));
    wire             freed_head;  // a reserved set is freed, which can only be the head
    wire [CNT_W-1:0] due, free_shared;
    wire [CNT_W-1:0] unused_heads;
    wire             any_due;

    mt_late_count #(
        .W  (CNT_W),
        .MAX(RESERVED_HEADS)
    ) u_heads (
        .clk  (clk),
        .rst  (rst),
        .up   (freed_head),
        .down (take_reserved),
        .count(unused_heads),
        .any  (any_head)
    );
    mt_late_count #(
        .W  (CNT_W),
        .MAX(NOT_RESERVED)
    ) u_due (
        .clk  (clk),
        .rst  (rst),
        .up   (set_done && cur_shared),
        .down (take_shared),
        .count(due),
        .any  (any_due)
    );

    generate
        if (EARLY_FREE != 0) begin : gen_early
            wire unused = &{1'b0, all_done, free_shared};
            assign freed_head  = set_done && !cur_shared;
            assign free_shared = due;
            assign any_shared  = any_due;
        end else begin : gen_together
            reg              head_drained;  // the head is drained but not yet free
            reg              all_done_r, take_shared_r;
            reg  [CNT_W-1:0] free_shared_r;
            assign freed_head  = all_done && (head_drained || !cur_shared);
            assign free_shared = all_done_r ? due : free_shared_r - {{(CNT_W - 1) {1'b0}}, take_shared_r};
            assign any_shared  = all_done_r ? any_due
                : |free_shared_r[CNT_W-1:1] || (free_shared_r[0] && !take_shared_r);
            always @(posedge clk `MT_OR_RST) begin
                if (rst) begin
                    head_drained <= 1'b0;
                    all_done_r   <= 1'b1;
                end else begin
                    if (set_done) head_drained <= !all_done && (head_drained || !cur_shared);
                    all_done_r <= all_done;
                end
            end
            always @(posedge clk) begin
                take_shared_r <= take_shared;
                free_shared_r <= free_shared;
            end
        end
    endgenerate

`ifdef FORMAL
`include "dau_free_contract.vh"
`endif
endmodule

`default_nettype wire
