// SPDX-License-Identifier: Apache-2.0
// One-hot AND-OR multiplexer like mt_onehot_mux, for words stored as columns: bit b of word i is cols[b*N + i].
// Combinational.
`default_nettype none

module mt_column_mux #(
    // number of words, at least 1
    parameter N = 8,
    // word width, at least 1 bit
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

`ifdef FORMAL
    (* anyconst *) reg [N-1:0] f_at;  // a word, one-hot
    reg     [W-1:0] f_word;
    integer         f_b;
    always @* begin
        for (f_b = 0; f_b < W; f_b = f_b + 1) f_word[f_b] = |(cols[f_b*N+:N] & f_at);
        r_place: assume (f_at != 0 && (f_at & (f_at - 1'b1)) == 0);
        a_word:  assert (sel != f_at || word == f_word);
        a_none:  assert (sel != 0 || word == 0);
        c_high:  cover (sel == f_at && f_at[N-1] && word[W-1]);
    end
`endif
endmodule

`default_nettype wire
