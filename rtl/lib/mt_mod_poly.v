// SPDX-License-Identifier: Apache-2.0
// The remainder of a number modulo a constant, both as polynomials over GF(2). Each bit of the remainder is the XOR of some bits of the number.
// Combinational.
`default_nettype none

module mt_mod_poly #(
    // bits of the number, 1..48
    parameter WIDTH = 40,
    // the degree of the modulus, 1..16: bits of the remainder
    parameter DEGREE = 5,
    // the modulus, with the bit of its highest term
    parameter POLY = 37
) (
    input  wire [WIDTH-1:0]  number,
    output wire [DEGREE-1:0] remainder
);
    // Illegal parameters instantiate a module that does not exist, which stops elaboration in every tool.
    generate
        if (WIDTH < 1 || WIDTH > 48) begin : gen_bad_width
            ILLEGAL_WIDTH_must_be_1_to_48 u_illegal ();
        end
        if (DEGREE < 1 || DEGREE > 16) begin : gen_bad_degree
            ILLEGAL_DEGREE_must_be_1_to_16 u_illegal ();
        end else if ((POLY >> DEGREE) != 1) begin : gen_bad_poly
            ILLEGAL_POLY_must_have_DEGREE u_illegal ();
        end
    endgenerate

    localparam [31:0] POLY_32 = POLY;
    localparam [DEGREE:0] MODULUS = POLY_32[DEGREE:0];

    // 48 bits for each bit of the remainder: which bits of the number it is the XOR of. One more than there may be, so that every tool gets to the reason.
    function [17*48-1:0] all_masks(input integer unused_zero);
        integer        place, b;
        reg [DEGREE:0] power;
        begin
            all_masks = {17 * 48{1'b0}};
            power = 1;
            for (place = 0; place < WIDTH; place = place + 1) begin
                for (b = 0; b < DEGREE; b = b + 1) all_masks[b*48+place] = power[b];
                power = power << 1;
                if (power[DEGREE]) power = power ^ MODULUS;
            end
        end
    endfunction
    localparam [17*48-1:0] MASKS = all_masks(0);

    genvar i;
    generate
        for (i = 0; i < DEGREE; i = i + 1) begin : gen_bit
            assign remainder[i] = ^(number & MASKS[i*48+:WIDTH]);
        end
    endgenerate
endmodule

`default_nettype wire
