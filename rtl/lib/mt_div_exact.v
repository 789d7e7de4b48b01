// SPDX-License-Identifier: Apache-2.0
// The quotient of a number and an odd constant whose residue is known: (number - residue) * inverse modulo 2^Q_W, where inverse * P is 1, as one
// sum. Only the low bits of the number count for it. Combinational.
`default_nettype none

module mt_div_exact #(
    // bits of the number, 1..48
    parameter WIDTH = 40,
    // the divisor P, 3..8191, odd
    parameter P = 31,
    // bits of a residue, log2(P) rounded up (given by the user)
    parameter R_W = 5,
    // bits of the quotient, WIDTH - log2(P) rounded up, at least 1 (given by the user)
    parameter Q_W = 36
) (
    input  wire [WIDTH-1:0] number,
    input  wire [R_W-1:0]   residue,
    output wire [Q_W-1:0]   quotient
);
    localparam [31:0] P_32 = P;
    localparam [47:0] DIVISOR = {16'b0, P_32};

    // Each step doubles the low bits that are right: 3, 6, 12, 24, 48.
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
    localparam [47:0] INVERSE = inverse(0);

    // Its digits 1 and -1 in non-adjacent form, as far as they count: there are the fewest that way.
    localparam [48:0] HALF = {2'b0, INVERSE[47:1]};
    localparam [48:0] SUM = {1'b0, INVERSE} + HALF;
    localparam [48:0] PLUS = SUM & (SUM ^ HALF);
    localparam [48:0] MINUS = HALF & (SUM ^ HALF);
    localparam [Q_W-1:0] FACTOR = INVERSE[Q_W-1:0];

    // Digits of places below that.
    function integer digits(input integer places);
        integer i;
        begin
            digits = 0;
            for (i = 0; i < places; i = i + 1) if (PLUS[i] || MINUS[i]) digits = digits + 1;
        end
    endfunction

    // A word for each digit, and one for each bit of the residue. For a digit -1 it is the inverted number; what that is too small by, the
    // digits -1 themselves, is in the first word of the residue.
    localparam DIGITS = digits(Q_W);
    localparam ROWS = DIGITS + R_W;
    wire [WIDTH+Q_W-1:0] long_number = {{Q_W{1'b0}}, number};
    wire                 unused_number = &{1'b0, long_number};
    wire [ROWS*Q_W-1:0]  rows;
    genvar i;
    generate
        for (i = 0; i < Q_W; i = i + 1) begin : gen_digit
            localparam AT = digits(i) * Q_W;
            if (PLUS[i]) begin : gen_plus
                assign rows[AT+:Q_W] = long_number[Q_W-1:0] << i;
            end else if (MINUS[i]) begin : gen_minus
                assign rows[AT+:Q_W] = ~long_number[Q_W-1:0] << i;
            end
        end
        for (i = 0; i < R_W; i = i + 1) begin : gen_residue
            localparam [Q_W-1:0] OFF = (i == 0) ? MINUS[Q_W-1:0] : {Q_W{1'b0}};
            localparam [Q_W-1:0] ON = OFF - (FACTOR << i);
            assign rows[(DIGITS+i)*Q_W+:Q_W] = residue[i] ? ON : OFF;
        end
    endgenerate
    mt_sum_rows #(
        .ROWS(ROWS),
        .W   (Q_W)
    ) u_sum (
        .rows(rows),
        .sum (quotient)
    );
endmodule

`default_nettype wire
