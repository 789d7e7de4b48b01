// SPDX-License-Identifier: Apache-2.0
// A shadow array: the tags that the sampled sets of the L1D would hold if a calculator's users alone used it. True LRU.
`default_nettype none
`include "mt_reset.vh"

module bpg_shadow #(
    // sampled sets: rows
    parameter ROWS = 4,
    parameter WAYS = 4,
    parameter TAG_W = 32
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             clear,   // all ways become invalid
    input  wire [ROWS-1:0]  at,      // one-hot: the row
    input  wire [TAG_W-1:0] tag,
    input  wire             enter,   // at the edge: the line is used, and allocated if it is not there
    input  wire             update,  // it is used if it is there
    input  wire             evict,   // it goes
    output wire             found
);
    // Bit r of way w is at w * ROWS + r: columns, as mt_onehot_mux has them.
    reg  [WAYS*ROWS-1:0] valid;
    wire [WAYS-1:0]      valid_at, match, oldest, free, chosen;
    wire                 any_free;
    wire [WAYS-1:0]      hit = match & valid_at;
    assign found = |hit;

    mt_onehot_mux #(
        .N(ROWS),
        .W(WAYS)
    ) u_valid (
        .sel (at),
        .cols(valid),
        .word(valid_at)
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

    genvar w;
    generate
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

            always @(posedge clk `MT_OR_RST)
                if (rst) valid[w*ROWS+:ROWS] <= {ROWS{1'b0}};
                else if (clear) valid[w*ROWS+:ROWS] <= {ROWS{1'b0}};
                else valid[w*ROWS+:ROWS] <= (valid[w*ROWS+:ROWS] | (at & {ROWS{fill[w]}})) & ~(at & {ROWS{evict && hit[w]}});
        end
    endgenerate

    // ---- order of use: a bit for each pair of ways, 1 if the higher one was used after the lower one. Pair (i, j), j < i, is number
    // i * (i - 1) / 2 + j. Only asked when all ways are valid: then each has been used since power-up, and the bits are an order.
    generate
        if (WAYS > 1) begin : gen_order
            localparam PAIRS = WAYS * (WAYS - 1) / 2;
            reg [PAIRS*ROWS-1:0] later;
            reg [WAYS-1:0]       first;
            reg                  is_later;
            integer              i, j;
            always @* begin
                first = {WAYS{1'b1}};
                for (i = 1; i < WAYS; i = i + 1)
                    for (j = 0; j < i; j = j + 1) begin
                        is_later = |(later[(i*(i-1)/2+j)*ROWS+:ROWS] & at);
                        first[i] = first[i] & ~is_later;
                        first[j] = first[j] & is_later;
                    end
            end
            assign oldest = first;

            integer m, n;
            always @(posedge clk)
                for (m = 1; m < WAYS; m = m + 1)
                    for (n = 0; n < m; n = n + 1)
                        later[(m*(m-1)/2+n)*ROWS+:ROWS] <=
                            (later[(m*(m-1)/2+n)*ROWS+:ROWS] | (at & {ROWS{used[m]}})) & ~(at & {ROWS{used[n]}});
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
