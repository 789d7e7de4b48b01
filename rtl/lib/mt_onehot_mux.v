// SPDX-License-Identifier: Apache-2.0
// One-hot AND-OR multiplexer of N words of W bits: word i is words[i*W +: W]. The output is 0 if no bit of `sel` is
// set. Combinational.
`default_nettype none

module mt_onehot_mux #(
    // number of words, at least 1
    parameter N = 8,
    // word width, at least 1 bit
    parameter W = 4
) (
    input  wire [N-1:0]   sel,
    input  wire [N*W-1:0] words,
    output reg  [W-1:0]   word
);
    integer i;
    always @* begin
        word = {W{1'b0}};
        for (i = 0; i < N; i = i + 1) word = word | (words[i*W+:W] & {W{sel[i]}});
    end

`ifdef FORMAL
    (* anyconst *) reg [N-1:0] f_at;  // a word, one-hot
    reg     [W-1:0] f_word;
    integer         f_b, f_i;
    always @* begin
        f_word = {W{1'b0}};
        for (f_i = 0; f_i < N; f_i = f_i + 1)
            for (f_b = 0; f_b < W; f_b = f_b + 1) if (f_at[f_i] && words[f_i*W+f_b]) f_word[f_b] = 1'b1;
        r_place: assume (f_at != 0 && (f_at & (f_at - 1'b1)) == 0);
        a_word:  assert (sel != f_at || word == f_word);
        a_none:  assert (sel != 0 || word == 0);
        c_high:  cover (sel == f_at && f_at[N-1] && word[W-1]);
    end
`endif
endmodule

`default_nettype wire
