// SPDX-License-Identifier: Apache-2.0
// Keeps only the lowest set bit of each of LANES independent vectors: bit i of lane k is in[i*LANES + k].
// Combinational.
`default_nettype none

module mt_lanes_first #(
    // vector width, at least 1 bit
    parameter N = 8,
    // number of vectors, at least 1
    parameter LANES = 16
) (
    input  wire [N*LANES-1:0] in,
    output wire [N*LANES-1:0] first  // one-hot in each lane, or 0 where the lane is 0
);
    localparam LEVELS = (N < 2) ? 1 : $clog2(N);

    reg [N*LANES-1:0] seen;
    integer           k;
    always @* begin
        seen = in;
        for (k = 0; k < LEVELS; k = k + 1) seen = seen | (seen << (LANES << k));
    end
    assign first = in & ~(seen << LANES);

`ifdef FORMAL
    (* anyconst *) reg [N-1:0] f_at;  // a bit position and a lane, each one-hot
    (* anyconst *) reg [LANES-1:0] f_lane;
    reg [N-1:0] f_in, f_first;
    wire [N-1:0] f_below = f_at - 1'b1;
    integer f_i;
    always @* begin
        for (f_i = 0; f_i < N; f_i = f_i + 1) begin
            f_in[f_i]    = |(in[f_i*LANES+:LANES] & f_lane);
            f_first[f_i] = |(first[f_i*LANES+:LANES] & f_lane);
        end
        r_place: assume (f_at != 0 && (f_at & f_below) == 0);
        r_lane:  assume (f_lane != 0 && (f_lane & (f_lane - 1'b1)) == 0);
        a_first: assert (|(f_first & f_at) == (|(f_in & f_at) && (f_in & f_below) == 0));
        c_high:  cover (f_first[N-1] && f_lane[LANES-1]);
    end
`endif
endmodule

`default_nettype wire
