// SPDX-License-Identifier: Apache-2.0
// Computes the remainder of a number modulo a constant, both as polynomials over GF(2). Each remainder bit is the XOR
// of some bits of the number. Combinational.
`default_nettype none

module mt_mod_poly #(
    // input width, 1..48 bits
    parameter WIDTH = 40,
    // degree of the modulus, which is the remainder width, 1..16
    parameter DEGREE = 5,
    // modulus, including its highest term
    parameter POLY = 37
) (
    input  wire [WIDTH-1:0]  number,
    output wire [DEGREE-1:0] remainder
);
    // Illegal parameters instantiate a missing module, which stops elaboration in every tool.
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

    // Returns a mask of 48 bits for each remainder bit, which is the XOR of the masked bits. There is one entry more
    // than the greatest legal DEGREE, so that an illegal DEGREE reaches its ILLEGAL_ message.
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
