// SPDX-License-Identifier: Apache-2.0
// Port assertions of hir: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/hir.rules.
module hir_checks #(
    // bits of a page-set number, 4..48, at least log2(SETS) + 1
    parameter SET_W = 48,
    // pages of a page set, 2..32, a power of two
    parameter PAGES = 16,
    // bits of a counter, 1..4; PAGES * COUNT_W at most 64
    parameter COUNT_W = 2,
    // bits of the counter of lost hits, 1..16
    parameter LOST_W = 16
) (
    input  logic clk,
    input  logic rst,
    input  logic hit_valid,
    input  logic [SET_W-1:0] hit_set,
    input  logic [$clog2(PAGES)-1:0] hit_page,
    input  logic hit_ready,
    input  logic flush,
    input  logic busy,
    input  logic out_valid,
    input  logic [SET_W-1:0] out_set,
    input  logic [(PAGES*COUNT_W)-1:0] out_counts,
    input  logic out_last,
    input  logic out_ready,
    input  logic [LOST_W-1:0] lost
);
    // From the first reset on, but in cycles of reset.
    logic seen_reset = 1'b0;
    always @(posedge clk) if (rst) seen_reset <= 1'b1;
    wire on = seen_reset && !rst;

    // What the ports have shown so far: whether a hit was taken since all was sent; the first of them, and how often its page was touched.
    localparam MAX = 2 ** COUNT_W - 1;
    localparam LOST_MAX = 2 ** LOST_W - 1;
    logic                     touched;
    logic [SET_W-1:0]         first_set;
    logic [$clog2(PAGES)-1:0] first_page;
    logic [COUNT_W-1:0]       first_count;
    logic                     first_out;  // the next entry that leaves is the first
    logic [4:1]               flushed;    // cycles since flush; 4: and something is sent
    logic                     reset_before, ended, stays, held;
    logic [SET_W+PAGES*COUNT_W:0] held_word;
    logic [LOST_W-1:0]        was_lost;
    wire                      take = hit_valid && hit_ready;
    wire                      sent = out_valid && out_ready;
    always_ff @(posedge clk) begin
        if (take && !touched) begin
            touched     <= 1'b1;
            first_set   <= hit_set;
            first_page  <= hit_page;
            first_count <= COUNT_W'(1);
        end else if (take && hit_set == first_set && hit_page == first_page && 32'(first_count) < MAX) begin
            first_count <= first_count + 1'b1;
        end
        if (flush && !busy) first_out <= 1'b1;
        if (sent) first_out <= 1'b0;
        if (sent && out_last) touched <= 1'b0;
        if (rst) touched <= 1'b0;

        flushed      <= rst ? '0 : {flushed[3] && busy, flushed[2:1], flush && !busy};
        reset_before <= rst;
        ended        <= sent && out_last && !rst;
        stays        <= out_valid && !(out_ready && out_last) && !rst;
        held         <= out_valid && !out_ready && !rst;
        held_word    <= {out_last, out_set, out_counts};
        was_lost     <= lost;
    end


    // ---- what the user owes the block
    owed_known_hit_set:
        assert property (@(posedge clk) on && (hit_valid) |-> (!$isunknown(hit_set)))
        else $error("hir: owed_known_hit_set: hit_set is known where it means something");
    owed_known_hit_page:
        assert property (@(posedge clk) on && (hit_valid) |-> (!$isunknown(hit_page)))
        else $error("hir: owed_known_hit_page: hit_page is known where it means something");
    owed_known_out_ready:
        assert property (@(posedge clk) on && (out_valid) |-> (!$isunknown(out_ready)))
        else $error("hir: owed_known_out_ready: out_ready is known where it means something");
    owed_known_hit_valid:
        assert property (@(posedge clk) on && (!busy) |-> (!$isunknown(hit_valid)))
        else $error("hir: owed_known_hit_valid: hit_valid is known while nothing is sent");
    owed_known_flush:
        assert property (@(posedge clk) on && (!busy) |-> (!$isunknown(flush)))
        else $error("hir: owed_known_flush: flush is known while nothing is sent");

    // ---- what the block keeps
    check_known_hit_ready:
        assert property (@(posedge clk) on |-> (!$isunknown(hit_ready)))
        else $error("hir: check_known_hit_ready: hit_ready is known");
    check_known_busy:
        assert property (@(posedge clk) on |-> (!$isunknown(busy)))
        else $error("hir: check_known_busy: busy is known");
    check_known_out_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(out_valid)))
        else $error("hir: check_known_out_valid: out_valid is known");
    check_known_out_set:
        assert property (@(posedge clk) on && (out_valid) |-> (!$isunknown(out_set)))
        else $error("hir: check_known_out_set: out_set is known where it means something");
    check_known_out_counts:
        assert property (@(posedge clk) on && (out_valid) |-> (!$isunknown(out_counts)))
        else $error("hir: check_known_out_counts: out_counts is known where it means something");
    check_known_out_last:
        assert property (@(posedge clk) on && (out_valid) |-> (!$isunknown(out_last)))
        else $error("hir: check_known_out_last: out_last is known where it means something");
    check_known_lost:
        assert property (@(posedge clk) on |-> (!$isunknown(lost)))
        else $error("hir: check_known_lost: lost is known");
    check_hit_ready:
        assert property (@(posedge clk) on |-> (hit_ready == !busy))
        else $error("hir: check_hit_ready: hits are taken while nothing is sent");
    check_starts:
        assert property (@(posedge clk) on && (reset_before) |-> (!busy && !out_valid && lost == '0))
        else $error("hir: check_starts: reset empties the block");
    check_busy_begins:
        assert property (@(posedge clk) on && (flushed[1] || flushed[2]) |-> (busy && !out_valid))
        else $error("hir: check_busy_begins: from the cycle behind flush on it is busy");
    check_busy_goes_on:
        assert property (@(posedge clk) on && (flushed[3]) |-> (busy == touched && !out_valid))
        else $error("hir: check_busy_goes_on: if nothing was touched it is over in two cycles");
    check_first_time:
        assert property (@(posedge clk) on && (flushed[4]) |-> (out_valid))
        else $error("hir: check_first_time: the first entry stands there in the fourth cycle behind flush");
    check_out_busy:
        assert property (@(posedge clk) on && (out_valid) |-> (busy))
        else $error("hir: check_out_busy: entries leave while it is busy");
    check_out_goes_on:
        assert property (@(posedge clk) on && (stays) |-> (out_valid))
        else $error("hir: check_out_goes_on: one entry a cycle up to the last");
    check_out_ends:
        assert property (@(posedge clk) on && (ended) |-> (!busy && !out_valid && lost == '0))
        else $error("hir: check_out_ends: behind the last entry all is free");
    check_out_stays:
        assert property (@(posedge clk) on && (held) |-> (out_valid && {out_last, out_set, out_counts} === held_word))
        else $error("hir: check_out_stays: an entry stays until it is taken");
    check_out_touched:
        assert property (@(posedge clk) on && (out_valid) |-> (out_counts != '0))
        else $error("hir: check_out_touched: an entry was touched");
    check_out_first:
        assert property (@(posedge clk) on && (out_valid && first_out) |-> (out_set === first_set && out_counts[first_page*COUNT_W+:COUNT_W] === first_count))
        else $error("hir: check_out_first: the page set touched first leaves first, with its count");
    check_lost:
        assert property (@(posedge clk) on && (!reset_before && !ended && !flushed[3]) |-> (lost == was_lost || (32'(lost) == 32'(was_lost) + 1 && 32'(was_lost) < LOST_MAX)))
        else $error("hir: check_lost: hits are lost one by one");
endmodule
