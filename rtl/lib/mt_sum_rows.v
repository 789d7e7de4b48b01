// SPDX-License-Identifier: Apache-2.0
// Computes the sum of ROWS words modulo 2^W, or LEFT words with that sum. Each carry-save level reduces three words to
// two, until LEFT words remain, or two for one adder. Combinational.
`default_nettype none

module mt_sum_rows #(
    // number of words, 2..512
    parameter ROWS = 3,
    // word width, 1..64 bits
    parameter W = 8,
    // number of words in the result, 1..ROWS
    parameter LEFT = 1
) (
    input  wire [ROWS*W-1:0] rows,  // word i at i * W
    output wire [LEFT*W-1:0] sum
);
    // Illegal parameters instantiate a missing module, which stops elaboration in every tool.
    generate
        if (ROWS < 2 || ROWS > 512) begin : gen_bad_rows
            ILLEGAL_ROWS_must_be_2_to_512 u_illegal ();
        end
        if (W < 1 || W > 64) begin : gen_bad_w
            ILLEGAL_W_must_be_1_to_64 u_illegal ();
        end
        if (LEFT < 1 || LEFT > ROWS) begin : gen_bad_left
            ILLEGAL_LEFT_must_be_1_to_ROWS u_illegal ();
        end
    endgenerate

    localparam UPTO = (LEFT < 2) ? 2 : LEFT;

    // Returns the number of words after `levels` levels. A level adds no more triples than necessary.
    function integer left(input integer levels);
        integer n, triples;
        begin
            left = ROWS;
            for (n = 0; n < levels; n = n + 1) begin
                triples = left / 3;
                if (triples > left - UPTO) triples = left - UPTO;
                left = left - triples;
            end
        end
    endfunction

    function integer levels_of(input integer unused_zero);
        integer n;
        begin
            levels_of = 0;
            for (n = 0; n < 16; n = n + 1) if (left(n) > UPTO) levels_of = n + 1;
        end
    endfunction

    localparam LEVELS = levels_of(0);

    genvar l, i;
    generate
        for (l = 0; l <= LEVELS; l = l + 1) begin : gen_level
            localparam WORDS = left(l);
            wire [WORDS*W-1:0] at;
            if (l == 0) begin : gen_rows
                assign at = rows;
            end else begin : gen_adders
                localparam TRIPLES = left(l - 1) - WORDS;
                localparam REST = left(l - 1) - 3 * TRIPLES;  // words passed unchanged to the next level
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
        if (LEFT == 1) begin : gen_adder
            assign sum = gen_level[LEVELS].at[W-1:0] + gen_level[LEVELS].at[2*W-1:W];
        end else begin : gen_no_adder
            assign sum = gen_level[LEVELS].at;
        end
    endgenerate
endmodule

`default_nettype wire
