// SPDX-License-Identifier: Apache-2.0
// One-hot to binary encoder: one OR tree per output bit. Input 0 gives output 0. Combinational.
`default_nettype none

module mt_onehot_enc #(
    // one-hot input width, at least 1 bit
    parameter N = 8,
    // output width, at least log2(N) bits
    parameter W = 3
) (
    input  wire [N-1:0] onehot,
    output wire [W-1:0] bin
);
    // Returns a mask of the positions whose number has bit b set.
    function [N-1:0] positions(input integer b);
        integer i;
        begin
            for (i = 0; i < N; i = i + 1) positions[i] = ((i >> b) & 1) != 0;
        end
    endfunction

    genvar b;
    generate
        for (b = 0; b < W; b = b + 1) begin : gen_bit
            localparam [N-1:0] POSITIONS = positions(b);
            assign bin[b] = |(onehot & POSITIONS);
        end
    endgenerate

`ifdef FORMAL
    (* anyconst *) reg [W-1:0] f_at;
    always @* begin
        a_place: assert (onehot != {{(N - 1) {1'b0}}, 1'b1} << f_at || f_at >= N || bin == f_at);
        a_none:  assert (onehot != 0 || bin == 0);
        c_high:  cover (onehot == {{(N - 1) {1'b0}}, 1'b1} << (N - 1) && bin == N - 1);
    end
`endif
endmodule

`default_nettype wire
