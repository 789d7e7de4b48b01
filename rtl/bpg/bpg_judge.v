// SPDX-License-Identifier: Apache-2.0
// Decides for bpg: computes Adjusted(k) for one calculator after another and selects the k with the greatest. Stages:
//   1  computes failures * c(k) as partial products, each of a few bits of the failures
//   2  subtracts the sum of the partial products from the hits
//   3  compares the result with the best value so far
`default_nettype none
`include "bpg_defs.vh"
`include "mt_reset.vh"

module bpg_judge #(
    // number of Adjusted Hits calculators, 1..16
    parameter CALCULATORS = 8,
    // widths of a hit counter and the failure counter
    parameter HIT_W = 10,
    parameter FAIL_W = 12,
    // left shift of the hit count before the failures are subtracted, 0..7
    parameter HIT_SCALE = 3,
    // widths of a value of 0..CALCULATORS - 1, a value of 1..CALCULATORS, and Adjusted(k) (set by bpg)
    parameter INDEX_W = 3,
    parameter LMAX_W = 4,
    parameter ADJUSTED_W = 14
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         clear,
    // coefficient table
    input  wire                         cube_valid,
    input  wire [INDEX_W-1:0]           cube_index,
    input  wire [`BPG_CUBE_W-1:0]       cube_value,
    // end of the interval, with its failures; its hits follow in the next cycle (don't-care after a clear)
    input  wire                         start,
    input  wire [FAIL_W-1:0]            fails,
    input  wire                         started,
    input  wire [CALCULATORS*HIT_W-1:0] hits,
    // decision
    output reg  [LMAX_W-1:0]            lmax,
    output reg                          update
);
    localparam LAST_INDEX = CALCULATORS - 1;
    localparam [INDEX_W-1:0] LAST = LAST_INDEX[INDEX_W-1:0];
    localparam [LMAX_W-1:0] K = CALCULATORS[LMAX_W-1:0];
    localparam [INDEX_W-1:0] NEXT = 1;
    localparam [LMAX_W-1:0] ONE = 1;

    // Valid bits of stages 1 to 3; the calculator that enters stage 1 next, counted from 0; the calculator in stage 3,
    // counted from 1.
    reg [2:0]         busy;
    reg [INDEX_W-1:0] index;
    reg [LMAX_W-1:0]  k;
    wire              enter = start || index != {INDEX_W{1'b0}};

    always @(posedge clk)
        if (start) k <= ONE;
        else if (busy[2]) k <= k + ONE;
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            busy  <= 3'b0;
            index <= {INDEX_W{1'b0}};
        end else if (clear) begin
            busy  <= 3'b0;
            index <= {INDEX_W{1'b0}};
        end else begin
            busy <= {busy[1:0], enter};
            if (enter) index <= index == LAST ? {INDEX_W{1'b0}} : index + NEXT;
        end

    // ---- stage 1. The table entry comes from a register that also captures a concurrent table write. A partial
    // product covers STEP bits of the failures. The lowest STEP bits of the lowest product are dropped: no other
    // product has bits there, so they cause no carry.
    localparam STEP = 3;
    localparam PARTS = (FAIL_W + STEP - 1) / STEP;
    localparam PART_W = `BPG_CUBE_W + STEP;

    wire [`BPG_CUBE_W-1:0]  entry;
    reg  [`BPG_CUBE_W-1:0]  cube;
    reg  [FAIL_W-1:0]       base;
    wire [PARTS*PART_W-1:0] product;
    reg  [PARTS*PART_W-1:0] part;

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
        .rdata(entry)
    );

    wire renewed = cube_valid && cube_index == index;
    always @(posedge clk) begin
        // AND-OR instead of ?:, for which Yosys drops this register and reads the table in stage 1
        cube <= (cube_value & {`BPG_CUBE_W{renewed}}) | (entry & {`BPG_CUBE_W{!renewed}});
        if (start) base <= fails;
        part <= {product[PARTS*PART_W-1:STEP], {STEP{1'b0}}};
    end
    wire [FAIL_W+STEP-1:0] digits = {{STEP{1'b0}}, base};
    wire                   unused_bits = &{1'b0, digits, product};
    genvar                 p;
    generate
        for (p = 0; p < PARTS; p = p + 1) begin : gen_product
            assign product[p*PART_W+:PART_W] = digits[p*STEP+:STEP] * cube;
        end
    endgenerate

    // ---- stage 2: hits - floor(parts / 2^FRACTION) = floor((hits * 2^FRACTION + 2^FRACTION - 1 - parts) /
    // 2^FRACTION), one sum
    reg [CALCULATORS*HIT_W-1:0] chain;  // lowest field: the hits of the calculator in stage 2
    always @(posedge clk) chain <= started ? hits : chain >> HIT_W;

    localparam FRACTION = `BPG_CUBE_W;
    localparam SUM_W = ADJUSTED_W + PART_W;  // wide enough for any partial product; the highest bits are unused

    reg        [SUM_W-1:0]      sum;
    reg signed [ADJUSTED_W-1:0] value;
    integer                     i;
    always @* begin
        sum = {{(SUM_W - HIT_W) {1'b0}}, chain[HIT_W-1:0]} << (HIT_SCALE + FRACTION) |
            {{(SUM_W - FRACTION) {1'b0}}, {FRACTION{1'b1}}};
        for (i = 0; i < PARTS; i = i + 1)
            sum = sum - ({{(SUM_W - PART_W) {1'b0}}, part[i*PART_W+:PART_W]} << (STEP * i));
    end
    wire unused_sum = &{1'b0, sum};
    always @(posedge clk) value <= sum[FRACTION+:ADJUSTED_W];

    // ---- stage 3
    reg signed [ADJUSTED_W-1:0] best;
    reg        [LMAX_W-1:0]     best_k;
    wire                        better = k == ONE || value >= best;
    wire                        decide = busy[2] && k == K;

    always @(posedge clk)
        if (busy[2] && better) begin
            best   <= value;
            best_k <= k;
        end
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            lmax   <= K;
            update <= 1'b0;
        end else if (clear) begin
            lmax   <= K;
            update <= 1'b0;
        end else begin
            if (decide) lmax <= better ? K : best_k;
            update <= decide;
        end

`ifdef FORMAL
`include "bpg_judge_contract.vh"
`endif
endmodule

`default_nettype wire
