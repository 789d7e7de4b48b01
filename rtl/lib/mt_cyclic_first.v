// SPDX-License-Identifier: Apache-2.0
// Cyclic priority encoder: selects the lowest set bit of `in` that is also set in `start`, else the lowest set bit.
// Combinational.
// For a round robin, store `start` in a register as a thermometer code: all bits above the last winner, or, to select
// the winner again, the winner and all bits above it.
`default_nettype none

module mt_cyclic_first #(
    // vector width in bits, at least 1
    parameter N = 8
) (
    input  wire [N-1:0] in,
    input  wire [N-1:0] start,
    output wire [N-1:0] first,  // one-hot; 0 if `in` is 0
    output wire         any,
    output wire [N-1:0] from    // the selected bit and all bits above it
);
    localparam LEVELS = (N < 2) ? 1 : $clog2(N);

    reg [N-1:0] seen, seen_start;  // prefix OR of `in` and of `in & start`
    integer     k;
    always @* begin
        seen       = in;
        seen_start = in & start;
        for (k = 0; k < LEVELS; k = k + 1) begin
            seen       = seen | (seen << (1 << k));
            seen_start = seen_start | (seen_start << (1 << k));
        end
    end

    assign from  = seen_start[N-1] ? seen_start : seen;
    assign first = from & ~(from << 1);
    assign any   = seen[N-1];

`ifdef FORMAL
    (* anyconst *) reg [N-1:0] f_at;  // a bit position, one-hot
    wire [N-1:0] f_below = f_at - 1'b1;
    wire [N-1:0] f_in = (in & start) != 0 ? in & start : in;
    always @* begin
        r_place: assume (f_at != 0 && (f_at & f_below) == 0);
        a_first: assert (|(first & f_at) == (|(f_in & f_at) && (f_in & f_below) == 0));
        a_any:   assert (any == (in != 0));
        a_from:  assert (|(from & f_at) == |(f_in & (f_at | f_below)));
        c_round: cover (first[0] && start[N-1] && !start[0]);
    end
`endif
endmodule

`default_nettype wire
