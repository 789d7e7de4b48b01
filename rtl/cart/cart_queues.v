// SPDX-License-Identifier: Apache-2.0
// Tracks the leaf queues of all branches: their numbers of requests, their head pointers, and the older queues with the
// same tag that each queue waits for.
// Bit q*BANKS + b of a vector is queue q of branch b, so that a simulator handles all branches with one wide operation;
// the gates are the same.
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
    input  wire                             clk,
    input  wire                             rst,
    // state of branch at_fill (one-hot), for the fill
    input  wire [BANKS-1:0]                 at_fill,
    output wire [ROWS*COLS-1:0]             fill_used,
    output wire [ROWS*COLS-1:0]             fill_full,
    output wire [ROWS*COLS-1:0]             fill_young,  // nonempty queues for which there is no younger queue with the
                                                         // same tag
    // a request enters at the edge: its branch (0 if there is no request) and its queue (0 if it is refused)
    input  wire [BANKS-1:0]                 enter,
    input  wire [ROWS*COLS-1:0]             enter_queue,
    input  wire                             take,        // the queue was empty
    input  wire [ROWS*COLS-1:0]             same_tag,    // if the queue was empty: the queues with the request's row
                                                         // and column
    output wire [DEPTH*ROWS*COLS-1:0]       enter_part,  // one-hot: entry * N + queue; 0 if no request enters
    // a request leaves at the edge: its branch (0 if none leaves) and its queue
    input  wire [BANKS-1:0]                 leave,
    input  wire [ROWS*COLS-1:0]             leave_queue,
    // all queues
    output wire [DEPTH*ROWS*COLS*BANKS-1:0] len,         // len[l*S +: S]: queues with more than l requests, S =
                                                         // ROWS*COLS*BANKS
    output wire [ROWS*COLS*BANKS-1:0]       eligible,
    output wire [PLACE_W*ROWS*COLS*BANKS-1:0] head,      // head pointer of queue i: head[i*PLACE_W +: PLACE_W]
    output wire [PLACE_W*ROWS*COLS*BANKS-1:0] head_next  // head pointer in the next cycle, unless there is a reset
);
    localparam N = ROWS * COLS;
    localparam S = N * BANKS;

    reg  [DEPTH*S-1:0] t;
    reg  [COLS*S-1:0]  after;  // after[c*S + i]: queue i waits for the queue of column c in its group
    wire [S-1:0]       used = t[S-1:0];
    assign len = t;
    wire [DEPTH*N-1:0] fill_len;  // lengths in the branch of the fill

    // ---- events of each queue
    wire [S-1:0] in, out;
    wire [S-1:0] emptied;  // empty unless a request enters at the same edge; no other queue waits for the queue
    genvar       g;
    generate
        for (g = 0; g < N; g = g + 1) begin : gen_event
            assign in[g*BANKS+:BANKS]  = enter & {BANKS{enter_queue[g]}};
            assign out[g*BANKS+:BANKS] = leave & {BANKS{leave_queue[g]}};
        end
        if (DEPTH > 1) begin : gen_emptied
            assign emptied = out & ~t[2*S-1:S];
        end else begin : gen_emptied_always
            assign emptied = out;
        end
    endgenerate

    // ---- lengths: incremented if a request enters, then decremented if one leaves
    reg     [DEPTH*S-1:0] up;
    integer               l, m;
    always @* begin
        up[0+:S] = t[0+:S] | in;
        for (l = 1; l < DEPTH; l = l + 1) up[l*S+:S] = t[l*S+:S] | (in & t[(l-1)*S+:S]);
    end
    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            for (m = 0; m < DEPTH; m = m + 1) t[m*S+:S] <= {S{1'b0}};
        end else begin
            for (m = 0; m < DEPTH - 1; m = m + 1) t[m*S+:S] <= up[m*S+:S] & (~out | up[(m+1)*S+:S]);
            t[(DEPTH-1)*S+:S] <= up[(DEPTH-1)*S+:S] & ~out;
        end
    end

    // ---- head pointers. A head counts from 0 to DEPTH-1, so it is DEPTH-1 if all bits that are 1 in DEPTH-1 are 1 in
    // the head.
    generate
        if (DEPTH > 1) begin : gen_head
            localparam integer LAST_NUMBER = DEPTH - 1;
            localparam [PLACE_W-1:0] LAST = LAST_NUMBER[PLACE_W-1:0];
            localparam [PLACE_W-1:0] ONE = 1;
            for (g = 0; g < S; g = g + 1) begin : gen_queue
                reg  [PLACE_W-1:0] place;
                wire               at_last = (place & LAST) == LAST;
                wire [PLACE_W-1:0] place_next = !out[g] ? place : at_last ? {PLACE_W{1'b0}} : place + ONE;
                always @(posedge clk `MT_OR_RST)
                    if (rst) place <= {PLACE_W{1'b0}};
                    else place <= place_next;
                assign head[g*PLACE_W+:PLACE_W]      = place;
                assign head_next[g*PLACE_W+:PLACE_W] = place_next;
            end

            // Free entry after the tail of each queue, head + length mod DEPTH, computed in parallel with the choice of
            // the queue.
            localparam [PLACE_W:0] PLACES = DEPTH[PLACE_W:0];
            reg  [PLACE_W:0]   sum;
            reg  [DEPTH*N-1:0] part;
            integer            q, i;
            always @* begin
                for (q = 0; q < N; q = q + 1) begin
                    sum = {PLACE_W + 1{1'b0}};
                    for (i = 0; i < BANKS; i = i + 1)
                        sum[PLACE_W-1:0] =
                            sum[PLACE_W-1:0] | (head[(q*BANKS+i)*PLACE_W+:PLACE_W] & {PLACE_W{at_fill[i]}});
                    for (i = 0; i < DEPTH - 1; i = i + 1) sum = sum + {{PLACE_W{1'b0}}, fill_len[i*N+q]};
                    if (sum >= PLACES) sum = sum - PLACES;
                    for (i = 0; i < DEPTH; i = i + 1) part[i*N+q] = enter_queue[q] && sum == i[PLACE_W:0];
                end
            end
            assign enter_part = part;
        end else begin : gen_no_head
            assign head       = {PLACE_W * S{1'b0}};
            assign head_next  = {PLACE_W * S{1'b0}};
            assign enter_part = enter_queue;
        end
    endgenerate

    // ---- wait relation
    reg     [S-1:0] waits;  // the queue waits for an older queue with the same tag
    reg     [S-1:0] older;  // a younger queue with the same tag waits for the queue
    integer         q, c;
    always @* begin
        waits = {S{1'b0}};
        older = {S{1'b0}};
        for (q = 0; q < N; q = q + 1)
            for (c = 0; c < COLS; c = c + 1) begin
                waits[q*BANKS+:BANKS] = waits[q*BANKS+:BANKS] | after[c*S+q*BANKS+:BANKS];
                older[(q/COLS*COLS+c)*BANKS+:BANKS] = older[(q/COLS*COLS+c)*BANKS+:BANKS] | after[c*S+q*BANKS+:BANKS];
            end
    end
    assign eligible = used & ~waits;

    integer qn, cn;
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            for (cn = 0; cn < COLS; cn = cn + 1) after[cn*S+:S] <= {S{1'b0}};
        end else begin
            for (qn = 0; qn < N; qn = qn + 1)
                for (cn = 0; cn < COLS; cn = cn + 1)
                    if (cn == qn % COLS) after[cn*S+qn*BANKS+:BANKS] <= {BANKS{1'b0}};
                    else
                        after[cn*S+qn*BANKS+:BANKS] <=
                            (take && enter_queue[qn] ? (after[cn*S+qn*BANKS+:BANKS] & ~enter)
                                    | (enter & {BANKS{same_tag[qn/COLS*COLS+cn]}})
                                : after[cn*S+qn*BANKS+:BANKS]) & ~emptied[(qn/COLS*COLS+cn)*BANKS+:BANKS];
        end

    // ---- branch of the fill
    generate
        for (g = 0; g < N; g = g + 1) begin : gen_fill
            assign fill_young[g] = |(at_fill & used[g*BANKS+:BANKS] & ~older[g*BANKS+:BANKS]);
        end
        for (g = 0; g < DEPTH * N; g = g + 1) begin : gen_fill_len
            assign fill_len[g] = |(at_fill & t[g*BANKS+:BANKS]);
        end
    endgenerate
    assign fill_used = fill_len[N-1:0];
    assign fill_full = fill_len[DEPTH*N-1-:N];
endmodule

`default_nettype wire
