// SPDX-License-Identifier: Apache-2.0
// Tracks the leaf queues of all branches: their numbers of requests, their head pointers, and the older queues with the
// same tag that each queue waits for. A vector over all queues has queue q of branch b at position b*ROWS*COLS + q.
//
// A length is a thermometer code with one bit per entry, so that empty, full and "longer" are single bits.
`default_nettype none
`include "mt_reset.vh"

module cart_queues #(
    // number of branches
    parameter BANKS = 16,
    // number of row groups per branch
    parameter ROWS = 4,
    // number of leaf queues per row group
    parameter COLS = 2,
    // number of entries per queue
    parameter DEPTH = 2,
    // entry number width
    parameter PLACE_W = 1
) (
    input  wire                               clk,
    input  wire                               rst,
    // state of branch at_fill (one-hot), for the fill
    input  wire [BANKS-1:0]                   at_fill,
    output wire [ROWS*COLS-1:0]               fill_used,
    output wire [ROWS*COLS-1:0]               fill_full,
    output wire [ROWS*COLS-1:0]               fill_young,   // nonempty queues for which there is no younger queue with
                                                            // the same tag
    // a request enters at the edge: its branch (0 if there is no request) and its queue (0 if it is refused)
    input  wire [BANKS-1:0]                   enter,
    input  wire [ROWS*COLS-1:0]               enter_queue,
    input  wire                               take,         // the queue was empty
    input  wire [ROWS*COLS-1:0]               same_tag,     // if the queue was empty: the queues with the request's row
                                                            // and column
    output wire [DEPTH*ROWS*COLS-1:0]         enter_part,   // one-hot: entry * N + queue; 0 if no request enters
    // a request leaves at the edge: its branch (0 if none leaves) and its queue
    input  wire [BANKS-1:0]                   leave,
    input  wire [ROWS*COLS-1:0]               leave_queue,
    // all queues
    output wire [BANKS*ROWS*COLS*DEPTH-1:0]   lengths,      // DEPTH bits per queue
    output wire [BANKS*ROWS*COLS-1:0]         eligible,
    output wire [BANKS*ROWS*COLS*PLACE_W-1:0] heads,        // PLACE_W bits per queue
    output wire [BANKS*ROWS*COLS*PLACE_W-1:0] heads_next    // heads in the next cycle, unless there is a reset
);
    localparam N = ROWS * COLS;
    localparam [COLS-1:0] COL0 = 1;

    wire [BANKS*N-1:0] young;
    wire [BANKS*N-1:0] closes;  // the queue gets empty unless a request enters it at the same edge
    genvar             b, q, i;
    generate
        for (b = 0; b < BANKS; b = b + 1) begin : gen_branch
            for (q = 0; q < N; q = q + 1) begin : gen_queue
                localparam AT = b * N + q;
                localparam GROUP = q / COLS * COLS;  // first queue of the group
                localparam COL = q % COLS;
                reg  [DEPTH-1:0] length;
                reg  [COLS-1:0]  older;    // queues of the group that this queue waits for
                wire [COLS-1:0]  younger;  // queues of the group that wait for this queue
                wire [DEPTH-1:0] longer;   // length if no request leaves
                wire             enters = enter[b] && enter_queue[q];
                wire             leaves = leave[b] && leave_queue[q];

                always @(posedge clk `MT_OR_RST)
                    if (rst) begin
                        length <= {DEPTH{1'b0}};
                        older  <= {COLS{1'b0}};
                    end else begin
                        length <= longer & ({DEPTH{!leaves}} | (longer >> 1));
                        older  <= (enters && take ? same_tag[GROUP+:COLS] : older) & ~closes[b*N+GROUP+:COLS]
                            & ~(COL0 << COL);
                    end

                if (DEPTH > 1) begin : gen_head
                    // A head counts from 0 to DEPTH-1, so it is DEPTH-1 if all bits that are 1 in DEPTH-1 are 1 in it.
                    localparam integer LAST_NUMBER = DEPTH - 1;
                    localparam [PLACE_W-1:0] LAST = LAST_NUMBER[PLACE_W-1:0];
                    localparam [PLACE_W-1:0] ONE = 1;
                    reg  [PLACE_W-1:0] head;
                    wire               at_last = (head & LAST) == LAST;
                    wire [PLACE_W-1:0] head_next = !leaves ? head : at_last ? {PLACE_W{1'b0}} : head + ONE;
                    always @(posedge clk `MT_OR_RST)
                        if (rst) head <= {PLACE_W{1'b0}};
                        else head <= head_next;
                    assign heads[AT*PLACE_W+:PLACE_W]      = head;
                    assign heads_next[AT*PLACE_W+:PLACE_W] = head_next;
                    assign longer     = length | ({length[DEPTH-2:0], 1'b1} & {DEPTH{enters}});
                    assign closes[AT] = leaves && !length[1];
                end else begin : gen_no_head
                    assign heads[AT]      = 1'b0;
                    assign heads_next[AT] = 1'b0;
                    assign longer     = length | enters;
                    assign closes[AT] = leaves;
                end

                for (i = 0; i < COLS; i = i + 1) begin : gen_younger
                    assign younger[i] = gen_queue[GROUP+i].older[COL];
                end
                assign young[AT]                = length[0] && younger == {COLS{1'b0}};
                assign eligible[AT]             = length[0] && older == {COLS{1'b0}};
                assign lengths[AT*DEPTH+:DEPTH] = length;
            end
        end
    endgenerate

    // ---- branch of the fill
    wire [N*DEPTH-1:0]   fill_lengths;
    wire [N*PLACE_W-1:0] fill_heads;
    mt_onehot_mux #(
        .N(BANKS),
        .W(N)
    ) u_fill_young (
        .sel  (at_fill),
        .words(young),
        .word (fill_young)
    );
    mt_onehot_mux #(
        .N(BANKS),
        .W(N * DEPTH)
    ) u_fill_lengths (
        .sel  (at_fill),
        .words(lengths),
        .word (fill_lengths)
    );
    mt_onehot_mux #(
        .N(BANKS),
        .W(N * PLACE_W)
    ) u_fill_heads (
        .sel  (at_fill),
        .words(heads),
        .word (fill_heads)
    );

    // Free entry after the tail of each queue, head + length mod DEPTH, computed in parallel with the choice of the
    // queue.
    localparam [PLACE_W:0] PLACES = DEPTH[PLACE_W:0];
    generate
        for (q = 0; q < N; q = q + 1) begin : gen_fill
            wire [DEPTH-1:0] length = fill_lengths[q*DEPTH+:DEPTH];
            reg  [PLACE_W:0] tail;
            integer          l;
            always @* begin
                tail = {1'b0, fill_heads[q*PLACE_W+:PLACE_W]};
                for (l = 0; l < DEPTH - 1; l = l + 1) tail = tail + {{PLACE_W{1'b0}}, length[l]};
                if (tail >= PLACES) tail = tail - PLACES;
            end
            for (i = 0; i < DEPTH; i = i + 1) begin : gen_part
                localparam [PLACE_W:0] PLACE = i;
                assign enter_part[i*N+q] = enter_queue[q] && tail == PLACE;
            end
            assign fill_used[q] = length[0];
            assign fill_full[q] = length[DEPTH-1];
        end
    endgenerate
endmodule

`default_nettype wire
