// SPDX-License-Identifier: Apache-2.0
// Where a request goes in its branch: the fill rules of docs/understand/cart.md. Combinational; vectors are over the queues of the branch.
// Row tags, column tags and lengths are looked at side by side; the row's match comes last.
`default_nettype none
`include "incoming_defs.vh"

module cart_fill #(
    // row groups of a branch
    parameter ROWS = 4,
    // queues of a row group
    parameter COLS = 2,
    // bits of a row, of a column
    parameter ROW_W = 12,
    parameter COL_W = 5
) (
    input  wire [ROW_W-1:0]           row,
    input  wire [COL_W-1:0]           col,
    input  wire [ROWS*ROW_W-1:0]      row_tags,
    input  wire [ROWS*COLS*COL_W-1:0] col_tags,
    input  wire [ROWS*COLS-1:0]       used,
    input  wire [ROWS*COLS-1:0]       full,
    input  wire [ROWS*COLS-1:0]       young,
    output wire                       ready,
    output wire [1:0]                 refuse,
    output wire [ROWS*COLS-1:0]       queue,      // one-hot, or 0: refused
    output wire [ROWS*COLS-1:0]       join_queue, // the queue, if it is not empty; else 0
    output wire                       take,       // the queue is empty: it is assigned
    output wire [ROWS-1:0]            take_group, // one-hot, or 0: its group is empty as well
    output wire [ROWS*COLS-1:0]       same_tag,   // queues with this column that are not empty
    output wire [ROWS-1:0]            same_row    // groups with this row, empty or not
);
    localparam [COLS-1:0] COL0 = 1;

    wire [ROWS-1:0]      group_used, group_joins, row_match;
    wire [ROWS-1:0]      group_empty;  // a queue of it is empty
    wire [ROWS-1:0]      empty_group;  // one-hot: the lowest
    wire [ROWS*COLS-1:0] joins, empty;  // empty: the lowest of each group
    wire                 any_row = |row_match;
    wire                 any_empty_group;
    genvar               g, q;

    generate
        for (q = 0; q < ROWS * COLS; q = q + 1) begin : gen_col
            assign same_tag[q] = used[q] && col_tags[q*COL_W+:COL_W] == col;
            assign joins[q]     = same_tag[q] && young[q] && !full[q];
        end
        for (g = 0; g < ROWS; g = g + 1) begin : gen_row
            assign group_used[g]  = |used[g*COLS+:COLS];
            assign group_joins[g] = |joins[g*COLS+:COLS];
            assign same_row[g]    = row_tags[g*ROW_W+:ROW_W] == row;
            assign row_match[g]   = group_used[g] && same_row[g];

            mt_first_one #(
                .N(COLS)
            ) u_empty (
                .in   (~used[g*COLS+:COLS]),
                .first(empty[g*COLS+:COLS]),
                .any  (group_empty[g])
            );
            assign join_queue[g*COLS+:COLS] = joins[g*COLS+:COLS] & {COLS{row_match[g]}};
            assign take_group[g] = !any_row && empty_group[g];
            assign queue[g*COLS+:COLS] = ({COLS{row_match[g]}} & (group_joins[g] ? joins[g*COLS+:COLS] : empty[g*COLS+:COLS]))
                | (COL0 & {COLS{take_group[g]}});
        end
    endgenerate

    mt_first_one #(
        .N(ROWS)
    ) u_empty_group (
        .in   (~group_used),
        .first(empty_group),
        .any  (any_empty_group)
    );

    assign take   = !(|(row_match & group_joins));
    assign ready  = any_row ? |(row_match & (group_joins | group_empty)) : any_empty_group;
    assign refuse = ready ? `INCOMING_REFUSE_NONE : any_row ? `INCOMING_REFUSE_COLUMN : `INCOMING_REFUSE_ROW;
endmodule

`default_nettype wire
