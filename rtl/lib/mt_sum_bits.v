// SPDX-License-Identifier: Apache-2.0
// Computes the sum of a constant and the weights of the bits that are 1, modulo 2^W. Combinational.
`default_nettype none

module mt_sum_bits #(
    // number of input bits, 1..254
    parameter N = 8,
    // width of the sum and of each weight, 1..64 bits
    parameter W = 8,
    // weights of the input bits; the weight of bit i is at i * W
    parameter [N*W-1:0] WEIGHTS = {N * W{1'b1}},
    // constant added to the sum
    parameter [W-1:0] BASE = 0
) (
    input  wire [N-1:0] bits,
    output wire [W-1:0] sum
);
    // Illegal parameters instantiate a missing module, which stops elaboration in every tool.
    generate
        if (N < 1 || N > 254) begin : gen_bad_n
            ILLEGAL_N_must_be_1_to_254 u_illegal ();
        end
        if (W < 1 || W > 64) begin : gen_bad_w
            ILLEGAL_W_must_be_1_to_64 u_illegal ();
        end
    endgenerate

    // Each column collects the bits whose weight has a 1 in that position, and the columns are packed into words.
    // Returns the number of words, which is the size of the fullest column, but at least the 2 that mt_sum_rows
    // requires.
    function integer fullest(input integer unused_zero);
        integer b, c, n;
        begin
            fullest = 2;
            for (c = 0; c < W; c = c + 1) begin
                n = {31'b0, BASE[c]};
                for (b = 0; b < N; b = b + 1) n = n + {31'b0, WEIGHTS[b*W+c]};
                if (n > fullest) fullest = n;
            end
        end
    endfunction

    localparam ROWS = fullest(0);
    localparam [7:0] ONE = 255;

    // Returns 8 bits per bit position c of word r, at (r * W + c) * 8: 0 if empty, i + 1 for bit i, ONE for a 1 of
    // BASE.
    function [ROWS*W*8-1:0] placed(input integer unused_zero);
        integer b, c, n;
        begin
            placed = {ROWS * W * 8{1'b0}};
            for (c = 0; c < W; c = c + 1) begin
                n = {31'b0, BASE[c]};
                if (BASE[c]) placed[c*8+:8] = ONE;
                for (b = 0; b < N; b = b + 1)
                    if (WEIGHTS[b*W+c]) begin
                        placed[(n*W+c)*8+:8] = b[7:0] + 8'd1;
                        n = n + 1;
                    end
            end
        end
    endfunction

    localparam [ROWS*W*8-1:0] PLACED = placed(0);

    wire [ROWS*W-1:0] rows;
    genvar i;
    generate
        for (i = 0; i < ROWS * W; i = i + 1) begin : gen_place
            localparam [31:0] AT = {24'd0, PLACED[i*8+:8]};
            if (AT == 0) begin : gen_none
                assign rows[i] = 1'b0;
            end else if (AT == {24'd0, ONE}) begin : gen_one
                assign rows[i] = 1'b1;
            end else begin : gen_bit
                assign rows[i] = bits[AT-1];
            end
        end
    endgenerate

    mt_sum_rows #(
        .ROWS(ROWS),
        .W   (W)
    ) u_rows (
        .rows(rows),
        .sum (sum)
    );
    wire unused_bits = &{1'b0, bits};  // a bit whose weight is 0 is unused
endmodule

`default_nettype wire
