// SPDX-License-Identifier: Apache-2.0
// Finds the destination of a request in its branch by the fill rules of docs/understand/cart.md. Combinational. Vectors
// have one bit per queue of the branch. Row tags, column tags and lengths are evaluated in parallel; the row match
// comes last.
`default_nettype none
`include "incoming_defs.vh"

module cart_fill #(
    // number of row groups per branch
    parameter ROWS = 4,
    // number of leaf queues per row group
    parameter COLS = 2,
    // widths of a row and a column
    parameter ROW_W = 12,
    parameter COL_W = 5,
    // where a new queue is allocated: 0 in the row's group, 1 anywhere in the branch
    parameter FILL = 0,
    // number of row tags: one per group, or one per queue if FILL=1
    parameter TAGS = 4
) (
    input  wire [ROW_W-1:0]           row,
    input  wire [COL_W-1:0]           col,
    input  wire [TAGS*ROW_W-1:0]      row_tags,
    input  wire [ROWS*COLS*COL_W-1:0] col_tags,
    input  wire [ROWS*COLS-1:0]       used,
    input  wire [ROWS*COLS-1:0]       full,
    input  wire [ROWS*COLS-1:0]       young,
    output wire                       ready,
    output wire [1:0]                 refuse,
    output wire [ROWS*COLS-1:0]       queue,      // one-hot; 0 if the request is refused
    output wire [ROWS*COLS-1:0]       join_queue, // the queue if it is not empty, else 0
    output wire                       take,       // the queue is empty, so it is allocated
    output wire [TAGS-1:0]            take_tag,   // one-hot or 0: row tags that are set to the request's row
    output wire [ROWS*COLS-1:0]       same_tag,   // nonempty queues with this column and, if FILL=1, this row
    output wire [TAGS-1:0]            same_row    // row tags equal to this row, even of empty queues
);
    localparam N = ROWS * COLS;
    localparam [COLS-1:0] COL0 = 1;

    wire [N-1:0] joins, empty;  // empty: the lowest empty queue of each group, or of the branch if FILL=1
    wire         any_row;
    genvar       g, q;

    generate
        for (g = 0; g < TAGS; g = g + 1) begin : gen_same_row
            assign same_row[g] = row_tags[g*ROW_W+:ROW_W] == row;
        end
        for (q = 0; q < N; q = q + 1) begin : gen_col
            assign same_tag[q] = used[q] && (FILL == 0 || same_row[q%TAGS]) && col_tags[q*COL_W+:COL_W] == col;
            assign joins[q]    = same_tag[q] && young[q] && !full[q];
        end
        if (FILL == 0) begin : gen_of_group
            wire [ROWS-1:0] group_used, group_joins, row_match;
            wire [ROWS-1:0] group_empty;  // the group has an empty queue
            wire [ROWS-1:0] empty_group;  // one-hot: the lowest empty group
            wire            any_empty_group;

            for (g = 0; g < ROWS; g = g + 1) begin : gen_row
                assign group_used[g]  = |used[g*COLS+:COLS];
                assign group_joins[g] = |joins[g*COLS+:COLS];
                assign row_match[g]   = group_used[g] && same_row[g];

                mt_first_one #(
                    .N(COLS)
                ) u_empty (
                    .in   (~used[g*COLS+:COLS]),
                    .first(empty[g*COLS+:COLS]),
                    .any  (group_empty[g])
                );
                assign join_queue[g*COLS+:COLS] = joins[g*COLS+:COLS] & {COLS{row_match[g]}};
                assign take_tag[g] = !any_row && empty_group[g];
                assign queue[g*COLS+:COLS] =
                    ({COLS{row_match[g]}} & (group_joins[g] ? joins[g*COLS+:COLS] : empty[g*COLS+:COLS]))
                    | (COL0 & {COLS{take_tag[g]}});
            end

            mt_first_one #(
                .N(ROWS)
            ) u_empty_group (
                .in   (~group_used),
                .first(empty_group),
                .any  (any_empty_group)
            );

            assign any_row = |row_match;
            assign take    = !(|(row_match & group_joins));
            assign ready   = any_row ? |(row_match & (group_joins | group_empty)) : any_empty_group;
        end else begin : gen_of_branch
            wire any_empty;

            mt_first_one #(
                .N(N)
            ) u_empty (
                .in   (~used),
                .first(empty),
                .any  (any_empty)
            );

            assign any_row    = |same_row;  // all queues that could be allocated are in use
            assign take       = !(|joins);
            assign ready      = !take || any_empty;
            assign join_queue = joins;
            assign take_tag   = empty & {N{take}};
            assign queue      = take ? empty : joins;
        end
    endgenerate

    assign refuse = ready ? `INCOMING_REFUSE_NONE : any_row ? `INCOMING_REFUSE_COLUMN : `INCOMING_REFUSE_ROW;
endmodule

`default_nettype wire
