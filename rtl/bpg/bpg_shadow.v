// SPDX-License-Identifier: Apache-2.0
// Shadow array: stores the tags that the sampled L1D sets would have if only the users of one calculator used the L1D.
// Replacement is true LRU.
`default_nettype none
`include "mt_reset.vh"

module bpg_shadow #(
    // number of sampled sets, each a row of the table
    parameter ROWS = 4,
    // number of L1D ways, 1..16
    parameter WAYS = 4,
    // stored tag width
    parameter TAG_W = 32
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             clear,   // invalidate all ways
    input  wire [ROWS-1:0]  at,      // one-hot: the row
    input  wire [TAG_W-1:0] tag,
    input  wire             enter,   // at the edge: mark the line used, and allocate it on a miss
    input  wire             update,  // mark the line used on a hit
    input  wire             evict,   // invalidate the line
    output wire             found
);
    // Order of two ways: 1 if the higher way was used after the lower one. Pair (i, j), j < i, is number
    // i * (i - 1) / 2 + j. The order is read only when all ways are valid: then each has been used since power-up.
    localparam PAIRS = WAYS * (WAYS - 1) / 2;
    localparam ROW_W = WAYS + PAIRS;
    wire [ROWS*ROW_W-1:0] rows;    // order and valid bits of all rows
    wire [ROW_W-1:0]      row_at;  // those of the row `at`
    wire [WAYS-1:0]       valid_at = row_at[WAYS-1:0];
    wire [WAYS-1:0]       match, oldest, free, chosen;
    wire                  any_free;
    wire [WAYS-1:0]       hit = match & valid_at;
    assign found = |hit;

    mt_onehot_mux #(
        .N(ROWS),
        .W(ROW_W)
    ) u_row (
        .sel  (at),
        .words(rows),
        .word (row_at)
    );
    mt_first_one #(
        .N(WAYS)
    ) u_free (
        .in   (~valid_at),
        .first(free),
        .any  (any_free)
    );
    assign chosen = any_free ? free : oldest;

    wire [WAYS-1:0] fill = chosen & {WAYS{enter && !found}};
    wire [WAYS-1:0] used = fill | (hit & {WAYS{enter || update}});

    genvar r, w;
    generate
        for (r = 0; r < ROWS; r = r + 1) begin : gen_row
            reg [WAYS-1:0] valid;
            always @(posedge clk `MT_OR_RST)
                if (rst) valid <= {WAYS{1'b0}};
                else if (clear) valid <= {WAYS{1'b0}};
                else if (at[r]) valid <= (valid | fill) & ~(hit & {WAYS{evict}});
            assign rows[r*ROW_W+:WAYS] = valid;
        end
        for (w = 0; w < WAYS; w = w + 1) begin : gen_way
            wire [TAG_W-1:0] held;
            mt_regfile_1rw #(
                .WIDTH(TAG_W),
                .DEPTH(ROWS)
            ) u_tags (
                .clk  (clk),
                .at   (at),
                .we   (fill[w]),
                .wdata(tag),
                .rdata(held)
            );
            assign match[w] = held == tag;
`ifdef FORMAL
            (* hierconn *) wire [ROWS*TAG_W-1:0] \u_tags.mem ;
            wire [ROWS*TAG_W-1:0] f_tags = \u_tags.mem ;
`endif
        end
    endgenerate

    // ---- least recently used way
    generate
        if (WAYS > 1) begin : gen_order
            wire [PAIRS-1:0] later_at = row_at[ROW_W-1:WAYS];
            reg  [WAYS-1:0]  is_oldest;
            reg  [PAIRS-1:0] used_higher, used_lower;  // the higher and the lower way of each pair is used
            integer          i, j;
            always @* begin
                is_oldest = {WAYS{1'b1}};
                for (i = 1; i < WAYS; i = i + 1)
                    for (j = 0; j < i; j = j + 1) begin
                        is_oldest[i] = is_oldest[i] & ~later_at[i*(i-1)/2+j];
                        is_oldest[j] = is_oldest[j] & later_at[i*(i-1)/2+j];
                    end
            end
            assign oldest = is_oldest;

            integer m, n;
            always @*
                for (m = 1; m < WAYS; m = m + 1)
                    for (n = 0; n < m; n = n + 1) begin
                        used_higher[m*(m-1)/2+n] = used[m];
                        used_lower[m*(m-1)/2+n]  = used[n];
                    end

            for (r = 0; r < ROWS; r = r + 1) begin : gen_row_order
                reg [PAIRS-1:0] later;
                always @(posedge clk) if (at[r]) later <= (later | used_higher) & ~used_lower;
                assign rows[r*ROW_W+WAYS+:PAIRS] = later;
            end
        end else begin : gen_no_order
            wire unused_used = &{1'b0, used};
            assign oldest = 1'b1;
        end
    endgenerate

`ifdef FORMAL
`include "bpg_shadow_contract.vh"
`endif
endmodule

`default_nettype wire
