// SPDX-License-Identifier: Apache-2.0
// Computes the product of a and b as LEFT words whose sum is the product modulo 2^(A_W + B_W): carry-save adders reduce
// three words to two until LEFT words remain. Combinational.
`default_nettype none

module cap_product #(
    // widths of a and b, at least 1 bit each (set by cap)
    parameter A_W = 8,
    parameter B_W = 8,
    // number of words in the result, 2 or 3 (set by cap)
    parameter LEFT = 2
) (
    input  wire [A_W-1:0]            a,
    input  wire [B_W-1:0]            b,
    output wire [LEFT*(A_W+B_W)-1:0] words
);
    localparam W = A_W + B_W;

    // Returns the number of words after `levels` levels. A level adds no more triples than necessary.
    function integer left_of(input integer levels);
        integer n, triples;
        begin
            left_of = B_W;
            for (n = 0; n < levels; n = n + 1) begin
                triples = left_of / 3;
                if (triples > left_of - LEFT) triples = left_of - LEFT;
                left_of = left_of - triples;
            end
        end
    endfunction

    function integer levels_of(input integer unused_zero);
        integer n;
        begin
            levels_of = 0;
            for (n = 0; n < 16; n = n + 1) if (left_of(n) > LEFT) levels_of = n + 1;
        end
    endfunction

    localparam LEVELS = levels_of(0);

    genvar l, i;
    generate
        for (l = 0; l <= LEVELS; l = l + 1) begin : gen_level
            localparam WORDS = left_of(l);
            wire [WORDS*W-1:0] at;
            if (l == 0) begin : gen_words
                for (i = 0; i < B_W; i = i + 1) begin : gen_word
                    assign at[i*W+:W] = {{B_W{1'b0}}, a & {A_W{b[i]}}} << i;
                end
            end else begin : gen_adders
                localparam TRIPLES = left_of(l - 1) - WORDS;
                localparam REST = left_of(l - 1) - 3 * TRIPLES;  // words passed unchanged to the next level
                for (i = 0; i < TRIPLES; i = i + 1) begin : gen_adder
                    wire [W-1:0] x = gen_level[l-1].at[(3*i+REST)*W+:W];
                    wire [W-1:0] y = gen_level[l-1].at[(3*i+REST+1)*W+:W];
                    wire [W-1:0] z = gen_level[l-1].at[(3*i+REST+2)*W+:W];
                    assign at[(2*i+REST)*W+:W]   = x ^ y ^ z;
                    assign at[(2*i+REST+1)*W+:W] = ((x & y) | (x & z) | (y & z)) << 1;
                end
                if (REST > 0) begin : gen_rest
                    assign at[REST*W-1:0] = gen_level[l-1].at[REST*W-1:0];
                end
            end
        end
    endgenerate
    assign words = gen_level[LEVELS].at;
endmodule

`default_nettype wire
