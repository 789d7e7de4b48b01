// The longest queue of each branch, among those of a set; of equally long ones the lowest. Combinational, all branches at once.
// Bit q*LANES + k of a vector is queue q of branch k. Lengths are thermometers, so the longest are those that have every bit that
// any of the set has.
`default_nettype none

module cart_longest #(
    // queues of a branch
    parameter N = 8,
    // branches
    parameter LANES = 16,
    // places of a queue
    parameter DEPTH = 2
) (
    input  wire [N*LANES-1:0]       in,       // the set: queues that are not empty
    input  wire [DEPTH*N*LANES-1:0] len,      // len[l*N*LANES +: N*LANES]: more than l requests
    output wire [N*LANES-1:0]       longest,  // one-hot in each lane, or 0 where the set is empty
    output reg  [DEPTH*LANES-1:0]   most      // how long: most[l*LANES +: LANES]
);
    localparam S = N * LANES;

    reg     [S-1:0] as_long;
    integer         l, q;
    always @* begin
        as_long = in;
        for (l = 0; l < DEPTH; l = l + 1) begin
            most[l*LANES+:LANES] = {LANES{1'b0}};
            for (q = 0; q < N; q = q + 1) most[l*LANES+:LANES] = most[l*LANES+:LANES] | (in[q*LANES+:LANES] & len[l*S+q*LANES+:LANES]);
            if (l > 0) as_long = as_long & (len[l*S+:S] | ~{N{most[l*LANES+:LANES]}});
        end
    end

    mt_lanes_first #(
        .N    (N),
        .LANES(LANES)
    ) u_first (
        .in   (as_long),
        .first(longest)
    );
endmodule

`default_nettype wire
