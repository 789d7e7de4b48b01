// SPDX-License-Identifier: Apache-2.0
// Records the drain history of the branches, and chooses the queue that branch `bank` drains (POLICY=0): the queue of
// its oldest request if that has aged, else its last drained queue, else the longest queue of its last drained row,
// else its longest queue. A vector over all queues has queue q of branch b at position b*ROWS*COLS + q.
//
// The history of a branch is the row and the column of its last drained queue, as a group number and a queue number in
// the group, and whether that queue has held a request ever since. The row is not stored: last_tags marks the groups,
// empty or not, whose tag is that row. When the last such group is assigned to another row, cart saves the row. Rows
// are compared when a group is assigned, not during a drain.
// If each queue has its own row tag (FILL=1), the history stores the queue's number in the branch, and several queues
// may have the row. Pairs of tags are compared before it is known which queue drains.
`default_nettype none
`include "mt_reset.vh"
`include "incoming_defs.vh"

module cart_branches #(
    // number of branches
    parameter BANKS = 16,
    // number of row groups per branch
    parameter ROWS = 4,
    // number of leaf queues per row group
    parameter COLS = 2,
    // number of entries per queue
    parameter DEPTH = 2,
    // number of requests that may be drained before a branch's oldest one; 0: no limit
    parameter AGE_LIMIT = 0,
    // 1: the output can be held (`held`)
    parameter HOLD = 1,
    // where a new queue is allocated: 0 in the row's group, 1 anywhere in the branch
    parameter FILL = 0,
    // number of row tags per branch: one per group, or one per queue if FILL=1
    parameter TAGS = 4
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire [BANKS*ROWS*COLS*DEPTH-1:0] lengths,      // DEPTH bits per queue
    input  wire [BANKS*ROWS*COLS-1:0]       eligible,
    // tags of branch at_fill (one-hot) that match its last drained row; all 0 if cart has saved that row
    input  wire [BANKS-1:0]                 at_fill,
    output wire [TAGS-1:0]                  fill_last,
    // a request enters at the edge: its branch (0 if there is no request) and its queue (0 if it is refused)
    input  wire                             fill,
    input  wire [BANKS-1:0]                 enter,
    input  wire [ROWS*COLS-1:0]             enter_queue,
    input  wire [ROWS*COLS-1:0]             join_queue,   // the request's queue if that is not empty, else 0
    input  wire [TAGS-1:0]                  take_tag,     // tags that are set to the request's row
    input  wire [TAGS-1:0]                  same_row,     // tags that equal the request's row before this edge
    input  wire                             row_again,    // the request's row is the branch's last drained row
    // a request leaves the chosen queue at the edge: its branch, or 0 if none leaves
    input  wire [BANKS-1:0]                 leave,
    // the branch (one-hot), the queue chosen in it (one-hot), and the rule applied; if held, the previous choice
    input  wire [BANKS-1:0]                 bank,
    input  wire                             held,
    input  wire [TAGS*TAGS-1:0]             row_pairs,    // equal row tags in the branch: row_pairs[t*TAGS + k] is 1 if
                                                          // tag k equals tag t
    output wire [ROWS*COLS-1:0]             choice,
    output wire [2:0]                       rule,         // rule applied, if the choice is not held
    output wire                             single        // the branch has only one request
);
    localparam N = ROWS * COLS;
    localparam SHARE = N / TAGS;  // number of queues per row tag
    localparam PICKS = (FILL == 0) ? COLS : N;  // number of values of last_col
    localparam COL_W = (PICKS < 2) ? 1 : $clog2(PICKS);

    // ---- history
    wire [BANKS-1:0]       alive;       // the branch's last drained queue has not been empty since
    wire [BANKS*TAGS-1:0]  last_tags;   // tags equal to the last drained row; don't-care before the first drain
    wire [BANKS*COL_W-1:0] last_cols;   // number of the last drained queue in its group, or in the branch if FILL=1

    reg  [PICKS-1:0]       leave_cols;
    wire [COL_W-1:0]       leave_col;
    wire                   leave_empty;  // the drained queue is empty after this edge
    wire [TAGS-1:0]        leave_tags;   // tags equal to the row that is drained at this edge
    wire [TAGS-1:0]        enter_tags;   // FILL=1: tags that are set to that row at this edge
    integer                r;
    always @* begin
        leave_cols = {PICKS{1'b0}};
        for (r = 0; r < N / PICKS; r = r + 1) leave_cols = leave_cols | choice[r*PICKS+:PICKS];
    end
    mt_onehot_enc #(
        .N(PICKS),
        .W(COL_W)
    ) u_leave_col (
        .onehot(leave_cols),
        .bin   (leave_col)
    );

    genvar b, i;
    generate
        for (b = 0; b < BANKS; b = b + 1) begin : gen_branch
            reg              drained;    // the branch has drained a request since reset
            reg              last_used;
            reg  [TAGS-1:0]  last_tag;
            reg  [COL_W-1:0] last_col;
            wire [TAGS-1:0]  take = take_tag & {TAGS{enter[b]}};
            always @(posedge clk) begin
                last_col <= (last_col & {COL_W{!leave[b]}}) | (leave_col & {COL_W{leave[b]}});
                last_tag <= (last_tag & ~take & {TAGS{!leave[b]}}) | (take & {TAGS{!leave[b] && drained && row_again}})
                    | ((leave_tags | (enter_tags & {TAGS{enter[b]}})) & {TAGS{leave[b]}});
            end
            always @(posedge clk `MT_OR_RST)
                if (rst) begin
                    drained   <= 1'b0;
                    last_used <= 1'b0;
                end else if (leave[b]) begin
                    drained   <= 1'b1;
                    last_used <= !leave_empty;
                end
            assign alive[b]                  = last_used;
            assign last_tags[b*TAGS+:TAGS]   = last_tag;
            assign last_cols[b*COL_W+:COL_W] = last_col;
        end
    endgenerate

    // ---- chosen branch
    wire [N-1:0]       can, last_queue, oldest;
    wire [N*DEPTH-1:0] can_lengths;
    wire [N-1:0]       used, more;  // queues with a request, and with more than one
    wire [TAGS-1:0]    tags;        // tags equal to the branch's last drained row
    wire [COL_W-1:0]   col;
    wire [DEPTH-1:0]   unused_length, unused_length_in_row;
    wire               aged;
    wire               last = |(bank & alive);
    reg  [N-1:0]       in_row;

    mt_onehot_mux #(
        .N(BANKS),
        .W(N)
    ) u_can (
        .sel  (bank),
        .words(eligible),
        .word (can)
    );
    mt_onehot_mux #(
        .N(BANKS),
        .W(N * DEPTH)
    ) u_lengths (
        .sel  (bank),
        .words(lengths),
        .word (can_lengths)
    );
    mt_onehot_mux #(
        .N(BANKS),
        .W(TAGS)
    ) u_tags (
        .sel  (bank),
        .words(last_tags),
        .word (tags)
    );
    mt_onehot_mux #(
        .N(BANKS),
        .W(COL_W)
    ) u_col (
        .sel  (bank),
        .words(last_cols),
        .word (col)
    );
    mt_onehot_mux #(
        .N(BANKS),
        .W(TAGS)
    ) u_fill_last (
        .sel  (at_fill),
        .words(last_tags),
        .word (fill_last)
    );
    generate
        for (i = 0; i < N; i = i + 1) begin : gen_queue
            localparam integer PICK = i % PICKS;
            assign last_queue[i] = (FILL != 0 || tags[i/SHARE]) && col == PICK[COL_W-1:0];
            assign used[i] = can_lengths[i*DEPTH];
            assign more[i] = DEPTH > 1 && can_lengths[i*DEPTH+(DEPTH>1?1:0)];
        end
    endgenerate

    wire [N-1:0] lowest;
    wire         unused_any;
    mt_first_one #(
        .N(N)
    ) u_lowest (
        .in   (used),
        .first(lowest),
        .any  (unused_any)
    );
    assign single = used == lowest && more == {N{1'b0}};

    assign leave_empty = !(|(choice & (more | (join_queue & {N{|(enter & bank)}}))));

    integer n;
    always @* for (n = 0; n < N; n = n + 1) in_row[n] = can[n] && tags[n/SHARE];

    // Both longest queues are found in parallel. Terms from registers alone are ready early.
    wire [N-1:0] longest_in_row, longest, held_queue;
    wire         in_row_any = |in_row;
    wire         search = !held && !aged && !last;
    wire [N-1:0] known = held ? held_queue : aged ? oldest : last ? last_queue : {N{1'b0}};

    cart_longest #(
        .N    (N),
        .DEPTH(DEPTH)
    ) u_longest_in_row (
        .in     (in_row),
        .lengths(can_lengths),
        .longest(longest_in_row),
        .length (unused_length_in_row)
    );
    cart_longest #(
        .N    (N),
        .DEPTH(DEPTH)
    ) u_longest (
        .in     (can),
        .lengths(can_lengths),
        .longest(longest),
        .length (unused_length)
    );
    assign choice = known | (longest_in_row & {N{search}}) | (longest & {N{search && !in_row_any}});
    assign rule   = aged ? `INCOMING_WHY_AGED : last ? `INCOMING_WHY_QUEUE : in_row_any ? `INCOMING_WHY_ROW :
        `INCOMING_WHY_LONGEST;

    generate
        if (HOLD != 0) begin : gen_hold
            reg [N-1:0] held_r;
            always @(posedge clk) held_r <= choice;
            assign held_queue = held_r;
        end else begin : gen_no_hold
            assign held_queue = {N{1'b0}};
        end
    endgenerate

    // ---- drained row
    generate
        if (FILL == 0) begin : gen_leave_group
            // A group is assigned to a row only if no group has that row, so the row is not the drained one.
            wire unused_pairs = &{1'b0, same_row, row_pairs};
            assign enter_tags = {TAGS{1'b0}};
            for (i = 0; i < TAGS; i = i + 1) begin : gen_tag
                assign leave_tags[i] = |choice[i*SHARE+:SHARE];
            end
        end else begin : gen_leave_tags
            // Empty queues are ignored. A queue assigned at the same edge has the row of the fill after that edge.
            assign enter_tags = take_tag & {TAGS{|(choice & same_row)}};
            for (i = 0; i < TAGS; i = i + 1) begin : gen_tag
                assign leave_tags[i] = used[i] && |(choice & row_pairs[i*TAGS+:TAGS]);
            end
        end
    endgenerate

    // ---- oldest request of each branch
    generate
        if (AGE_LIMIT > 0) begin : gen_age
            localparam QUEUE_W = (N < 2) ? 1 : $clog2(N);
            localparam LEN = N * DEPTH;
            localparam LEVELS = (LEN < 2) ? 1 : $clog2(LEN);
            wire [QUEUE_W-1:0]           enter_number;
            wire [BANKS-1:0]             all_aged;
            wire [LEN*BANKS-1:0]         all_valid;
            wire [LEN*QUEUE_W*BANKS-1:0] all_list;
            reg  [LEN-1:0]               valid, seen, from_leave;  // vectors of one branch
            reg  [LEN*QUEUE_W-1:0]       list;
            genvar                       q;

            mt_onehot_enc #(
                .N(N),
                .W(QUEUE_W)
            ) u_enter_number (
                .onehot(enter_queue),
                .bin   (enter_number)
            );
            for (b = 0; b < BANKS; b = b + 1) begin : gen_branch
                cart_age #(
                    .LEN    (LEN),
                    .QUEUE_W(QUEUE_W),
                    .LIMIT  (AGE_LIMIT)
                ) u_age (
                    .clk        (clk),
                    .rst        (rst),
                    .enter      (fill && at_fill[b]),
                    .enter_queue(enter_number),
                    .leave      (leave[b]),
                    .from_leave (from_leave),
                    .aged       (all_aged[b]),
                    .valid      (all_valid[b*LEN+:LEN]),
                    .queues     (all_list[b*LEN*QUEUE_W+:LEN*QUEUE_W])
                );
            end

            integer k;
            always @* begin
                valid = {LEN{1'b0}};
                list  = {LEN * QUEUE_W{1'b0}};
                for (k = 0; k < BANKS; k = k + 1) begin
                    valid = valid | (all_valid[k*LEN+:LEN] & {LEN{bank[k]}});
                    list  = list | (all_list[k*LEN*QUEUE_W+:LEN*QUEUE_W] & {LEN * QUEUE_W{bank[k]}});
                end
            end

            // The first position of each queue is found in parallel with the choice of the queue.
            integer m, w, v;
            always @* begin
                from_leave = {LEN{1'b0}};
                for (m = 0; m < N; m = m + 1) begin
                    for (w = 0; w < LEN; w = w + 1) seen[w] = valid[w] && list[w*QUEUE_W+:QUEUE_W] == m[QUEUE_W-1:0];
                    for (v = 0; v < LEVELS; v = v + 1) seen = seen | (seen << (1 << v));
                    from_leave = from_leave | (seen & {LEN{choice[m]}});
                end
            end
            for (q = 0; q < N; q = q + 1) begin : gen_oldest
                assign oldest[q] = list[QUEUE_W-1:0] == q[QUEUE_W-1:0];
            end
            assign aged = |(bank & all_aged);
        end else begin : gen_no_age
            wire unused_enter = &{1'b0, fill, enter_queue};
            assign aged   = 1'b0;
            assign oldest = {N{1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
