// SPDX-License-Identifier: Apache-2.0
// Chooses the output request from the policy, the branches' choices, and HOLD. All inputs come from registers.
// A vector over all queues has queue q of branch b at position b*ROWS*COLS + q.
`default_nettype none
`include "mt_reset.vh"
`include "incoming_defs.vh"

module cart_drain #(
    // number of branches
    parameter BANKS = 16,
    // number of row groups per branch
    parameter ROWS = 4,
    // number of leaf queues per row group
    parameter COLS = 2,
    // number of entries per queue
    parameter DEPTH = 2,
    // drain policy: 0 rotating banks, same row or longest queue; 1 longest queue first; 2 round robin over the queues
    parameter POLICY = 0,
    // POLICY=0: number of requests that may be drained before a branch's oldest one; 0: no limit
    parameter AGE_LIMIT = 0,
    // 1: the output is stable until it is accepted
    parameter HOLD = 1,
    // where a new queue is allocated: 0 in the row's group, 1 anywhere in the branch
    parameter FILL = 0,
    // number of row tags per branch: one per group, or one per queue if FILL=1
    parameter TAGS = 4
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire [BANKS*ROWS*COLS*DEPTH-1:0] lengths,     // DEPTH bits per queue
    input  wire [BANKS*ROWS*COLS-1:0]       eligible,
    // a request enters branch at_fill at the edge (see cart_branches)
    input  wire [BANKS-1:0]                 at_fill,
    input  wire                             fill,
    input  wire [BANKS-1:0]                 enter,
    input  wire [ROWS*COLS-1:0]             fill_queue,
    input  wire [ROWS*COLS-1:0]             join_queue,
    input  wire [TAGS-1:0]                  take_tag,
    input  wire [TAGS-1:0]                  same_row,
    input  wire                             row_again,
    output wire [TAGS-1:0]                  fill_last,
    // pairs of equal row tags in the output branch
    input  wire [TAGS*TAGS-1:0]             row_pairs,
    // output request: branch and queue, both one-hot
    output wire                             valid,
    output wire [BANKS-1:0]                 bank,
    output wire [BANKS-1:0]                 bank_next,  // POLICY=0: output branch in the next cycle
    output wire [ROWS*COLS-1:0]             queue,
    output wire [2:0]                       why,
    // output accepted
    input  wire                             ready
);
    localparam N = ROWS * COLS;

    // ---- held: the output of the previous cycle was not accepted
    wire held;
    generate
        if (HOLD != 0) begin : gen_hold
            reg held_r;
            always @(posedge clk `MT_OR_RST)
                if (rst) held_r <= 1'b0;
                else held_r <= valid && !ready;
            assign held = held_r;
        end else begin : gen_no_hold
            assign held = 1'b0;
        end
    endgenerate

    wire [2:0] rule;
    assign why = held ? `INCOMING_WHY_HELD : rule;

    genvar b;
    generate
        if (POLICY == 0) begin : gen_rotating
            wire single;

            cart_rotate #(
                .BANKS(BANKS),
                .HOLD (HOLD)
            ) u_rotate (
                .clk      (clk),
                .rst      (rst),
                .at_fill  (at_fill),
                .fill     (fill),
                .ready    (ready),
                .single   (single),
                .bank     (bank),
                .bank_next(bank_next)
            );
            assign valid = |bank;

            cart_branches #(
                .BANKS    (BANKS),
                .ROWS     (ROWS),
                .COLS     (COLS),
                .DEPTH    (DEPTH),
                .AGE_LIMIT(AGE_LIMIT),
                .HOLD     (HOLD),
                .FILL     (FILL),
                .TAGS     (TAGS)
            ) u_branches (
                .clk        (clk),
                .rst        (rst),
                .lengths    (lengths),
                .eligible   (eligible),
                .at_fill    (at_fill),
                .fill_last  (fill_last),
                .fill       (fill),
                .enter      (enter),
                .enter_queue(fill_queue),
                .join_queue (join_queue),
                .take_tag   (take_tag),
                .same_row   (same_row),
                .row_again  (row_again),
                .row_pairs  (row_pairs),
                .leave      (bank & {BANKS{ready}}),
                .bank       (bank),
                .held       (held),
                .choice     (queue),
                .rule       (rule),
                .single     (single)
            );
        end else begin : gen_whole_tree
            wire unused_history =
                &{1'b0, at_fill, fill, enter, fill_queue, join_queue, take_tag, same_row, row_again, row_pairs};
            assign fill_last = {TAGS{1'b0}};
            assign bank_next = {BANKS{1'b0}};

            if (POLICY == 1) begin : gen_longest
                // The longest queue of each branch is chosen, then the branch whose longest queue is the longest.
                wire [BANKS*N-1:0]     choices;
                wire [BANKS*DEPTH-1:0] choice_lengths;
                wire [BANKS-1:0]       some;  // branches with an eligible queue
                wire [BANKS-1:0]       longest;
                wire [N-1:0]           chosen;
                wire [DEPTH-1:0]       length;

                for (b = 0; b < BANKS; b = b + 1) begin : gen_branch
                    cart_longest #(
                        .N    (N),
                        .DEPTH(DEPTH)
                    ) u_queue (
                        .in     (eligible[b*N+:N]),
                        .lengths(lengths[b*N*DEPTH+:N*DEPTH]),
                        .longest(choices[b*N+:N]),
                        .length (choice_lengths[b*DEPTH+:DEPTH])
                    );
                    assign some[b] = choice_lengths[b*DEPTH];
                end
                cart_longest #(
                    .N    (BANKS),
                    .DEPTH(DEPTH)
                ) u_bank (
                    .in     (some),
                    .lengths(choice_lengths),
                    .longest(longest),
                    .length (length)
                );
                mt_onehot_mux #(
                    .N(BANKS),
                    .W(N)
                ) u_chosen (
                    .sel  (longest),
                    .words(choices),
                    .word (chosen)
                );
                if (HOLD != 0) begin : gen_held
                    reg [BANKS-1:0] held_bank;
                    reg [N-1:0]     held_queue;
                    always @(posedge clk) begin
                        held_bank  <= bank;
                        held_queue <= queue;
                    end
                    assign bank  = held ? held_bank : longest;
                    assign queue = held ? held_queue : chosen;
                end else begin : gen_not_held
                    wire unused_inputs = &{1'b0, clk, rst, ready};
                    assign bank  = longest;
                    assign queue = chosen;
                end
                wire unused_length = &{1'b0, length};
                assign valid = length[0];
                assign rule  = `INCOMING_WHY_LONGEST;
            end else begin : gen_round_robin
                // `turn` selects a branch and some of its queues. These queues have priority, then the branches after
                // it, then the lowest branch. The first eligible queue of each of the three is found in parallel.
                localparam [BANKS-1:0] BANK0 = 1;
                reg  [BANKS-1:0]   turn, behind;  // the branch whose turn it is; all branches above it
                reg  [N-1:0]       turn_queues;
                wire [BANKS-1:0]   some;          // branches with an eligible queue
                wire [BANKS*N-1:0] lowest;        // lowest eligible queue of each branch
                wire [N-1:0]       in_turn, turn_first, lowest_behind, lowest_all;
                wire [BANKS-1:0]   first_behind, first_all;
                wire               any_in_turn, any_behind;
                wire               unused_lengths = &{1'b0, lengths};

                for (b = 0; b < BANKS; b = b + 1) begin : gen_branch
                    mt_first_one #(
                        .N(N)
                    ) u_lowest (
                        .in   (eligible[b*N+:N]),
                        .first(lowest[b*N+:N]),
                        .any  (some[b])
                    );
                end
                mt_first_one #(
                    .N(BANKS)
                ) u_behind (
                    .in   (some & behind),
                    .first(first_behind),
                    .any  (any_behind)
                );
                mt_first_one #(
                    .N(BANKS)
                ) u_all (
                    .in   (some),
                    .first(first_all),
                    .any  (valid)
                );
                mt_first_one #(
                    .N(N)
                ) u_in_turn (
                    .in   (in_turn & turn_queues),
                    .first(turn_first),
                    .any  (any_in_turn)
                );
                mt_onehot_mux #(
                    .N(BANKS),
                    .W(N)
                ) u_turn_queues (
                    .sel  (turn),
                    .words(eligible),
                    .word (in_turn)
                );
                mt_onehot_mux #(
                    .N(BANKS),
                    .W(N)
                ) u_lowest_behind (
                    .sel  (first_behind),
                    .words(lowest),
                    .word (lowest_behind)
                );
                mt_onehot_mux #(
                    .N(BANKS),
                    .W(N)
                ) u_lowest_all (
                    .sel  (first_all),
                    .words(lowest),
                    .word (lowest_all)
                );
                assign bank  = any_in_turn ? turn : any_behind ? first_behind : first_all;
                assign queue = any_in_turn ? turn_first : any_behind ? lowest_behind : lowest_all;

                always @(posedge clk `MT_OR_RST) begin
                    if (rst) begin
                        turn        <= BANK0;
                        behind      <= -BANK0 << 1;
                        turn_queues <= {N{1'b1}};
                    end else if (valid) begin
                        turn        <= bank;
                        behind      <= -bank << 1;
                        turn_queues <= (HOLD == 0 || ready) ? -queue << 1 : -queue;
                    end
                end
                assign rule = `INCOMING_WHY_NEXT;
            end
        end
    endgenerate
endmodule

`default_nettype wire
