// One-hot AND-OR multiplexer of N words of W bits. No bit of `sel` set gives 0. Combinational.
// The words come as columns: bit b of word i is cols[b*N + i]. So simulators work on whole columns, and the gates are the same.
`default_nettype none

module mt_onehot_mux #(
    // words, 1 and up
    parameter N = 8,
    // bits of a word, 1 and up
    parameter W = 4
) (
    input  wire [N-1:0]   sel,
    input  wire [N*W-1:0] cols,
    output wire [W-1:0]   word
);
    genvar b;
    generate
        for (b = 0; b < W; b = b + 1) begin : gen_bit
            assign word[b] = |(sel & cols[b*N+:N]);
        end
    endgenerate
endmodule

`default_nettype wire
