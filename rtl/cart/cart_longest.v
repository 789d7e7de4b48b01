// SPDX-License-Identifier: Apache-2.0
// Finds the longest queue in a set of queues; of equally long queues, the lowest. Combinational.
// Lengths are thermometer codes: the first queue of each length is found in parallel with the greatest length.
`default_nettype none

module cart_longest #(
    // number of queues
    parameter N = 8,
    // number of entries per queue
    parameter DEPTH = 2
) (
    input  wire [N-1:0]       in,       // the set; it contains no empty queue
    input  wire [N*DEPTH-1:0] lengths,  // DEPTH bits per queue
    output reg  [N-1:0]       longest,  // one-hot; 0 if the set is empty
    output wire [DEPTH-1:0]   length    // length of that queue
);
    wire [DEPTH*N-1:0] first;  // lowest queue with at least this length
    genvar             l, q;
    generate
        for (l = 0; l < DEPTH; l = l + 1) begin : gen_length
            wire [N-1:0] longer;  // queues with more than l requests
            for (q = 0; q < N; q = q + 1) begin : gen_queue
                assign longer[q] = in[q] && lengths[q*DEPTH+l];
            end
            mt_first_one #(
                .N(N)
            ) u_first (
                .in   (longer),
                .first(first[l*N+:N]),
                .any  (length[l])
            );
        end
    endgenerate

    integer i;
    always @* begin
        longest = first[(DEPTH-1)*N+:N];
        for (i = 0; i < DEPTH - 1; i = i + 1) longest = longest | (first[i*N+:N] & {N{!length[i+1]}});
    end
endmodule

`default_nettype wire
