// SPDX-License-Identifier: Apache-2.0
// Stores the IDs and tags of cart on FPGAs (MT_FPGA), whose RAM has a binary address: one file of IDs per queue, with
// one word per entry and branch, and two copies of the tags, for the fill and for the drain. All files are read at the
// output branch, and the output queue selects one of the words. If AHEAD is 1, that branch is known one cycle ahead.
// Its number and the heads of its queues are then registers, which tools without LUT RAM map to block RAM instead of
// flip-flops.
`default_nettype none

module cart_ram #(
    // width of the stored data of a request
    parameter ID_W = 24,
    // number of branches, and width of their number
    parameter BANKS = 16,
    parameter BANK_W = 4,
    // number of row tags per branch, and their width
    parameter ROWS = 4,
    parameter ROW_W = 12,
    // number of leaf queues per row tag, and width of a column tag
    parameter COLS = 2,
    parameter COL_W = 5,
    // number of entries per queue
    parameter DEPTH = 2,
    // entry number width
    parameter PLACE_W = 1,
    // 1: drain_at_next and heads_next are valid
    parameter AHEAD = 1
) (
    input  wire                               clk,
    // the branch that a request enters; its part (entry * queues + queue), one-hot or 0; the tags to write
    input  wire [BANK_W-1:0]                  fill_bank,
    input  wire [DEPTH*ROWS*COLS-1:0]         fill_part,
    input  wire [ID_W-1:0]                    fill_id,
    input  wire [ROWS-1:0]                    write_row,
    input  wire [ROW_W-1:0]                   fill_row,
    input  wire [ROWS*COLS-1:0]               write_col,
    input  wire [COL_W-1:0]                   fill_col,
    output wire [ROWS*ROW_W-1:0]              fill_row_tags,
    output wire [ROWS*COLS*COL_W-1:0]         fill_col_tags,
    // output branch (one-hot) and heads of all queues, in this cycle and in the next
    input  wire [BANKS-1:0]                   drain_at,
    input  wire [BANKS*ROWS*COLS*PLACE_W-1:0] heads,
    input  wire [BANKS-1:0]                   drain_at_next,
    input  wire [BANKS*ROWS*COLS*PLACE_W-1:0] heads_next,
    // output queue, one-hot or 0
    input  wire [ROWS*COLS-1:0]               drain_queue,
    output reg  [ID_W-1:0]                    drain_id,
    output wire [ROWS*ROW_W-1:0]              drain_row_tags,
    output wire [ROWS*COLS*COL_W-1:0]         drain_col_tags
);
    localparam N = ROWS * COLS;

    // ---- read address: the branch, and the heads of its queues
    wire [BANKS-1:0]     at = (AHEAD != 0) ? drain_at_next : drain_at;
    wire [BANK_W-1:0]    at_bank, read_bank;
    wire [N*PLACE_W-1:0] at_heads, read_heads;
    wire                 unused_other = &{1'b0, drain_at_next, drain_at, heads, heads_next};
    genvar               q, i;

    mt_onehot_enc #(
        .N(BANKS),
        .W(BANK_W)
    ) u_bank (
        .onehot(at),
        .bin   (at_bank)
    );
    mt_onehot_mux #(
        .N(BANKS),
        .W(N * PLACE_W)
    ) u_heads (
        .sel  (at),
        .words((AHEAD != 0) ? heads_next : heads),
        .word (at_heads)
    );
    generate
        if (AHEAD != 0) begin : gen_ahead
            reg [BANK_W-1:0]    bank;
            reg [N*PLACE_W-1:0] places;
            always @(posedge clk) begin
                bank   <= at_bank;
                places <= at_heads;
            end
            assign read_bank  = bank;
            assign read_heads = places;
        end else begin : gen_at_once
            assign read_bank  = at_bank;
            assign read_heads = at_heads;
        end
    endgenerate

    // ---- IDs
    reg     [PLACE_W-1:0] fill_place;  // free entry of the queue that the request enters
    integer               p;
    always @* begin
        fill_place = {PLACE_W{1'b0}};
        for (p = 0; p < DEPTH; p = p + 1) fill_place = fill_place | (p[PLACE_W-1:0] & {PLACE_W{|fill_part[p*N+:N]}});
    end

    wire [N*ID_W-1:0] ids;
    generate
        for (q = 0; q < N; q = q + 1) begin : gen_queue
            wire [DEPTH-1:0] enter;
            for (i = 0; i < DEPTH; i = i + 1) begin : gen_enter
                assign enter[i] = fill_part[i*N+q];
            end
            mt_regfile_1r1w #(
                .WIDTH (ID_W),
                .DEPTH (BANKS * (DEPTH == 1 ? 2 : DEPTH)),  // PLACE_W is at least 1
                .ADDR_W(BANK_W + PLACE_W)
            ) u_ids (
                .clk  (clk),
                .we   (|enter),
                .waddr({fill_place, fill_bank}),
                .wdata(fill_id),
                .raddr({read_heads[q*PLACE_W+:PLACE_W], read_bank}),
                .rdata(ids[q*ID_W+:ID_W])
            );
        end
    endgenerate
    integer r;
    always @* begin
        drain_id = {ID_W{1'b0}};
        for (r = 0; r < N; r = r + 1) drain_id = drain_id | (ids[r*ID_W+:ID_W] & {ID_W{drain_queue[r]}});
    end

    // ---- tags
    generate
        for (i = 0; i < 2; i = i + 1) begin : gen_tags
            wire [ROWS*ROW_W-1:0] rows;
            wire [N*COL_W-1:0]    cols;
            wire [BANK_W-1:0]     bank;
            mt_regfile_1r1w #(
                .WIDTH (ROWS * ROW_W),
                .DEPTH (BANKS),
                .ADDR_W(BANK_W),
                .LANES (ROWS)
            ) u_rows (
                .clk  (clk),
                .we   (write_row),
                .waddr(fill_bank),
                .wdata(fill_row),
                .raddr(bank),
                .rdata(rows)
            );
            mt_regfile_1r1w #(
                .WIDTH (N * COL_W),
                .DEPTH (BANKS),
                .ADDR_W(BANK_W),
                .LANES (N)
            ) u_cols (
                .clk  (clk),
                .we   (write_col),
                .waddr(fill_bank),
                .wdata(fill_col),
                .raddr(bank),
                .rdata(cols)
            );
            if (i == 0) begin : gen_of_fill
                assign bank          = fill_bank;
                assign fill_row_tags = rows;
                assign fill_col_tags = cols;
            end else begin : gen_of_drain
                assign bank           = read_bank;
                assign drain_row_tags = rows;
                assign drain_col_tags = cols;
            end
        end
    endgenerate
endmodule

`default_nettype wire
