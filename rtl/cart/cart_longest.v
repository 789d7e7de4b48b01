// SPDX-License-Identifier: Apache-2.0
// The longest queue of each branch, among those of a set; of equally long ones the lowest. Combinational, all branches at once.
// Bit q*LANES + k of a vector is queue q of branch k. Lengths are thermometers: the first queue of each length is looked for beside all
// the others, while it is found out how long the longest is.
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
    output reg  [N*LANES-1:0]       longest,  // one-hot in each lane, or 0 where the set is empty
    output reg  [DEPTH*LANES-1:0]   most      // how long: most[l*LANES +: LANES]
);
    localparam S = N * LANES;

    wire [DEPTH*S-1:0] first;  // the lowest of those that are as long, or longer
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
            for (q = 0; q < N; q = q + 1) most[l*LANES+:LANES] = most[l*LANES+:LANES] | (in[q*LANES+:LANES] & len[l*S+q*LANES+:LANES]);
        end
        longest = first[(DEPTH-1)*S+:S];
        for (l = 0; l < DEPTH - 1; l = l + 1) longest = longest | (first[l*S+:S] & ~{N{most[(l+1)*LANES+:LANES]}});
    end
endmodule

`default_nettype wire
