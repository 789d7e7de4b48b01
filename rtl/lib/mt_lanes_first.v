// mt_first_one in LANES independent vectors at once: bit i of lane k is in[i*LANES + k]. Combinational.
`default_nettype none

module mt_lanes_first #(
    // bits of a vector, 1 and up
    parameter N = 8,
    // vectors, 1 and up
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
endmodule

`default_nettype wire
