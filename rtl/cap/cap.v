// SPDX-License-Identifier: Apache-2.0
// cap: computes the size of a prefetch. Cycle-by-cycle contract: docs/understand/cap.md; ports: rtl/cap/ports.md.
// Pipeline stages:
//   ask      reads the group's values, and computes C_DEN * avail * req in carry-save form and C_NUM * agg
//   compare  determines for each size whether it fits, and whether the group has that many blocks
// Internally, a size k is a 4-bit thermometer code: bit i is 1 if k > i.
`default_nettype none
`include "mt_reset.vh"

module cap #(
    // number of page groups, 1..64
    parameter GROUPS = 32,
    // width of a page count, 4..28 bits
    parameter AVAIL_W = 22,
    // width of a block count, 5..24 bits
    parameter SIZE_W = 18,
    // numerator of the factor c, 1..255
    parameter C_NUM = 11,
    // denominator of the factor c, 1..C_NUM
    parameter C_DEN = 10,
    // log2 of the number of blocks prefetched together while memory is oversubscribed, 0..4
    parameter OVER = 3
) (
    input  wire                                         clk,
    input  wire                                         rst,
    input  wire                                         set_valid,
    input  wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] set_group,
    input  wire [SIZE_W-1:0]                            set_req,
    input  wire                                         agg_valid,
    input  wire [SIZE_W-1:0]                            agg,
    input  wire                                         ask_valid,
    input  wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] ask_group,
    input  wire [AVAIL_W-1:0]                           ask_avail,
    input  wire                                         ask_full,
    output reg                                          ans_valid,
    output wire [2:0]                                   ans_size
);
    // The number is at least 1, so that an illegal value reaches its ILLEGAL_ message.
    localparam N = (GROUPS < 1) ? 1 : GROUPS;
    localparam GROUP_W = (GROUPS < 2) ? 1 : $clog2(GROUPS);
    localparam NUM_W = (C_NUM < 1) ? 1 : $clog2(C_NUM + 1);
    localparam DEN_W = (C_DEN < 1) ? 1 : $clog2(C_DEN + 1);
    // clamped so that an illegal value reaches its ILLEGAL_ message
    localparam AVAIL_N = (AVAIL_W > 28) ? 28 : AVAIL_W;
    localparam SIZE_N = (SIZE_W > 24) ? 24 : SIZE_W;
    localparam FREE_W = AVAIL_N + DEN_W;
    localparam HAVE_W = FREE_W + SIZE_N;
    localparam NEED_W = SIZE_W + NUM_W;
    localparam CMP_W = ((HAVE_W > NEED_W) ? HAVE_W : NEED_W) + 1;
    localparam LEFT = 3;  // number of words of the product in carry-save form
    localparam [N-1:0] GROUP0 = 1;
    localparam [NUM_W-1:0] NUM = C_NUM[NUM_W-1:0];
    localparam [DEN_W-1:0] DEN = C_DEN[DEN_W-1:0];
    localparam [4:0] BELOW_OVER = (5'd1 << OVER) - 5'd1;

    cap_legal #(
        .GROUPS (GROUPS),
        .AVAIL_W(AVAIL_W),
        .SIZE_W (SIZE_W),
        .C_NUM  (C_NUM),
        .C_DEN  (C_DEN),
        .OVER   (OVER)
    ) u_legal ();

    // ---- settings
    reg  [N-1:0]      known;
    reg               agg_known;
    reg  [SIZE_W-1:0] agg_r;
    wire [SIZE_W-1:0] req;
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            known     <= {N{1'b0}};
            agg_known <= 1'b0;
        end else begin
            if (set_valid) known <= known | (GROUP0 << set_group);
            if (agg_valid) agg_known <= 1'b1;
        end
    always @(posedge clk) if (agg_valid) agg_r <= agg;

    mt_regfile_1r1w #(
        .WIDTH (SIZE_W),
        .DEPTH (N),
        .ADDR_W(GROUP_W)
    ) u_req (
        .clk  (clk),
        .we   (set_valid),
        .waddr(set_group),
        .wdata(set_req),
        .raddr(ask_group),
        .rdata(req)
    );

    // ---- ask
    wire                     is_known = |(known & (GROUP0 << ask_group)) && agg_known;
    wire [FREE_W-1:0]        free = {{DEN_W{1'b0}}, ask_avail} * {{AVAIL_W{1'b0}}, DEN};
    wire [SIZE_N*HAVE_W-1:0] partials;  // a word per bit of req
    wire [LEFT*HAVE_W-1:0]   product;
    reg                      asked, full;
    reg  [3:0]               limit;
    reg  [LEFT*HAVE_W-1:0]   have_words;
    reg  [NEED_W-1:0]        need;
    genvar                   b;
    generate
        for (b = 0; b < SIZE_N; b = b + 1) begin : gen_partial
            assign partials[b*HAVE_W+:HAVE_W] = {{SIZE_N{1'b0}}, free & {FREE_W{req[b]}}} << b;
        end
    endgenerate
    mt_sum_rows #(
        .ROWS(SIZE_N),
        .W   (HAVE_W),
        .LEFT(LEFT)
    ) u_product (
        .rows(partials),
        .sum (product)
    );
    always @(posedge clk `MT_OR_RST)
        if (rst) asked <= 1'b0;
        else asked <= ask_valid;
    always @(posedge clk) begin
        full       <= ask_full;
        limit      <= {4{is_known}} & {|req[SIZE_W-1:4], |req[SIZE_W-1:3], |req[SIZE_W-1:2], |req[SIZE_W-1:1]};
        have_words <= product;
        // Registering the product of agg instead of agg costs 4 more bits; neither choice is on the critical path.
        need       <= {{NUM_W{1'b0}}, agg_r} * {{SIZE_W{1'b0}}, NUM};
    end

    // ---- compare: 2^k blocks fit if have >> (k + 4) is at least need
    wire [HAVE_W-1:0] have;
    reg  [3:0]        fit, size;
    integer           i;
    mt_sum_rows #(
        .ROWS(LEFT),
        .W   (HAVE_W)
    ) u_have (
        .rows(have_words),
        .sum (have)
    );
    wire [CMP_W-1:0] wide_have = {{CMP_W - HAVE_W{1'b0}}, have};
    wire [CMP_W-1:0] wide_need = {{CMP_W - NEED_W{1'b0}}, need};
    always @* for (i = 0; i < 4; i = i + 1) fit[i] = wide_have >> (i + 5) >= wide_need;
    always @(posedge clk `MT_OR_RST)
        if (rst) ans_valid <= 1'b0;
        else ans_valid <= asked;
    always @(posedge clk) size <= limit & (full ? BELOW_OVER[3:0] : fit);

    // Returns the number of ones in a thermometer code.
    function [2:0] number(input [3:0] bits);
        number = {bits[3], bits[1] && !bits[3], (bits[0] && !bits[1]) || (bits[2] && !bits[3])};
    endfunction
    assign ans_size = number(size);

`ifdef FORMAL
`include "cap_contract.vh"
`endif
endmodule

`default_nettype wire
