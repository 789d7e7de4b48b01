// SPDX-License-Identifier: Apache-2.0
// Ids and tags of cart for FPGAs (MT_FPGA), whose RAM has an address: a file of ids for each queue, of a word for each place and branch; of
// the tags a copy for the fill, and one for the drain. All are read at the branch that is offered, and the offered queue is chosen of what
// comes. AHEAD: that branch is known a cycle ahead. Its number and the heads of its queues are then registers, which tools that have no
// LUT RAM take into block RAM, where they would else need flip-flops.
`default_nettype none

module cart_ram #(
    parameter ID_W = 24,
    // branches
    parameter BANKS = 16,
    parameter BANK_W = 4,
    // row groups of a branch
    parameter ROWS = 4,
    parameter ROW_W = 12,
    // queues of a row group
    parameter COLS = 2,
    parameter COL_W = 5,
    // places of a queue
    parameter DEPTH = 2,
    // bits of a place number
    parameter PLACE_W = 1,
    // 1: drain_next and head_next are good
    parameter AHEAD = 1
) (
    input  wire                               clk,
    // a request enters this branch: its part, place * queues + queue, one-hot, or 0; tags that are written
    input  wire [BANK_W-1:0]                  fill_bank,
    input  wire [DEPTH*ROWS*COLS-1:0]         fill_part,
    input  wire [ID_W-1:0]                    fill_id,
    input  wire [ROWS-1:0]                    write_row,
    input  wire [ROW_W-1:0]                   fill_row,
    input  wire [ROWS*COLS-1:0]               write_col,
    input  wire [COL_W-1:0]                   fill_col,
    output wire [ROWS*ROW_W-1:0]              fill_row_tags,
    output wire [ROWS*COLS*COL_W-1:0]         fill_col_tags,
    // the branch that is offered, one-hot, and the heads of all queues, in columns; both in the next cycle
    input  wire [BANKS-1:0]                   drain_at,
    input  wire [PLACE_W*ROWS*COLS*BANKS-1:0] head,
    input  wire [BANKS-1:0]                   drain_next,
    input  wire [PLACE_W*ROWS*COLS*BANKS-1:0] head_next,
    // its queue, one-hot, or 0
    input  wire [ROWS*COLS-1:0]               drain_queue,
    output reg  [ID_W-1:0]                    drain_id,
    output wire [ROWS*ROW_W-1:0]              drain_row_tags,
    output wire [ROWS*COLS*COL_W-1:0]         drain_col_tags
);
    localparam N = ROWS * COLS;

    // ---- where is read: the branch, and the heads of its queues, in columns
    wire [BANKS-1:0]           at = (AHEAD != 0) ? drain_next : drain_at;
    wire [PLACE_W*N*BANKS-1:0] heads = (AHEAD != 0) ? head_next : head;
    wire [BANK_W-1:0]          at_bank, read_bank;
    wire [PLACE_W*N-1:0]       at_head, read_head;
    wire                       unused_other = &{1'b0, drain_next, drain_at, head, head_next};
    genvar                     q, i;

    mt_onehot_enc #(
        .N(BANKS),
        .W(BANK_W)
    ) u_bank (
        .onehot(at),
        .bin   (at_bank)
    );
    generate
        for (i = 0; i < PLACE_W * N; i = i + 1) begin : gen_head
            assign at_head[i] = |(at & heads[i*BANKS+:BANKS]);
        end
        if (AHEAD != 0) begin : gen_ahead
            reg [BANK_W-1:0]    bank;
            reg [PLACE_W*N-1:0] place;
            always @(posedge clk) begin
                bank  <= at_bank;
                place <= at_head;
            end
            assign read_bank = bank;
            assign read_head = place;
        end else begin : gen_at_once
            assign read_bank = at_bank;
            assign read_head = at_head;
        end
    endgenerate

    // ---- ids
    reg     [PLACE_W-1:0] fill_place;  // of the only queue that is entered
    integer               p;
    always @* begin
        fill_place = {PLACE_W{1'b0}};
        for (p = 0; p < DEPTH; p = p + 1) fill_place = fill_place | (p[PLACE_W-1:0] & {PLACE_W{|fill_part[p*N+:N]}});
    end

    wire [N*ID_W-1:0] ids;
    generate
        for (q = 0; q < N; q = q + 1) begin : gen_queue
            wire [DEPTH-1:0]   enter;
            wire [PLACE_W-1:0] place;
            for (i = 0; i < DEPTH; i = i + 1) begin : gen_enter
                assign enter[i] = fill_part[i*N+q];
            end
            for (i = 0; i < PLACE_W; i = i + 1) begin : gen_place
                assign place[i] = read_head[i*N+q];
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
                .raddr({place, read_bank}),
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
