// The decision of bpg: Adjusted(k) of one calculator after the other, and the k of the greatest. Three stages:
//   1  failures * c(k), as two products: of the failures' high and low bits
//   2  the sum of both is taken from the hits
//   3  the comparison with the best one so far
`default_nettype none
`include "bpg_defs.vh"

module bpg_judge #(
    parameter CALCULATORS = 8,
    parameter HIT_W = 10,
    parameter FAIL_W = 12,
    parameter HIT_SCALE = 3,
    // bits of 0 .. CALCULATORS - 1, of 1 .. CALCULATORS, of Adjusted(k) (given by bpg)
    parameter INDEX_W = 3,
    parameter LMAX_W = 4,
    parameter ADJUSTED_W = 14
) (
    input  wire                         clk,
    input  wire                         clear,
    // the table
    input  wire                         cube_valid,
    input  wire [INDEX_W-1:0]           cube_index,
    input  wire [`BPG_CUBE_W-1:0]       cube_value,
    // the interval's end
    input  wire                         start,
    input  wire [FAIL_W-1:0]            fails,
    input  wire [CALCULATORS*HIT_W-1:0] hits,
    // the decision
    output reg  [LMAX_W-1:0]            lmax,
    output reg                          update,
    // stage 3
    output wire                         judged,
    output wire [LMAX_W-1:0]            judged_k,
    output wire [ADJUSTED_W-1:0]        adjusted
);
    localparam LAST_INDEX = CALCULATORS - 1;
    localparam [INDEX_W-1:0] LAST = LAST_INDEX[INDEX_W-1:0];
    localparam [LMAX_W-1:0] K = CALCULATORS[LMAX_W-1:0];
    localparam [INDEX_W-1:0] NEXT = 1;
    localparam [LMAX_W-1:0] ONE = 1;

    // A calculator in stages 1 to 3; the number of the one in stage 1, from 0, and of the one in stage 3, from 1.
    reg [2:0]         busy;
    reg [INDEX_W-1:0] index;
    reg [LMAX_W-1:0]  k;

    always @(posedge clk) begin
        busy <= {busy[1:0], start || (busy[0] && index != LAST)};
        if (start) begin
            index <= {INDEX_W{1'b0}};
            k     <= ONE;
        end
        if (busy[0]) index <= index + NEXT;
        if (busy[2]) k <= k + ONE;
        if (clear) busy <= 3'b0;
    end

    // ---- stage 1. Of the low product the bits are dropped that no sum carries from.
    localparam LOW = FAIL_W / 2;
    localparam HIGH = FAIL_W - LOW;
    localparam PART_W = HIGH + `BPG_CUBE_W;

    wire [`BPG_CUBE_W-1:0]     cube;
    reg  [FAIL_W-1:0]          base;
    wire [PART_W-1:0]          product_high = base[FAIL_W-1:LOW] * cube;
    wire [LOW+`BPG_CUBE_W-1:0] product_low = base[LOW-1:0] * cube;
    wire                       unused_low = &{1'b0, product_low[LOW-1:0]};
    reg  [PART_W-1:0]          part_high;
    reg  [`BPG_CUBE_W-1:0]     part_low;

    mt_regfile_1r1w #(
        .WIDTH (`BPG_CUBE_W),
        .DEPTH (CALCULATORS),
        .ADDR_W(INDEX_W)
    ) u_cubes (
        .clk  (clk),
        .we   (cube_valid),
        .waddr(cube_index),
        .wdata(cube_value),
        .raddr(index),
        .rdata(cube)
    );
    always @(posedge clk) begin
        if (start) base <= fails;
        part_high <= product_high;
        part_low  <= product_low[LOW+:`BPG_CUBE_W];
    end

    // ---- the hits of all, and of the one in stage 2
    reg [CALCULATORS*HIT_W-1:0] chain;
    reg [HIT_W-1:0]             hit;
    always @(posedge clk) begin
        chain <= start ? hits : chain >> HIT_W;
        hit   <= chain[HIT_W-1:0];
    end

    // ---- stage 2: hits - floor(parts / 2^FRACTION) = floor((hits * 2^FRACTION + 2^FRACTION - 1 - parts) / 2^FRACTION), one sum
    localparam FRACTION = `BPG_CUBE_W - LOW;
    localparam SUM_W = ADJUSTED_W + FRACTION;

    wire [SUM_W-1:0] minuend = {{(ADJUSTED_W - HIT_W) {1'b0}}, hit, {FRACTION{1'b0}}} << HIT_SCALE | {{ADJUSTED_W{1'b0}}, {FRACTION{1'b1}}};
    wire [SUM_W-1:0] sum = minuend - {{(SUM_W - PART_W) {1'b0}}, part_high} - {{(SUM_W - `BPG_CUBE_W) {1'b0}}, part_low};
    wire             unused_sum = &{1'b0, sum[FRACTION-1:0]};
    reg signed [ADJUSTED_W-1:0] value;
    always @(posedge clk) value <= sum[FRACTION+:ADJUSTED_W];

    // ---- stage 3
    reg signed [ADJUSTED_W-1:0] best;
    reg        [LMAX_W-1:0]     best_k;
    wire                        better = k == ONE || value >= best;
    wire                        decide = busy[2] && k == K;

    always @(posedge clk) begin
        if (busy[2] && better) begin
            best   <= value;
            best_k <= k;
        end
        if (decide) lmax <= better ? K : best_k;
        update <= decide;
        if (clear) begin
            lmax   <= K;
            update <= 1'b0;
        end
    end

    assign judged   = busy[2];
    assign judged_k = k;
    assign adjusted = value;
endmodule

`default_nettype wire
