// SPDX-License-Identifier: Apache-2.0
// Finds the longest queue of each branch in a set of queues; of equally long queues, the lowest. Combinational; all
// branches are evaluated in parallel.
// Bit q*LANES + k of a vector is queue q of branch k. Lengths are thermometer codes: the first queue of each length is
// found in parallel with the greatest length.
`default_nettype none

module cart_longest #(
    // number of leaf queues per branch
    parameter N = 8,
    // number of branches
    parameter LANES = 16,
    // number of entries per queue
    parameter DEPTH = 2
) (
    input  wire [N*LANES-1:0]       in,       // the set; it contains no empty queue
    input  wire [DEPTH*N*LANES-1:0] len,      // len[l*N*LANES +: N*LANES]: queues with more than l requests
    output reg  [N*LANES-1:0]       longest,  // one-hot in each lane; 0 if the set is empty
    output reg  [DEPTH*LANES-1:0]   most      // length of that queue: most[l*LANES +: LANES]
);
    localparam S = N * LANES;

    wire [DEPTH*S-1:0] first;  // lowest queue with at least this length
    genvar             g;
    generate
        for (g = 0; g < DEPTH; g = g + 1) begin : gen_length
            mt_lanes_first #(
                .N    (N),
                .LANES(LANES)
            ) u_first (
                .in   (in & len[g*S+:S]),
                .first(first[g*S+:S])
            );
        end
    endgenerate

    integer l, q;
    always @* begin
        for (l = 0; l < DEPTH; l = l + 1) begin
            most[l*LANES+:LANES] = {LANES{1'b0}};
            for (q = 0; q < N; q = q + 1)
                most[l*LANES+:LANES] = most[l*LANES+:LANES] | (in[q*LANES+:LANES] & len[l*S+q*LANES+:LANES]);
        end
        longest = first[(DEPTH-1)*S+:S];
        for (l = 0; l < DEPTH - 1; l = l + 1) longest = longest | (first[l*S+:S] & ~{N{most[(l+1)*LANES+:LANES]}});
    end
endmodule

`default_nettype wire
