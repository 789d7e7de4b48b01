// SPDX-License-Identifier: Apache-2.0
// bank_queues: sorts requests into FIFO queues by DRAM bank and drains the queues round robin. Cycle-by-cycle contract:
// docs/understand/incoming.md; ports: rtl/bank_queues/ports.md.
// Each queue has its own register file, which is read at the queue's head, so that all heads are available before the
// round robin has chosen a queue.
`default_nettype none
`include "mt_reset.vh"
`include "incoming_defs.vh"

module bank_queues #(
    // width of a line number within the channel, 1..48 bits
    parameter ADDR_W = 21,
    // request ID width, 1..32 bits
    parameter ID_W = 24,
    // number of entries per queue, 1..1024
    parameter DEPTH = 16,
    // number of DRAM banks, 2..64, a power of two
    parameter BANKS = 16,
    // mask of the line number bits that select the bank: log2(BANKS) ones
    parameter BANK_MASK = 450,
    // number of queues, 2..BANKS, a power of two; a request enters queue (bank mod QUEUES)
    parameter QUEUES = 16,
    // 1: the output is stable until it is accepted; 0: the round robin advances every cycle
    parameter HOLD = 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              fill_valid,
    input  wire [ADDR_W-1:0] fill_addr,
    input  wire [ID_W-1:0]   fill_id,
    output wire              fill_ready,
    output wire [1:0]        fill_refuse,
    output wire              drain_valid,
    output wire [ADDR_W-1:0] drain_addr,
    output wire [ID_W-1:0]   drain_id,
    output wire [2:0]        drain_why,
    input  wire              drain_ready
);
    localparam PTR_W = (DEPTH < 2) ? 1 : $clog2(DEPTH);
    localparam QUEUE_W = (QUEUES < 2) ? 1 : $clog2(QUEUES);
    localparam [QUEUES-1:0] QUEUE0 = 1;

    // Returns the lowest QUEUE_W bits of the mask, which select the queue.
    function [47:0] queue_mask(input integer mask);
        integer i, n;
        begin
            queue_mask = 48'b0;
            n          = 0;
            for (i = 0; i < 31; i = i + 1)
                if (((mask >> i) & 1) != 0 && n < QUEUE_W) begin
                    queue_mask[i] = 1'b1;
                    n             = n + 1;
                end
        end
    endfunction
    localparam [47:0] QUEUE_MASK = queue_mask(BANK_MASK);

    // A queue entry stores the address bits that the queue number does not imply, but at least one bit.
    localparam REST_W = (ADDR_W > QUEUE_W) ? ADDR_W - QUEUE_W : ADDR_W;
    localparam [47:0] REST_MASK = (ADDR_W > QUEUE_W) ? ~QUEUE_MASK : ~48'b0;
    localparam WORD_W = REST_W + ID_W;

    // Illegal parameters instantiate a missing module, which stops elaboration. incoming_legal and bank_legal check the
    // other parameters.
    generate
        if (DEPTH < 1 || DEPTH > 1024) begin : gen_bad_depth
            ILLEGAL_DEPTH_must_be_1_to_1024 u_illegal ();
        end
        if (QUEUES < 2 || (QUEUES > BANKS && BANKS >= 2)) begin : gen_bad_queues
            ILLEGAL_QUEUES_must_be_2_to_BANKS u_illegal ();
        end else if (QUEUES != (1 << QUEUE_W)) begin : gen_odd_queues
            ILLEGAL_QUEUES_must_be_a_power_of_two u_illegal ();
        end
    endgenerate

    incoming_legal #(
        .ADDR_W(ADDR_W),
        .ID_W  (ID_W)
    ) u_legal ();
    bank_legal #(
        .ADDR_W   (ADDR_W),
        .BANKS    (BANKS),
        .BANK_MASK(BANK_MASK),
        .HOLD     (HOLD)
    ) u_bank_legal ();

    // ---- fill
    wire [QUEUE_W-1:0] fill_queue;
    wire [REST_W-1:0]  fill_rest;
    wire [QUEUES-1:0]  full;
    wire [QUEUES-1:0]  at_fill = QUEUE0 << fill_queue;
    wire               enter = fill_valid && fill_ready;
    wire [QUEUES-1:0]  push = at_fill & {QUEUES{enter}};

    addr_extract #(
        .ADDR_W(ADDR_W),
        .MASK  (QUEUE_MASK),
        .W     (QUEUE_W)
    ) u_fill_queue (
        .addr(fill_addr),
        .bits(fill_queue)
    );
    addr_extract #(
        .ADDR_W(ADDR_W),
        .MASK  (REST_MASK),
        .W     (REST_W)
    ) u_fill_rest (
        .addr(fill_addr),
        .bits(fill_rest)
    );
    assign fill_ready  = !(|(at_fill & full));
    assign fill_refuse = fill_ready ? `INCOMING_REFUSE_NONE : `INCOMING_REFUSE_FULL;

    // ---- drain
    wire [QUEUES-1:0]  used, last, sel, from;
    wire               unused_last = &{1'b0, last};
    wire               leave = drain_valid && drain_ready;
    wire [QUEUES-1:0]  pop = sel & {QUEUES{leave}};
    wire               held;
    reg  [QUEUES-1:0]  start;

    mt_cyclic_first #(
        .N(QUEUES)
    ) u_sel (
        .in   (used),
        .start(start),
        .first(sel),
        .any  (drain_valid),
        .from (from)
    );
    generate
        if (HOLD != 0) begin : gen_hold
            reg held_r;
            // While the output is held, the round robin starts at the chosen queue, and so chooses it again.
            always @(posedge clk `MT_OR_RST) begin
                if (rst) begin
                    start  <= {QUEUES{1'b0}};
                    held_r <= 1'b0;
                end else begin
                    if (drain_valid) start <= drain_ready ? from << 1 : from;
                    held_r <= drain_valid && !drain_ready;
                end
            end
            assign held = held_r;
        end else begin : gen_no_hold
            always @(posedge clk `MT_OR_RST) begin
                if (rst) start <= {QUEUES{1'b0}};
                else if (drain_valid) start <= from << 1;
            end
            assign held = 1'b0;
        end
    endgenerate
    assign drain_why = held ? `INCOMING_WHY_HELD : `INCOMING_WHY_NEXT;

    // ---- queues. The word at the head of queue q is head_words[q*WORD_W +: WORD_W].
    wire [QUEUES*WORD_W-1:0] head_words;
    genvar                   q;
    generate
        for (q = 0; q < QUEUES; q = q + 1) begin : gen_queue
            wire [PTR_W-1:0] head, tail;

            mt_fifo_ptr #(
                .DEPTH(DEPTH),
                .PTR_W(PTR_W)
            ) u_ptr (
                .clk (clk),
                .rst (rst),
                .push(push[q]),
                .pop (pop[q]),
                .head(head),
                .tail(tail),
                .used(used[q]),
                .last(last[q]),
                .full(full[q])
            );
            mt_regfile_1r1w #(
                .WIDTH (WORD_W),
                .DEPTH (DEPTH),
                .ADDR_W(PTR_W)
            ) u_places (
                .clk  (clk),
                .we   (push[q]),
                .waddr(tail),
                .wdata({fill_rest, fill_id}),
                .raddr(head),
                .rdata(head_words[q*WORD_W+:WORD_W])
            );
        end
    endgenerate

    wire [REST_W-1:0]  drain_rest;
    wire [QUEUE_W-1:0] drain_queue;
    wire [ADDR_W-1:0]  addr_rest, addr_queue;

    mt_onehot_mux #(
        .N(QUEUES),
        .W(WORD_W)
    ) u_word (
        .sel  (sel),
        .words(head_words),
        .word ({drain_rest, drain_id})
    );
    mt_onehot_enc #(
        .N(QUEUES),
        .W(QUEUE_W)
    ) u_drain_queue (
        .onehot(sel),
        .bin   (drain_queue)
    );
    addr_insert #(
        .ADDR_W(ADDR_W),
        .MASK  (REST_MASK),
        .W     (REST_W)
    ) u_addr_rest (
        .bits(drain_rest),
        .addr(addr_rest)
    );
    addr_insert #(
        .ADDR_W(ADDR_W),
        .MASK  (QUEUE_MASK),
        .W     (QUEUE_W)
    ) u_addr_queue (
        .bits(drain_queue),
        .addr(addr_queue)
    );
    assign drain_addr = addr_rest | addr_queue;
endmodule

`default_nettype wire
