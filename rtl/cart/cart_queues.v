// SPDX-License-Identifier: Apache-2.0
// The leaf queues of all branches: how many requests each holds, where its oldest is, and which older queues of its tag it waits for.
// Bit q*BANKS + b of a vector is queue q of branch b: simulators then do all branches with one wide operation, the gates are the same.
//
// A length is a thermometer, one bit a place: empty, full and "longer" are then single bits.
`default_nettype none
`include "mt_reset.vh"

module cart_queues #(
    // branches
    parameter BANKS = 16,
    // row groups of a branch
    parameter ROWS = 4,
    // queues of a row group
    parameter COLS = 2,
    // places of a queue
    parameter DEPTH = 2,
    // bits of a place number
    parameter PLACE_W = 1
) (
    input  wire                             clk,
    input  wire                             rst,
    // of the branch at_fill (one-hot): what the fill is judged by
    input  wire [BANKS-1:0]                 at_fill,
    output wire [ROWS*COLS-1:0]             fill_used,
    output wire [ROWS*COLS-1:0]             fill_full,
    output wire [ROWS*COLS-1:0]             fill_young,  // no younger queue has its tag; not empty
    // a request enters at the edge: the branch (0: there is none), and its queue (0: it is refused)
    input  wire [BANKS-1:0]                 enter,
    input  wire [ROWS*COLS-1:0]             enter_queue,
    input  wire                             take,        // the queue was empty
    input  wire [ROWS*COLS-1:0]             same_tag,    // queues with its row and column, if it was
    output wire [DEPTH*ROWS*COLS-1:0]       enter_part,  // one-hot: place * N + queue, if one is entered
    // a request leaves at the edge: the branch (0: none does), and its queue
    input  wire [BANKS-1:0]                 leave,
    input  wire [ROWS*COLS-1:0]             leave_queue,
    output wire                             leave_empty, // its queue is empty then
    // all queues
    output wire [DEPTH*ROWS*COLS*BANKS-1:0] len,         // len[l*S +: S]: more than l requests, S = ROWS*COLS*BANKS
    output wire [ROWS*COLS*BANKS-1:0]       eligible,
    output wire [PLACE_W*ROWS*COLS*BANKS-1:0] head,      // place of the oldest, in columns: head[p*S +: S]
    output wire [PLACE_W*ROWS*COLS*BANKS-1:0] head_next  // the same in the next cycle, if there is no reset
);
    localparam N = ROWS * COLS;
    localparam S = N * BANKS;

    reg  [DEPTH*S-1:0] t;
    reg  [COLS*S-1:0]  after;  // after[c*S + i]: queue i waits for the one of column c in its group
    wire [S-1:0]       used = t[S-1:0];
    assign len = t;
    wire [DEPTH*N-1:0] fill_len;  // of the branch of the fill

    // ---- events of each queue
    wire [S-1:0] in, out;
    wire [S-1:0] emptied;  // except a request that may enter at the same edge; never a queue that others wait for
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

    assign leave_empty = |(emptied & ~in);

    // ---- lengths: up where a request enters, then down where one leaves
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

    // ---- places. A head is a count from 0 to DEPTH-1, so it is DEPTH-1 when all bits that are 1 in that are 1 in it.
    generate
        if (DEPTH > 1) begin : gen_head
            reg     [PLACE_W*S-1:0] h, h_next;
            reg     [S-1:0]         carry, wrap;
            integer                 p;
            always @* begin
                wrap = out;
                for (p = 0; p < PLACE_W; p = p + 1) if ((((DEPTH - 1) >> p) & 1) != 0) wrap = wrap & h[p*S+:S];
                carry = out;
                for (p = 0; p < PLACE_W; p = p + 1) begin
                    h_next[p*S+:S] = (h[p*S+:S] ^ carry) & ~wrap;
                    carry          = carry & h[p*S+:S];
                end
            end
            integer r;
            always @(posedge clk `MT_OR_RST)
                if (rst) for (r = 0; r < PLACE_W; r = r + 1) h[r*S+:S] <= {S{1'b0}};
                else for (r = 0; r < PLACE_W; r = r + 1) h[r*S+:S] <= h_next[r*S+:S];
            assign head      = h;
            assign head_next = h_next;

            // The free place behind the requests of each queue, head + length mod DEPTH, while it is found out which queue is entered.
            localparam [PLACE_W:0] PLACES = DEPTH[PLACE_W:0];
            reg  [PLACE_W:0]   sum;
            reg  [DEPTH*N-1:0] part;
            integer            q, i;
            always @* begin
                for (q = 0; q < N; q = q + 1) begin
                    for (i = 0; i < PLACE_W; i = i + 1) sum[i] = |(at_fill & h[i*S+q*BANKS+:BANKS]);
                    sum[PLACE_W] = 1'b0;
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

    // ---- who waits for whom
    reg     [S-1:0] waits;  // for an older queue of its tag
    reg     [S-1:0] older;  // a younger queue of its tag waits for it
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
                            (take && enter_queue[qn] ? (after[cn*S+qn*BANKS+:BANKS] & ~enter) | (enter & {BANKS{same_tag[qn/COLS*COLS+cn]}})
                                : after[cn*S+qn*BANKS+:BANKS]) & ~emptied[(qn/COLS*COLS+cn)*BANKS+:BANKS];
        end

    // ---- the branch of the fill
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
