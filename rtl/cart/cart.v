// SPDX-License-Identifier: Apache-2.0
// cart: the Cache Access Reordering Tree. Cycle-by-cycle contract: docs/understand/cart.md; ports:
// rtl/cart/ports.md.
//   fill   reads and evaluates the tags and lengths of the addressed branch, in the cycle of the request (cart_fill)
//   drain  chooses a queue of each branch from its state, in parallel with the rotation of the branches (cart_drain);
//          then reads the ID and the tags
// IDs and tags are in register files; all other state is in cart_queues (lengths, head pointers, order) and cart_drain
// (drain history).
`default_nettype none
`include "incoming_defs.vh"

module cart #(
    // width of a line number within the channel, 1..48 bits
    parameter ADDR_W = 21,
    // request ID width, 1..32 bits
    parameter ID_W = 24,
    // number of entries per leaf queue, 1..32; BANKS * ROWS * COLS * DEPTH is at most 8192
    parameter DEPTH = 2,
    // number of DRAM banks, each with a branch, 2..64, a power of two
    parameter BANKS = 16,
    // mask of the line number bits that select the bank: log2(BANKS) ones
    parameter BANK_MASK = 450,
    // mask of the column bits; at least one bit is a column bit and at least one is a row bit
    parameter COL_MASK = 61,
    // number of row groups per branch, 1..8
    parameter ROWS = 4,
    // number of leaf queues per row group, 1..8
    parameter COLS = 2,
    // drain policy: 0 rotating banks, same row or longest queue; 1 longest queue first; 2 round robin over the queues
    parameter POLICY = 0,
    // POLICY=0: number of requests that may be drained before a branch's oldest one, 1..65535; 0: no limit
    parameter AGE_LIMIT = 0,
    // where a new queue is allocated: 0 in the row's group; 1 anywhere in the branch
    parameter FILL = 0,
    // number of low column bits that may differ between lines in one queue, 0..29, fewer than the column bits
    parameter COL_DROP = 0,
    // 1: the output is stable until it is accepted; 0: a new choice is made every cycle
    parameter HOLD = 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              fill_valid,
    input  wire [ADDR_W-1:0] fill_addr,
    input  wire [ID_W-1:0]   fill_id,
    output wire              fill_ready,
    output wire [1:0]        fill_refuse,
    output wire              drain_valid,
    output wire [ADDR_W-1:0] drain_addr,
    output wire [ID_W-1:0]   drain_id,
    output wire [2:0]        drain_why,
    input  wire              drain_ready
);
    function integer ones(input integer mask);
        integer i;
        begin
            ones = 0;
            for (i = 0; i < 31; i = i + 1) ones = ones + ((mask >> i) & 1);
        end
    endfunction

    // Returns the n lowest set bits of a mask, as a mask.
    function integer lowest(input integer mask, input integer n);
        integer i, left;
        begin
            lowest = 0;
            left   = n;
            for (i = 0; i < 31; i = i + 1)
                if (((mask >> i) & 1) != 0 && left > 0) begin
                    lowest = lowest | (1 << i);
                    left   = left - 1;
                end
        end
    endfunction

    // clamped so that an illegal value reaches its ILLEGAL_ message
    localparam GROUPS = (ROWS < 1) ? 1 : (ROWS > 8) ? 8 : ROWS;
    localparam QUEUES = (COLS < 1) ? 1 : (COLS > 8) ? 8 : COLS;  // number of leaf queues per group
    localparam N = GROUPS * QUEUES;
    localparam BANK_W = (BANKS < 2) ? 1 : $clog2(BANKS);
    localparam COL_ALL = (ones(COL_MASK) < 1) ? 1 : ones(COL_MASK);
    localparam DROP = (COL_DROP < 0 || COL_DROP >= COL_ALL) ? 0 : COL_DROP;
    localparam COL_W = COL_ALL - DROP;  // width of a column tag
    localparam ROW_W = (ADDR_W > BANK_W + COL_ALL) ? ADDR_W - BANK_W - COL_ALL : 1;
    localparam integer DROP_MASK = lowest(COL_MASK, DROP);
    localparam [47:0] BANK_BITS = {17'b0, BANK_MASK[30:0]};
    localparam [47:0] DROP_BITS = {17'b0, DROP_MASK[30:0]};
    localparam [47:0] COL_BITS = {17'b0, COL_MASK[30:0]} & ~DROP_BITS;
    localparam [47:0] ROW_BITS = ~(BANK_BITS | COL_BITS | DROP_BITS);
    localparam TAGS = (FILL == 0) ? GROUPS : N;  // number of row tags per branch
    localparam SHARE = N / TAGS;  // number of queues per row tag
    localparam WORD_W = ((ID_W < 1) ? 1 : ID_W) + DROP;  // number of stored bits per request
    localparam PLACES = (DEPTH < 1) ? 1 : DEPTH;  // number of entries per queue
    localparam PLACE_W = (DEPTH < 2) ? 1 : $clog2(DEPTH);
    localparam [BANKS-1:0] BANK0 = 1;

    // Illegal parameters instantiate a missing module, which stops elaboration. incoming_legal and bank_legal check the
    // other parameters.
    generate
        if (DEPTH < 1 || DEPTH > 32) begin : gen_bad_depth
            ILLEGAL_DEPTH_must_be_1_to_32 u_illegal ();
        end
        if (ROWS < 1 || ROWS > 8) begin : gen_bad_rows
            ILLEGAL_ROWS_must_be_1_to_8 u_illegal ();
        end
        if (COLS < 1 || COLS > 8) begin : gen_bad_cols
            ILLEGAL_COLS_must_be_1_to_8 u_illegal ();
        end
        // Each factor is in its range, so the product does not overflow.
        if (DEPTH > 0 && DEPTH <= 32 && ROWS > 0 && ROWS <= 8 && COLS > 0 && COLS <= 8 && BANKS > 0 &&
            BANKS <= 64) begin : gen_places
            if (BANKS * ROWS * COLS * DEPTH > 8192) begin : gen_bad_places
                ILLEGAL_BANKS_times_ROWS_times_COLS_times_DEPTH_must_be_at_most_8192 u_illegal ();
            end
        end
        if (POLICY < 0 || POLICY > 2) begin : gen_bad_policy
            ILLEGAL_POLICY_must_be_0_to_2 u_illegal ();
        end
        if (AGE_LIMIT < 0 || AGE_LIMIT > 65535) begin : gen_bad_age
            ILLEGAL_AGE_LIMIT_must_be_0_to_65535 u_illegal ();
        end else if (AGE_LIMIT > 0 && (POLICY == 1 || POLICY == 2)) begin : gen_age_policy
            ILLEGAL_AGE_LIMIT_needs_POLICY_0 u_illegal ();
        end
        if (FILL < 0 || FILL > 1) begin : gen_bad_fill
            ILLEGAL_FILL_must_be_0_or_1 u_illegal ();
        end
        if (COL_DROP < 0 || COL_DROP > 29) begin : gen_bad_drop
            ILLEGAL_COL_DROP_must_be_0_to_29 u_illegal ();
        end else if (COL_MASK > 0 && COL_DROP >= ones(COL_MASK)) begin : gen_whole_drop
            ILLEGAL_COL_DROP_must_leave_a_bit_of_COL_MASK u_illegal ();
        end
        if (COL_MASK < 1) begin : gen_bad_col_mask
            ILLEGAL_COL_MASK_must_have_a_bit u_illegal ();
        end else if (BANK_MASK > 0 && (COL_MASK & BANK_MASK) != 0) begin : gen_shared_mask
            ILLEGAL_COL_MASK_must_have_no_bit_of_BANK_MASK u_illegal ();
        end else if (ADDR_W > 0 && ADDR_W < 31 && (COL_MASK >> (ADDR_W & 31)) != 0) begin : gen_wide_mask
            ILLEGAL_COL_MASK_must_lie_within_ADDR_W u_illegal ();
        end else if (ADDR_W > 0 && ADDR_W <= BANK_W + COL_ALL) begin : gen_no_row
            ILLEGAL_COL_MASK_must_leave_a_bit_for_the_row u_illegal ();
        end
    endgenerate

    incoming_legal #(
        .ADDR_W(ADDR_W),
        .ID_W  (ID_W)
    ) u_legal ();
    bank_legal #(
        .ADDR_W   (ADDR_W),
        .BANKS    (BANKS),
        .BANK_MASK(BANK_MASK),
        .HOLD     (HOLD)
    ) u_bank_legal ();

    // ---- fill address
    wire [BANK_W-1:0] fill_bank;
    wire [ROW_W-1:0]  fill_row;
    wire [COL_W-1:0]  fill_col;

    addr_extract #(
        .ADDR_W(ADDR_W),
        .MASK  (BANK_BITS),
        .W     (BANK_W)
    ) u_fill_bank (
        .addr(fill_addr),
        .bits(fill_bank)
    );
    addr_extract #(
        .ADDR_W(ADDR_W),
        .MASK  (ROW_BITS),
        .W     (ROW_W)
    ) u_fill_row (
        .addr(fill_addr),
        .bits(fill_row)
    );
    addr_extract #(
        .ADDR_W(ADDR_W),
        .MASK  (COL_BITS),
        .W     (COL_W)
    ) u_fill_col (
        .addr(fill_addr),
        .bits(fill_col)
    );

    // ---- fill
    wire [TAGS*ROW_W-1:0] fill_row_tags;
    wire [N*COL_W-1:0]    fill_col_tags;
    wire [N-1:0]          fill_used, fill_full, fill_young, fill_queue, join_queue, same_tag;
    wire [TAGS-1:0]       take_tag, same_row;
    wire                  take;
    wire                  fill = fill_valid && fill_ready;
    wire [BANKS-1:0]      at_fill = BANK0 << fill_bank;
    wire [BANKS-1:0]      enter = at_fill & {BANKS{fill_valid}};  // a refused request enters no queue

    cart_fill #(
        .ROWS (GROUPS),
        .COLS (QUEUES),
        .ROW_W(ROW_W),
        .COL_W(COL_W),
        .FILL (FILL),
        .TAGS (TAGS)
    ) u_fill (
        .row       (fill_row),
        .col       (fill_col),
        .row_tags  (fill_row_tags),
        .col_tags  (fill_col_tags),
        .used      (fill_used),
        .full      (fill_full),
        .young     (fill_young),
        .ready     (fill_ready),
        .refuse    (fill_refuse),
        .queue     (fill_queue),
        .join_queue(join_queue),
        .take      (take),
        .take_tag  (take_tag),
        .same_tag  (same_tag),
        .same_row  (same_row)
    );

    // ---- leaf queues
    wire [PLACES*N-1:0]        fill_part;
    wire [BANKS*N*PLACES-1:0]  lengths;
    wire [BANKS*N-1:0]         eligible;
    wire [BANKS*N*PLACE_W-1:0] heads, heads_next;
    wire [BANKS-1:0]           drain_at;
    wire [N-1:0]               drain_queue;

    // cart_queues treats queues that may share a tag as one group.
    cart_queues #(
        .BANKS  (BANKS),
        .ROWS   ((FILL == 0) ? GROUPS : 1),
        .COLS   ((FILL == 0) ? QUEUES : N),
        .DEPTH  (PLACES),
        .PLACE_W(PLACE_W)
    ) u_queues (
        .clk        (clk),
        .rst        (rst),
        .at_fill    (at_fill),
        .fill_used  (fill_used),
        .fill_full  (fill_full),
        .fill_young (fill_young),
        .enter      (enter),
        .enter_queue(fill_queue),
        .take       (take),
        .same_tag   (same_tag),
        .enter_part (fill_part),
        .leave      (drain_at & {BANKS{drain_ready}}),
        .leave_queue(drain_queue),
        .lengths    (lengths),
        .eligible   (eligible),
        .heads      (heads),
        .heads_next (heads_next)
    );

    // ---- drain
    wire              row_again;
    wire [TAGS-1:0]   fill_last;
    wire [BANKS-1:0]  drain_at_next;
    wire [TAGS*TAGS-1:0] row_pairs;
    cart_drain #(
        .BANKS    (BANKS),
        .ROWS     (GROUPS),
        .COLS     (QUEUES),
        .DEPTH    (PLACES),
        .POLICY   (POLICY),
        .AGE_LIMIT(AGE_LIMIT),
        .HOLD     (HOLD),
        .FILL     (FILL),
        .TAGS     (TAGS)
    ) u_drain (
        .clk        (clk),
        .rst        (rst),
        .lengths    (lengths),
        .eligible   (eligible),
        .at_fill    (at_fill),
        .fill       (fill),
        .enter      (enter),
        .fill_queue (fill_queue),
        .join_queue (join_queue),
        .take_tag   (take_tag),
        .same_row   (same_row),
        .row_again  (row_again),
        .fill_last  (fill_last),
        .row_pairs  (row_pairs),
        .valid      (drain_valid),
        .bank       (drain_at),
        .bank_next  (drain_at_next),
        .queue      (drain_queue),
        .why        (drain_why),
        .ready      (drain_ready)
    );

    wire [BANK_W-1:0] drain_bank;
    wire [ROW_W-1:0]  drain_row;
    wire [COL_W-1:0]  drain_col;

    mt_onehot_enc #(
        .N(BANKS),
        .W(BANK_W)
    ) u_drain_bank (
        .onehot(drain_at),
        .bin   (drain_bank)
    );

    // ---- tags: one word per branch. The fill reads and writes one word, the drain reads one.
    wire [TAGS-1:0]         write_row = take_tag & {TAGS{fill_valid}};
    wire [N-1:0]            write_col = fill_queue & {N{fill_valid && take}};
    wire [ROW_W*TAGS-1:0]   drain_row_tags;
    wire [COL_W*N-1:0]      drain_col_tags;

    // ---- stored data of each request: its ID, and the column bits that are in no tag
    wire [WORD_W-1:0] fill_word, drain_word;
    wire [ADDR_W-1:0] addr_drop;
    generate
        if (DROP > 0) begin : gen_drop
            wire [DROP-1:0] bits;
            addr_extract #(
                .ADDR_W(ADDR_W),
                .MASK  (DROP_BITS),
                .W     (DROP)
            ) u_fill_drop (
                .addr(fill_addr),
                .bits(bits)
            );
            addr_insert #(
                .ADDR_W(ADDR_W),
                .MASK  (DROP_BITS),
                .W     (DROP)
            ) u_addr_drop (
                .bits(drain_word[WORD_W-1-:DROP]),
                .addr(addr_drop)
            );
            assign fill_word = {bits, fill_id};
        end else begin : gen_no_drop
            assign fill_word = fill_id;
            assign addr_drop = {ADDR_W{1'b0}};
        end
    endgenerate
    assign drain_id = drain_word[ID_W-1:0];

`ifdef MT_FPGA
    cart_ram #(
        .ID_W   (WORD_W),
        .BANKS  (BANKS),
        .BANK_W (BANK_W),
        .ROWS   (TAGS),
        .ROW_W  (ROW_W),
        .COLS   (SHARE),
        .COL_W  (COL_W),
        .DEPTH  (PLACES),
        .PLACE_W(PLACE_W),
        .AHEAD  (POLICY == 0)
    ) u_ram (
        .clk           (clk),
        .fill_bank     (fill_bank),
        .fill_part     (fill_part & {PLACES * N{fill_valid}}),
        .fill_id       (fill_word),
        .write_row     (write_row),
        .fill_row      (fill_row),
        .write_col     (write_col),
        .fill_col      (fill_col),
        .fill_row_tags (fill_row_tags),
        .fill_col_tags (fill_col_tags),
        .drain_at      (drain_at),
        .heads         (heads),
        .drain_at_next (drain_at_next),
        .heads_next    (heads_next),
        .drain_queue   (drain_queue),
        .drain_id      (drain_word),
        .drain_row_tags(drain_row_tags),
        .drain_col_tags(drain_col_tags)
    );
`else
    wire unused_next = &{1'b0, drain_at_next, heads_next};

    // ---- IDs: one register file per queue, one part per entry (entry * N + queue), one word per branch
    wire [N*PLACE_W-1:0] drain_heads;
    wire [PLACES*N-1:0]  drain_part;  // part of the entry at the head of each queue
    mt_onehot_mux #(
        .N(BANKS),
        .W(N * PLACE_W)
    ) u_drain_heads (
        .sel  (drain_at),
        .words(heads),
        .word (drain_heads)
    );
    genvar p;
    generate
        for (p = 0; p < PLACES * N; p = p + 1) begin : gen_drain_part
            localparam integer PLACE = p / N;
            assign drain_part[p] = drain_heads[p%N*PLACE_W+:PLACE_W] == PLACE[PLACE_W-1:0];
        end
    endgenerate

    mt_regfile_sel_1r1w #(
        .WIDTH (WORD_W),
        .DEPTH (BANKS * N * PLACES),
        .ADDR_W(BANK_W),
        .FILES (N)
    ) u_ids (
        .clk  (clk),
        .we   (fill_part & {PLACES * N{fill_valid}}),
        .waddr(fill_bank),
        .wdata(fill_word),
        .rfile(drain_queue),
        .rpart(drain_part),
        .rsel (drain_at),
        .rdata(drain_word)
    );

    mt_regfile_sel_2r1w #(
        .WIDTH (ROW_W * TAGS),
        .DEPTH (BANKS),
        .ADDR_W(BANK_W),
        .LANES (TAGS)
    ) u_row_tags (
        .clk   (clk),
        .we    (write_row),
        .waddr (fill_bank),
        .wdata (fill_row),
        .rsel0 (at_fill),
        .rdata0(fill_row_tags),
        .rsel1 (drain_at),
        .rdata1(drain_row_tags)
    );
    mt_regfile_sel_2r1w #(
        .WIDTH (COL_W * N),
        .DEPTH (BANKS),
        .ADDR_W(BANK_W),
        .LANES (N)
    ) u_col_tags (
        .clk   (clk),
        .we    (write_col),
        .waddr (fill_bank),
        .wdata (fill_col),
        .rsel0 (at_fill),
        .rdata0(fill_col_tags),
        .rsel1 (drain_at),
        .rdata1(drain_col_tags)
    );
`endif

    reg     [ROW_W-1:0] row;
    reg     [COL_W-1:0] col;
    integer             g, q;
    always @* begin
        row = {ROW_W{1'b0}};
        col = {COL_W{1'b0}};
        for (g = 0; g < TAGS; g = g + 1)
            row = row | (drain_row_tags[g*ROW_W+:ROW_W] & {ROW_W{|drain_queue[g*SHARE+:SHARE]}});
        for (q = 0; q < N; q = q + 1) col = col | (drain_col_tags[q*COL_W+:COL_W] & {COL_W{drain_queue[q]}});
    end
    assign drain_row = row;
    assign drain_col = col;

    // ---- FILL=1: pairs of queues with equal rows in the output branch
    genvar a, b;
    generate
        for (a = 0; a < TAGS; a = a + 1) begin : gen_pairs
            for (b = 0; b < TAGS; b = b + 1) begin : gen_pair
                if (FILL == 0 || POLICY != 0 || a == b) begin : gen_known
                    assign row_pairs[a*TAGS+b] = a == b;
                end else begin : gen_compared
                    assign row_pairs[a*TAGS+b] = drain_row_tags[a*ROW_W+:ROW_W] == drain_row_tags[b*ROW_W+:ROW_W];
                end
            end
        end
    endgenerate

    // ---- last drained row of each branch, for use when no tag matches it; written while a tag matches
    generate
        if (POLICY == 0) begin : gen_last_row
            wire [ROW_W-1:0] last_row;
            reg  [ROW_W-1:0] last_tag;
            integer          r;
            always @* begin
                last_tag = {ROW_W{1'b0}};
                for (r = 0; r < TAGS; r = r + 1)
                    last_tag = last_tag | (fill_row_tags[r*ROW_W+:ROW_W] & {ROW_W{fill_last[r]}});
            end
            mt_regfile_1r1w #(
                .WIDTH (ROW_W),
                .DEPTH (BANKS),
                .ADDR_W(BANK_W)
            ) u_last_row (
                .clk  (clk),
                .we   (fill_valid && |fill_last),
                .waddr(fill_bank),
                .wdata(last_tag),
                .raddr(fill_bank),
                .rdata(last_row)
            );
            assign row_again = |fill_last ? |(fill_last & same_row) : last_row == fill_row;
        end else begin : gen_no_last_row
            wire unused_last = &{1'b0, fill_last, same_row};
            assign row_again = 1'b0;
        end
    endgenerate

    // ---- drain address
    wire [ADDR_W-1:0] addr_bank, addr_row, addr_col;
    addr_insert #(
        .ADDR_W(ADDR_W),
        .MASK  (BANK_BITS),
        .W     (BANK_W)
    ) u_addr_bank (
        .bits(drain_bank),
        .addr(addr_bank)
    );
    addr_insert #(
        .ADDR_W(ADDR_W),
        .MASK  (ROW_BITS),
        .W     (ROW_W)
    ) u_addr_row (
        .bits(drain_row),
        .addr(addr_row)
    );
    addr_insert #(
        .ADDR_W(ADDR_W),
        .MASK  (COL_BITS),
        .W     (COL_W)
    ) u_addr_col (
        .bits(drain_col),
        .addr(addr_col)
    );
    assign drain_addr = addr_bank | addr_row | addr_col | addr_drop;

`ifdef FORMAL
    // What the submodules assume about cart after the first reset. tb/formal/formal_*.v prove it.
    reg f_run;
    initial f_run = 1'b0;
    always @(posedge clk) f_run <= 1'b1;
    integer    f_i;
    reg [17:0] f_requests;
    always @* begin
        f_requests = 18'd0;
        for (f_i = 0; f_i < DEPTH * N * BANKS; f_i = f_i + 1) f_requests = f_requests + {17'd0, lengths[f_i]};
        if (!f_run) r_reset: `RULE_cart (rst);
        c_drain: cover (f_run && drain_valid && drain_ready && f_requests == DEPTH * N);
    end
`endif
endmodule

`default_nettype wire
