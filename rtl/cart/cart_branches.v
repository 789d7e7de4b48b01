// What each branch would drain next under POLICY=0, by the state alone: its oldest request if that has aged, else its queue of last time,
// else the longest of its row of last time, else the longest. Bit q*BANKS + b of a vector is queue q of branch b.
//
// What a branch remembers: the row and the column of the queue that it drained last, as numbers of the group and of the queue in it, and
// whether that queue has held a request ever since. The row itself is kept outside, and compared when a group is assigned: so a group
// knows by one bit whether it holds it, and nothing is compared when draining.
`default_nettype none

module cart_branches #(
    // branches
    parameter BANKS = 16,
    // row groups of a branch
    parameter ROWS = 4,
    // queues of a row group
    parameter COLS = 2,
    // places of a queue
    parameter DEPTH = 2,
    // drains that may pass a branch's oldest request, 0: any number
    parameter AGE_LIMIT = 0
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire [DEPTH*ROWS*COLS*BANKS-1:0] len,
    input  wire [ROWS*COLS*BANKS-1:0]       eligible,
    // a request enters at the edge: the branch (0: none does), and its queue
    input  wire [BANKS-1:0]                 enter,
    input  wire [ROWS*COLS-1:0]             enter_queue,
    input  wire [ROWS-1:0]                  take_group,   // its group is assigned to its row
    input  wire                             row_again,    // that is the row that the branch drained last, if it has drained any
    // a request leaves at the edge: the branch (0: none does), and its queue
    input  wire [BANKS-1:0]                 leave,
    input  wire [ROWS*COLS-1:0]             leave_queue,
    input  wire                             leave_empty,  // its queue is empty then
    // the choice: one-hot in each branch that is not empty; and by which rule
    output wire [ROWS*COLS*BANKS-1:0]       choice,
    output wire [BANKS-1:0]                 aged,
    output wire [BANKS-1:0]                 same_queue,   // if not aged
    output wire [BANKS-1:0]                 same_row      // if neither
);
    localparam N = ROWS * COLS;
    localparam S = N * BANKS;
    localparam COL_W = (COLS < 2) ? 1 : $clog2(COLS);

    // ---- memory
    reg  [BANKS-1:0]       drained;    // since reset
    reg  [BANKS-1:0]       alive;      // the queue of last time has not been empty since
    reg  [ROWS*BANKS-1:0]  last_row;   // groups with the row of last time. Of empty groups it means nothing
    reg  [COL_W*BANKS-1:0] last_col;   // number of the queue of last time in its group

    reg  [COLS-1:0]        leave_cols;
    wire [COL_W-1:0]       leave_col;
    integer                r;
    always @* begin
        leave_cols = {COLS{1'b0}};
        for (r = 0; r < ROWS; r = r + 1) leave_cols = leave_cols | leave_queue[r*COLS+:COLS];
    end
    mt_onehot_enc #(
        .N(COLS),
        .W(COL_W)
    ) u_leave_col (
        .onehot(leave_cols),
        .bin   (leave_col)
    );

    integer g, c;
    always @(posedge clk) begin
        // A group is assigned only while no group holds the row: then that row is not the one that leaves.
        for (g = 0; g < ROWS; g = g + 1)
            last_row[g*BANKS+:BANKS] <= (last_row[g*BANKS+:BANKS] & ~leave & ~(enter & {BANKS{take_group[g]}}))
                | (enter & ~leave & drained & {BANKS{take_group[g] && row_again}}) | (leave & {BANKS{|leave_queue[g*COLS+:COLS]}});
        for (c = 0; c < COL_W; c = c + 1)
            last_col[c*BANKS+:BANKS] <= (last_col[c*BANKS+:BANKS] & ~leave) | (leave & {BANKS{leave_col[c]}});
        alive   <= (alive & ~leave) | (leave & {BANKS{!leave_empty}});
        drained <= drained | leave;
        if (rst) begin
            alive   <= {BANKS{1'b0}};
            drained <= {BANKS{1'b0}};
        end
    end

    // ---- the oldest requests
    wire [S-1:0] oldest;  // one-hot in each branch
    generate
        if (AGE_LIMIT > 0) begin : gen_age
            localparam QUEUE_W = (N < 2) ? 1 : $clog2(N);
            wire [QUEUE_W-1:0] enter_number, leave_number;
            genvar             b, q;

            mt_onehot_enc #(
                .N(N),
                .W(QUEUE_W)
            ) u_enter_number (
                .onehot(enter_queue),
                .bin   (enter_number)
            );
            mt_onehot_enc #(
                .N(N),
                .W(QUEUE_W)
            ) u_leave_number (
                .onehot(leave_queue),
                .bin   (leave_number)
            );
            for (b = 0; b < BANKS; b = b + 1) begin : gen_branch
                wire [QUEUE_W-1:0] number;

                cart_age #(
                    .LEN    (N * DEPTH),
                    .QUEUE_W(QUEUE_W),
                    .LIMIT  (AGE_LIMIT)
                ) u_age (
                    .clk        (clk),
                    .rst        (rst),
                    .enter      (enter[b]),
                    .enter_queue(enter_number),
                    .leave      (leave[b]),
                    .leave_queue(leave_number),
                    .aged       (aged[b]),
                    .oldest     (number)
                );
                for (q = 0; q < N; q = q + 1) begin : gen_oldest
                    localparam [QUEUE_W-1:0] NUMBER = q[QUEUE_W-1:0];
                    assign oldest[q*BANKS+b] = number == NUMBER;
                end
            end
        end else begin : gen_no_age
            wire unused_enter_queue = &{1'b0, enter_queue};
            assign aged   = {BANKS{1'b0}};
            assign oldest = {S{1'b0}};
        end
    endgenerate

    // ---- the queues of the row of last time, and the longest
    wire [DEPTH*BANKS-1:0] unused_most;
    wire [S-1:0]           in_row, last_queue, longest;
    reg  [BANKS-1:0]       any_in_row;
    integer                i;
    genvar                 n;
    generate
        for (n = 0; n < N; n = n + 1) begin : gen_queue
            wire [BANKS-1:0] group = last_row[n/COLS*BANKS+:BANKS];
            reg  [BANKS-1:0] col;
            integer          k;
            always @* begin
                col = {BANKS{1'b1}};
                for (k = 0; k < COL_W; k = k + 1) col = col & ~(last_col[k*BANKS+:BANKS] ^ {BANKS{((n % COLS) >> k) % 2 == 1}});
            end
            assign last_queue[n*BANKS+:BANKS] = group & col;
            assign in_row[n*BANKS+:BANKS]     = group & eligible[n*BANKS+:BANKS];
        end
    endgenerate
    always @* begin
        any_in_row = {BANKS{1'b0}};
        for (i = 0; i < N; i = i + 1) any_in_row = any_in_row | in_row[i*BANKS+:BANKS];
    end

    cart_longest #(
        .N    (N),
        .LANES(BANKS),
        .DEPTH(DEPTH)
    ) u_longest (
        .in     (eligible & (in_row | ~{N{any_in_row}})),
        .len    (len),
        .longest(longest),
        .most   (unused_most)
    );

    assign same_queue = alive;
    assign same_row   = any_in_row;
    assign choice     = (oldest & {N{aged}}) | (last_queue & {N{alive & ~aged}}) | (longest & ~{N{alive | aged}});
endmodule

`default_nettype wire
