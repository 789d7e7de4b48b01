// SPDX-License-Identifier: Apache-2.0
// The remainder of a number, as a polynomial over GF(2), modulo a constant one: a tree of XORs for each bit. Combinational.
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
    localparam [31:0] POLY_32 = POLY;
    localparam [DEGREE:0] MODULUS = POLY_32[DEGREE:0];

    // At bit * WIDTH: the bits of the number that the bit of the remainder is the XOR of.
    function [DEGREE*WIDTH-1:0] all_masks(input integer unused_zero);
        integer        place, b;
        reg [DEGREE:0] power;
        begin
            all_masks = {DEGREE * WIDTH{1'b0}};
            power = 1;
            for (place = 0; place < WIDTH; place = place + 1) begin
                for (b = 0; b < DEGREE; b = b + 1) all_masks[b*WIDTH+place] = power[b];
                power = power << 1;
                if (power[DEGREE]) power = power ^ MODULUS;
            end
        end
    endfunction
    localparam [DEGREE*WIDTH-1:0] MASKS = all_masks(0);

    genvar i;
    generate
        for (i = 0; i < DEGREE; i = i + 1) begin : gen_bit
            assign remainder[i] = ^(number & MASKS[i*WIDTH+:WIDTH]);
        end
    endgenerate
endmodule

`default_nettype wire
