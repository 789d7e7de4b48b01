// SPDX-License-Identifier: Apache-2.0
// Port assertions of bank_queues: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/bank_queues.rules.
module bank_queues_checks #(
    // bits of a line number within the channel, 1..48
    parameter ADDR_W = 21,
    // bits of a request ID, 1..32
    parameter ID_W = 24,
    // places of a queue, 1..1024
    parameter DEPTH = 16,
    // queues, 2..BANKS, a power of two: a request goes to queue (bank mod QUEUES)
    parameter QUEUES = 16,
    // 1: what was offered stays on offer until it is taken; 0: the round robin goes on; 0, 1
    parameter HOLD = 1
) (
    input  logic clk,
    input  logic rst,
    input  logic fill_valid,
    input  logic [ADDR_W-1:0] fill_addr,
    input  logic [ID_W-1:0] fill_id,
    input  logic fill_ready,
    input  logic [1:0] fill_refuse,
    input  logic drain_valid,
    input  logic [ADDR_W-1:0] drain_addr,
    input  logic [ID_W-1:0] drain_id,
    input  logic [2:0] drain_why,
    input  logic drain_ready
);
    // From the first reset on, but in cycles of reset.
    logic seen_reset = 1'b0;
    always @(posedge clk) if (rst) seen_reset <= 1'b1;
    wire on = seen_reset && !rst;

    localparam PLACES = DEPTH * QUEUES;
    localparam HOLDS = HOLD;
    // What the ports have shown so far: how many requests are inside.
    localparam COUNT_W = $clog2(PLACES + 2);
    logic [COUNT_W-1:0] inside_count;
    wire                entered = fill_valid && fill_ready;
    wire                left = drain_valid && drain_ready;
    always_ff @(posedge clk) begin
        inside_count <= inside_count + COUNT_W'(entered) - COUNT_W'(left);
        if (rst) inside_count <= '0;
    end

    // The line that enters an empty block is watched until it is empty again: its requests, and one of them from its entry to its drain.
    logic               watch, watch_one;
    logic [ADDR_W-1:0]  watch_addr;
    logic [ID_W-1:0]    watch_id;
    logic [COUNT_W-1:0] watch_count, watch_before;
    wire                watch_starts = entered && inside_count == '0;
    wire                watch_enters = watch_starts || (entered && watch && fill_addr == watch_addr);
    wire                watch_leaves = left && watch && drain_addr == watch_addr;
    wire                watch_now = drain_valid && watch && drain_addr == watch_addr;
    always_ff @(posedge clk) begin
        if (watch_starts) begin
            watch       <= 1'b1;
            watch_addr  <= fill_addr;
            watch_count <= COUNT_W'(1);
        end else begin
            watch_count <= watch_count + COUNT_W'(watch_enters) - COUNT_W'(watch_leaves);
        end
        if (watch_one && watch_leaves) begin
            watch_before <= watch_before - 1'b1;
            if (watch_before == '0) watch_one <= 1'b0;
        end
        if (watch_enters && (!watch_one || watch_starts)) begin
            watch_one    <= 1'b1;
            watch_id     <= fill_id;
            watch_before <= watch_starts ? '0 : watch_count - COUNT_W'(watch_leaves);
        end
        if (rst) begin
            watch     <= 1'b0;
            watch_one <= 1'b0;
        end
    end

    logic                   held;  // the offer of the cycle before was not taken
    logic [ADDR_W+ID_W-1:0] held_word;
    always_ff @(posedge clk) begin
        held      <= HOLDS != 0 && drain_valid && !drain_ready && !rst;
        held_word <= {drain_addr, drain_id};
    end


    // ---- what the user owes the block
    owed_known_fill_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(fill_valid)))
        else $error("bank_queues: owed_known_fill_valid: fill_valid is known in every cycle");
    owed_known_fill_addr:
        assert property (@(posedge clk) on && (fill_valid) |-> (!$isunknown(fill_addr)))
        else $error("bank_queues: owed_known_fill_addr: fill_addr is known where it means something");
    owed_known_fill_id:
        assert property (@(posedge clk) on && (fill_valid) |-> (!$isunknown(fill_id)))
        else $error("bank_queues: owed_known_fill_id: fill_id is known where it means something");
    owed_known_drain_ready:
        assert property (@(posedge clk) on && (drain_valid) |-> (!$isunknown(drain_ready)))
        else $error("bank_queues: owed_known_drain_ready: drain_ready is known where it means something");

    // ---- what the block keeps
    check_known_fill_ready:
        assert property (@(posedge clk) on && (fill_valid) |-> (!$isunknown(fill_ready)))
        else $error("bank_queues: check_known_fill_ready: fill_ready is known where it means something");
    check_known_fill_refuse:
        assert property (@(posedge clk) on && (fill_valid) |-> (!$isunknown(fill_refuse)))
        else $error("bank_queues: check_known_fill_refuse: fill_refuse is known where it means something");
    check_known_drain_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(drain_valid)))
        else $error("bank_queues: check_known_drain_valid: drain_valid is known");
    check_known_drain_addr:
        assert property (@(posedge clk) on && (drain_valid) |-> (!$isunknown(drain_addr)))
        else $error("bank_queues: check_known_drain_addr: drain_addr is known where it means something");
    check_known_drain_id:
        assert property (@(posedge clk) on && (drain_valid) |-> (!$isunknown(drain_id)))
        else $error("bank_queues: check_known_drain_id: drain_id is known where it means something");
    check_known_drain_why:
        assert property (@(posedge clk) on && (drain_valid) |-> (!$isunknown(drain_why)))
        else $error("bank_queues: check_known_drain_why: drain_why is known where it means something");
    check_answer:
        assert property (@(posedge clk) on && (fill_valid) |-> (fill_ready == (fill_refuse == 2'd0)))
        else $error("bank_queues: check_answer: a request is taken, or refused for a reason");
    check_enters_empty:
        assert property (@(posedge clk) on && (fill_valid && inside_count == '0) |-> (fill_ready))
        else $error("bank_queues: check_enters_empty: an empty block refuses nothing");
    check_places:
        assert property (@(posedge clk) on |-> (inside_count <= COUNT_W'(PLACES)))
        else $error("bank_queues: check_places: there are no more requests inside than places");
    check_offers:
        assert property (@(posedge clk) on |-> (drain_valid == (inside_count != '0)))
        else $error("bank_queues: check_offers: something is offered whenever something is inside");
    check_offer_inside:
        assert property (@(posedge clk) on && (watch_now) |-> (watch_count != '0))
        else $error("bank_queues: check_offer_inside: what is offered has entered, and has not left");
    check_line_order:
        assert property (@(posedge clk) on && (watch_now && watch_one && watch_before == '0) |-> (drain_id === watch_id))
        else $error("bank_queues: check_line_order: requests for one line leave as they came, in their order");
    check_offer_stays:
        assert property (@(posedge clk) on && (held) |-> (drain_valid && {drain_addr, drain_id} === held_word))
        else $error("bank_queues: check_offer_stays: an offer stays until it is taken");
    check_full:
        assert property (@(posedge clk) on && (fill_valid && inside_count < COUNT_W'(DEPTH)) |-> (fill_ready))
        else $error("bank_queues: check_full: a queue takes DEPTH requests");
    check_refuse_codes:
        assert property (@(posedge clk) on && (fill_valid) |-> (fill_refuse <= 2'd1))
        else $error("bank_queues: check_refuse_codes: 1 is the only reason");
    check_why:
        assert property (@(posedge clk) on && (drain_valid) |-> (drain_why == (held ? 3'd1 : 3'd0)))
        else $error("bank_queues: check_why: held, or next");
endmodule
