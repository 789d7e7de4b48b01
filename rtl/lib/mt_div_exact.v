// SPDX-License-Identifier: Apache-2.0
// Divides a number by an odd constant P, given the residue of the number modulo P. Combinational. Only the low Q_W bits
// of the number are used.
// number - residue is a multiple of P, so the quotient is its product with the inverse of P modulo 2^Q_W. This inverse
// is periodic: let T be the least exponent for which P divides 2^T - 1, and C = (2^T - 1) / P. Then the inverse is -C *
// (1 + 2^T + 2^2T + ..). If T >= Q_W, the series has one term, and the inverse is -C.
//   1. The number is multiplied by -C and by the first terms of the series. This takes one word per term and per digit
//      1 or -1 of C in non-adjacent form.
//   2. This product is multiplied by the remaining series, of up to 3 terms. The same sum subtracts the product of the
//      residue and the inverse, which comes from tables indexed by bits of the residue: C * residue has at most T bits,
//      so the series repeats it. A late residue delays only this sum.
`default_nettype none

module mt_div_exact #(
    // input width, 1..48 bits
    parameter WIDTH = 40,
    // the divisor P, 3..8191, odd
    parameter P = 31,
    // residue width, log2(P) rounded up (set by the user)
    parameter R_W = 5,
    // quotient width, WIDTH - log2(P) rounded up, at least 1 (set by the user)
    parameter Q_W = 36
) (
    input  wire [WIDTH-1:0] number,
    input  wire [R_W-1:0]   residue,
    output wire [Q_W-1:0]   quotient
);
    // Illegal parameters instantiate a missing module, which stops elaboration in every tool.
    generate
        if (WIDTH < 1 || WIDTH > 48) begin : gen_bad_width
            ILLEGAL_WIDTH_must_be_1_to_48 u_illegal ();
        end
        if (P < 3 || P > 8191) begin : gen_bad_p
            ILLEGAL_P_must_be_3_to_8191 u_illegal ();
        end else if (P % 2 == 0) begin : gen_even_p
            ILLEGAL_P_must_be_odd u_illegal ();
        end else if (R_W != $clog2(P)) begin : gen_bad_r_w
            ILLEGAL_R_W_must_be_log2_P_rounded_up u_illegal ();
        end
        if (Q_W < 1 || Q_W > 48) begin : gen_bad_q_w
            ILLEGAL_Q_W_must_be_1_to_48 u_illegal ();
        end
    endgenerate

    localparam [31:0] P_32 = P;
    localparam [47:0] DIVISOR = {16'b0, P_32};

    // Returns T, or Q_W if that is less, but at least 1, so that an illegal Q_W reaches its ILLEGAL_ message.
    function integer period(input integer unused_zero);
        integer    n;
        reg [31:0] power;
        begin
            period = (Q_W < 1) ? 1 : Q_W;
            power = 32'd1;
            for (n = 1; n < Q_W; n = n + 1) begin
                power = (power << 1) % P_32;
                if (power == 32'd1 && period == Q_W) period = n;
            end
        end
    endfunction
    localparam T = period(0);

    // Returns the inverse of P modulo 2^48. Each Newton step doubles the number of correct low bits: 3, 6, 12, 24, 48.
    function [47:0] inverse(input integer unused_zero);
        integer    n;
        reg [47:0] product;
        begin
            inverse = DIVISOR;
            for (n = 0; n < 4; n = n + 1) begin
                product = inverse * DIVISOR;
                inverse = inverse * (48'd2 - product);
            end
        end
    endfunction
    localparam [47:0] TIMES = 48'd0 - inverse(0);  // C times the series

    // Digits 1 and -1 of C in non-adjacent form, which has the fewest nonzero digits.
    localparam [47:0] C = TIMES & ((48'd1 << T) - 48'd1);
    localparam [48:0] HALF = {2'b0, C[47:1]};
    localparam [48:0] SUM = {1'b0, C} + HALF;
    localparam [48:0] PLUS = SUM & (SUM ^ HALF);
    localparam [48:0] MINUS = HALF & (SUM ^ HALF);
    localparam C_W = (T < Q_W) ? T + 1 : Q_W;  // number of digit positions of C

    // Each returns a number of digits below a position: the nonzero digits, or the digits 1.
    function integer digits(input integer places);
        integer i;
        begin
            digits = 0;
            for (i = 0; i < places; i = i + 1) if (PLUS[i] || MINUS[i]) digits = digits + 1;
        end
    endfunction
    function integer ones(input integer places);
        integer i;
        begin
            ones = 0;
            for (i = 0; i < places; i = i + 1) if (PLUS[i]) ones = ones + 1;
        end
    endfunction

    // Returns the series modulo 2^Q_W. Its terms are split into BLOCKS of SHORT terms.
    function [47:0] series(input integer unused_zero);
        integer n;
        begin
            series = 48'd0;
            for (n = 0; n < Q_W; n = n + T) series[n] = 1'b1;
        end
    endfunction
    localparam TERMS = (Q_W + T - 1) / T;
    localparam BLOCKS = (TERMS < 3) ? TERMS : 3;
    localparam SHORT = (TERMS + BLOCKS - 1) / BLOCKS;

    // ---- 1. A digit 1 adds the inverted word, which is its negative minus 1. The residue's table adds the missing
    // ones.
    localparam DIGITS = digits(C_W);
    localparam WORDS = DIGITS * SHORT;
    wire [WIDTH+Q_W-1:0]  long_number = {{Q_W{1'b0}}, number};
    wire                  unused_number = &{1'b0, long_number};
    wire [Q_W-1:0]        low = long_number[Q_W-1:0];
    wire [DIGITS*Q_W-1:0] by_c;
    wire [WORDS*Q_W-1:0]  words;
    wire [Q_W-1:0]        product;
    genvar i;
    generate
        for (i = 0; i < C_W; i = i + 1) begin : gen_digit
            localparam AT = digits(i) * Q_W;
            if (PLUS[i]) begin : gen_plus
                assign by_c[AT+:Q_W] = ~(low << i);
            end else if (MINUS[i]) begin : gen_minus
                assign by_c[AT+:Q_W] = low << i;
            end
        end
        for (i = 0; i < WORDS; i = i + 1) begin : gen_term
            assign words[i*Q_W+:Q_W] = by_c[i%DIGITS*Q_W+:Q_W] << (i / DIGITS * T);
        end
        if (WORDS == 1) begin : gen_word
            assign product = words;
        end else begin : gen_sum
            mt_sum_rows #(
                .ROWS(WORDS),
                .W   (Q_W)
            ) u_sum (
                .rows(words),
                .sum (product)
            );
        end
    endgenerate

    // ---- 2. There is one table for each 5 bits of the residue, or fewer. The first table also adds the number of
    // digits 1 of C, times the series.
    localparam TABLES = (R_W + 4) / 5;
    localparam TABLE_W = (R_W + TABLES - 1) / TABLES;
    localparam ONES = ones(C_W);
    localparam [47:0] BASE = ONES * series(0);

    // Returns the truth table of output bit `place` of table `n`.
    function [(1<<TABLE_W)-1:0] column(input integer n, input integer place);
        integer    value;
        reg [47:0] times;
        begin
            for (value = 0; value < (1 << TABLE_W); value = value + 1) begin
                times = ({16'd0, value[31:0]} << (n * TABLE_W)) * TIMES + (n == 0 ? BASE : 48'd0);
                times = times >> place;
                column[value] = times[0];
            end
        end
    endfunction
    wire [R_W+TABLES*TABLE_W-1:0] long_residue = {{TABLES * TABLE_W{1'b0}}, residue};
    wire                          unused_residue = &{1'b0, long_residue};
    wire [TABLES*Q_W-1:0]         by_residue;
    wire [BLOCKS*Q_W-1:0]         blocks;
    generate
        for (i = 0; i < TABLES * Q_W; i = i + 1) begin : gen_table
            localparam [(1<<TABLE_W)-1:0] COLUMN = column(i / Q_W, i % Q_W);
            assign by_residue[i] = COLUMN[long_residue[i/Q_W*TABLE_W+:TABLE_W]];
        end
        for (i = 0; i < BLOCKS; i = i + 1) begin : gen_block
            assign blocks[i*Q_W+:Q_W] = product << (i * SHORT * T);
        end
    endgenerate
    mt_sum_rows #(
        .ROWS(BLOCKS + TABLES),
        .W   (Q_W)
    ) u_quotient (
        .rows({by_residue, blocks}),
        .sum (quotient)
    );
endmodule

`default_nettype wire
