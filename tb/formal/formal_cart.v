// SPDX-License-Identifier: Apache-2.0
// Invariants of cart's state. With them, each property of the ports is inductive, or nearly so, and pdr has little to
// find. They are proven together with the property. The inputs are registers and memories of the block, connected by
// name (run.sh writes the wires).
// A vector over all queues has queue q of branch b at position b*ROWS*COLS + q, as in rtl/cart.
`default_nettype none

module formal_cart #(
    parameter BANKS = 2,
    parameter ROWS = 2,
    parameter COLS = 2,
    parameter DEPTH = 2,
    parameter ADDR_W = 4,
    parameter ID_W = 2,
    parameter [ADDR_W-1:0] BANK_MASK = 1,
    parameter [ADDR_W-1:0] COL_MASK = 2,
    parameter POLICY = 0,
    parameter HOLD = 1,
    parameter PLACE_W = 1,
    parameter ROW_W = 2,
    parameter COL_W = 1,
    parameter AGE_LIMIT = 0,
    parameter QUEUE_W = 2,
    parameter PASSED_W = 1,
    parameter LAST_W = 1,
    parameter FILL = 0,
    parameter COL_DROP = 0,
    parameter TAGS = 2,   // number of row tags per branch
    parameter PEERS = 2,  // number of queues that may have the same tag
    // parameters of the property: labels are the lowest LABELS bits of an ID, at most one of which is set per request; the number of requests is known
    parameter LABELS = 0,
    parameter COUNTED = 0,
    parameter AGED = 0  // the labels are those of formal_age, in the lowest two bits
) (
    input  wire [BANKS*ROWS*COLS*DEPTH-1:0]      lengths,    // DEPTH bits per queue
    input  wire [BANKS*ROWS*COLS*PEERS-1:0]      waits_for,  // PEERS bits per queue
    input  wire [BANKS*ROWS*COLS*PLACE_W-1:0]    heads,      // PLACE_W bits per queue
    input  wire [DEPTH*ROWS*COLS*BANKS*(ID_W+COL_DROP)-1:0] ids,  // word (place*N + queue)*BANKS + branch
    input  wire [TAGS*BANKS*ROW_W-1:0]           rows,       // word branch*TAGS + tag
    input  wire [ROWS*COLS*BANKS*COL_W-1:0]      cols,       // word branch*N + queue
    input  wire                                  held,
    input  wire [ROWS*COLS-1:0]                  held_queue,
    input  wire [BANKS-1:0]                      bank,       // output branch (POLICY=0), held branch (POLICY=1), or branch whose turn it is (POLICY=2)
    input  wire [BANKS-1:0]                      from_bank,  // that branch and all branches above it
    input  wire [BANKS-1:0]                      in_use,     // branches with requests, as the rotation records them
    input  wire [BANKS-1:0]                      alive,
    input  wire [BANKS*TAGS-1:0]                 last_tags,  // TAGS bits per branch
    input  wire [BANKS*LAST_W-1:0]               last_cols,  // LAST_W bits per branch
    input  wire [BANKS*DEPTH*ROWS*COLS-1:0]      list_valid, // AGE_LIMIT: order of arrival in each branch
    input  wire [BANKS*DEPTH*ROWS*COLS*QUEUE_W-1:0] list,    // column by column: see cart_age
    input  wire [BANKS*PASSED_W-1:0]             passed,
    // signals of the property
    input  wire [1:0]                            inside_label, // a request with this label is stored
    input  wire [ADDR_W-1:0]                     addr,       // address of that request
    input  wire [ID_W-1:0]                       id,         // ID of that request without labels
    input  wire [17:0]                           count,
    input  wire [17:0]                           older,      // count of formal_age
    input  wire [15:0]                           past,
    input  wire                                  known,
    output reg                                   holds
);
    localparam N = ROWS * COLS;
    localparam S = N * BANKS;
    localparam WORD_W = ID_W + COL_DROP;
    localparam DROP_W = (COL_DROP == 0) ? 1 : COL_DROP;
    localparam DROP_AT = (COL_DROP == 0) ? 0 : ID_W;

    // Returns the address formed by a tag and the column bits that the tag omits.
    function [ADDR_W-1:0] address(input integer branch, input [ROW_W-1:0] row, input [COL_W-1:0] col, input [DROP_W-1:0] dropped);
        integer i, b, r, c;
        begin
            b = 0;
            r = 0;
            c = 0;
            for (i = 0; i < ADDR_W; i = i + 1)
                if (BANK_MASK[i]) begin
                    address[i] = (branch >> b) & 1;
                    b = b + 1;
                end else if (COL_MASK[i]) begin
                    if (c < COL_DROP) address[i] = dropped[c];
                    else address[i] = col[c-COL_DROP];
                    c = c + 1;
                end else begin
                    address[i] = row[r];
                    r = r + 1;
                end
        end
    endfunction

    // True if two queues of a branch, in one group or peers, have the same tag.
    function tags_equal(input integer branch, input integer one, input integer other);
        tags_equal = cols[(branch*N+one)*COL_W+:COL_W] == cols[(branch*N+other)*COL_W+:COL_W]
            && (FILL == 0 || rows[(branch*TAGS+one%TAGS)*ROW_W+:ROW_W] == rows[(branch*TAGS+other%TAGS)*ROW_W+:ROW_W]);
    endfunction

    localparam LEN = N * DEPTH;

    // Returns the queue of the k-th request in the order of arrival in a branch.
    function [QUEUE_W-1:0] turn_of(input integer branch, input integer k);
        integer i;
        for (i = 0; i < QUEUE_W; i = i + 1) turn_of[i] = list[(branch*LEN+k)*QUEUE_W+i];
    endfunction

    reg  [S-1:0]       used;
    reg  [S-1:0]       waits;
    reg  [ROWS-1:0]    group;       // nonempty groups
    reg  [BANKS-1:0]   busy;        // branches with requests
    reg                was_last;    // the queue is the one that its branch drained last
    reg  [DROP_W-1:0]  dropped;         // column bits of a request that are in no tag
    reg  [DEPTH-1:0]   label0, label1;  // labels of the requests of a queue, oldest first
    reg  [S-1:0]       has0, has1;  // queues with such a label
    reg  [QUEUE_W-1:0] turn;        // queue at a position of the order of arrival
    reg  [1:0]         label, was_label;  // label of the request at that position, and of the previous request
    reg  [7:0]         sum, n0, n1, n;
    integer            b, q, c, d, e, k, l, m, p, w;

    always @* begin
        holds = 1'b1;

        // Lengths are thermometer codes, heads are entry numbers.
        for (w = 0; w < S; w = w + 1) begin
            used[w] = lengths[w*DEPTH];
            for (l = 1; l < DEPTH; l = l + 1) if (lengths[w*DEPTH+l] && !lengths[w*DEPTH+l-1]) holds = 1'b0;
        end

        // Two nonempty groups of a branch have different rows, unless groups are irrelevant.
        for (b = 0; b < BANKS; b = b + 1) begin
            for (c = 0; c < ROWS; c = c + 1) begin
                group[c] = 1'b0;
                for (q = 0; q < COLS; q = q + 1) group[c] = group[c] | used[b*N+c*COLS+q];
            end
            for (c = 0; c < ROWS; c = c + 1)
                for (d = 0; d < c; d = d + 1)
                    if (FILL == 0 && group[c] && group[d] && rows[(b*TAGS+c)*ROW_W+:ROW_W] == rows[(b*TAGS+d)*ROW_W+:ROW_W]) holds = 1'b0;
        end

        // Nonempty queues of equal tags, and only they, are ordered, as recorded in waits_for.
        waits = {S{1'b0}};
        for (b = 0; b < BANKS; b = b + 1)
            for (q = 0; q < N; q = q + 1)
                for (c = 0; c < PEERS; c = c + 1) begin
                    d = q / PEERS * PEERS + c;
                    w = b * N + q;
                    waits[w] = waits[w] | waits_for[w*PEERS+c];
                    if (waits_for[w*PEERS+c] && !(used[w] && used[b*N+d] && d != q && tags_equal(b, q, d))) holds = 1'b0;
                    if (d != q && used[w] && used[b*N+d] && tags_equal(b, q, d) && waits_for[w*PEERS+c] == waits_for[(b*N+d)*PEERS+q%PEERS]) holds = 1'b0;
                    for (e = 0; e < PEERS; e = e + 1)
                        if (waits_for[w*PEERS+c] && waits_for[(b*N+d)*PEERS+e] && !waits_for[w*PEERS+e]) holds = 1'b0;
                end

        // The queue that a branch drained last is unique while it stays nonempty, and waits for no other.
        if (POLICY == 0)
            for (b = 0; b < BANKS; b = b + 1) begin
                n = 8'd0;
                for (q = 0; q < N; q = q + 1) begin
                    w = b * N + q;
                    was_last = FILL != 0 || last_tags[b*TAGS+q*TAGS/N];
                    for (d = 0; d < LAST_W; d = d + 1) was_last = was_last && last_cols[b*LAST_W+d] == (((FILL != 0 ? q : q % COLS) >> d) & 1);
                    n = n + {7'd0, was_last};
                    if (alive[b] && was_last && (!used[w] || waits[w])) holds = 1'b0;
                end
                if (alive[b] && n != 8'd1) holds = 1'b0;
            end

        // The output branch has requests, and there is one if any branch has; from_bank agrees with it. The held queue
        // is in it, is not empty, and waits for no other.
        busy = {BANKS{1'b0}};
        for (b = 0; b < BANKS; b = b + 1) busy[b] = |used[b*N+:N];
        if (POLICY == 0 && ((bank & (bank - 1'b1)) != 0 || (bank & ~busy) != 0 || (bank == 0 && busy != 0))) holds = 1'b0;
        if (POLICY == 0 && in_use != busy) holds = 1'b0;
        if (POLICY != 1 && from_bank != -bank) holds = 1'b0;
        if (POLICY == 2 && ((bank & (bank - 1'b1)) != 0 || bank == 0)) holds = 1'b0;
        if (POLICY != 2 && HOLD != 0 && held) begin
            if (bank == 0 || (bank & (bank - 1'b1)) != 0 || held_queue == 0 || (held_queue & (held_queue - 1'b1)) != 0) holds = 1'b0;
            for (b = 0; b < BANKS; b = b + 1) if (bank[b] && (held_queue & (~used[b*N+:N] | waits[b*N+:N])) != 0) holds = 1'b0;
        end

        // Each label marks the right number of requests, with the right address. Label 1 comes after label 0.
        n0   = 8'd0;
        n1   = 8'd0;
        sum  = 8'd0;
        has0 = {S{1'b0}};
        has1 = {S{1'b0}};
        for (b = 0; b < BANKS; b = b + 1)
            for (q = 0; q < N; q = q + 1) begin
                w = b * N + q;
                for (l = 0; l < DEPTH; l = l + 1) begin
                    label0[l] = 1'b0;
                    label1[l] = 1'b0;
                    dropped   = {DROP_W{1'b0}};
                    for (p = 0; p < DEPTH; p = p + 1) begin
                        n = 8'd0;
                        for (d = 0; d < PLACE_W; d = d + 1) n[d] = heads[w*PLACE_W+d];
                        if ((n == p - l || n == p - l + DEPTH) && lengths[w*DEPTH+l]) begin
                            label0[l] = LABELS > 0 && ids[((p*N+q)*BANKS+b)*WORD_W];
                            label1[l] = LABELS > 1 && ids[((p*N+q)*BANKS+b)*WORD_W+(LABELS>1?1:0)];
                            dropped   = ids[((p*N+q)*BANKS+b)*WORD_W+DROP_AT+:DROP_W];
                            if (label0[l] && ids[((p*N+q)*BANKS+b)*WORD_W+:ID_W] != id) holds = 1'b0;
                        end
                    end
                    sum = sum + {7'd0, lengths[w*DEPTH+l]};
                    n0  = n0 + {7'd0, label0[l]};
                    n1  = n1 + {7'd0, label1[l]};
                    if ((label0[l] || label1[l]) && address(b, rows[(b*TAGS+q*TAGS/N)*ROW_W+:ROW_W], cols[(b*N+q)*COL_W+:COL_W], dropped) != addr) holds = 1'b0;
                    for (d = 0; d < l; d = d + 1) if (label1[d] && label0[l]) holds = 1'b0;
                end
                has0[w] = |label0;
                has1[w] = |label1;
                n = 8'd0;
                for (d = 0; d < PLACE_W; d = d + 1) n[d] = heads[w*PLACE_W+d];
                if (n >= DEPTH) holds = 1'b0;
            end
        for (b = 0; b < BANKS; b = b + 1)
            for (q = 0; q < N; q = q + 1)
                for (d = 0; d < N; d = d + 1)
                    if (d != q && has1[b*N+q] && has0[b*N+d] && !(d / PEERS == q / PEERS && waits_for[(b*N+q)*PEERS+d%PEERS])) holds = 1'b0;
        if (LABELS > 0 && n0 != {7'd0, inside_label[0]}) holds = 1'b0;
        if (LABELS > 1 && n1 != {7'd0, inside_label[1]}) holds = 1'b0;
        if (COUNTED != 0 && sum != count) holds = 1'b0;

        // AGE_LIMIT: the order of arrival names each queue once per stored request, and older queues of a tag first. A
        // request before which others were drained is still stored, and the held output of an aged branch is its oldest
        // request.
        if (AGE_LIMIT > 0)
            for (b = 0; b < BANKS; b = b + 1) begin
                if (!list_valid[b*LEN] && passed[b*PASSED_W+:PASSED_W] != 0) holds = 1'b0;
                if (passed[b*PASSED_W+:PASSED_W] > AGE_LIMIT) holds = 1'b0;
                for (k = 1; k < LEN; k = k + 1) if (list_valid[b*LEN+k] && !list_valid[b*LEN+k-1]) holds = 1'b0;
                for (q = 0; q < N; q = q + 1) begin
                    n = 8'd0;
                    for (k = 0; k < LEN; k = k + 1) n = n + {7'd0, list_valid[b*LEN+k] && turn_of(b, k) == q};
                    for (l = 0; l < DEPTH; l = l + 1) n = n - {7'd0, lengths[(b*N+q)*DEPTH+l]};
                    if (n != 8'd0) holds = 1'b0;
                    for (c = 0; c < PEERS; c = c + 1)
                        for (k = 0; k < LEN; k = k + 1)
                            for (m = 0; m < k; m = m + 1)
                                if (waits_for[(b*N+q)*PEERS+c] && list_valid[b*LEN+k] && turn_of(b, m) == q && turn_of(b, k) == q / PEERS * PEERS + c)
                                    holds = 1'b0;
                    if (HOLD != 0 && held && bank[b] && held_queue[q] && passed[b*PASSED_W+:PASSED_W] == AGE_LIMIT && turn_of(b, 0) != q) holds = 1'b0;
                end
            end

        // In the chosen branch, requests filled before the chosen one precede it, and those filled later follow it. The
        // counts agree.
        if (AGED != 0)
            for (b = 0; b < BANKS; b = b + 1) begin
                n0        = 8'd0;
                n1        = 8'd0;
                was_label = 2'd0;
                for (k = 0; k < LEN; k = k + 1) begin
                    turn = turn_of(b, k);
                    w    = b * N + turn;
                    n    = 8'd0;
                    for (d = 0; d < PLACE_W; d = d + 1) n[d] = heads[w*PLACE_W+d];
                    for (m = 0; m < k; m = m + 1) n = n + {7'd0, turn_of(b, m) == turn};
                    if (n >= DEPTH) n = n - DEPTH;
                    label = ids[((n*N+turn)*BANKS+b)*WORD_W+:2];
                    if (list_valid[b*LEN+k]) begin
                        if (address(b, {ROW_W{1'b0}}, {COL_W{1'b0}}, {DROP_W{1'b0}}) != addr) begin
                            if (label != 2'd3) holds = 1'b0;
                        end else begin
                            if (label == 2'd3 || label < was_label || (label != 2'd0 && !known)) holds = 1'b0;
                            was_label = label;
                            n0        = n0 + {7'd0, label == 2'd0};
                            n1        = n1 + {7'd0, label == 2'd1};
                        end
                    end
                end
                if (address(b, {ROW_W{1'b0}}, {COL_W{1'b0}}, {DROP_W{1'b0}}) == addr) begin
                    if (n0 != older || n1 != {7'd0, inside_label[0]}) holds = 1'b0;
                    if (inside_label[0] && older == 18'd0 ? past != passed[b*PASSED_W+:PASSED_W] : inside_label[0] && past != 16'd0) holds = 1'b0;
                end
            end
    end
endmodule

`default_nettype wire
