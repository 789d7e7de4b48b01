// First one in cyclic order: the lowest set bit of `in` that is also in `start`, else the lowest of all. Combinational.
// For a round robin, register `start` as thermometer: all bits behind the last winner, or from it on to see it first again.
`default_nettype none

module mt_cyclic_first #(
    // bits, 1 and up
    parameter N = 8
) (
    input  wire [N-1:0] in,
    input  wire [N-1:0] start,
    output wire [N-1:0] first,  // one-hot, or 0 when `in` is 0
    output wire         any,
    output wire [N-1:0] from    // the first one and all bits above it
);
    localparam LEVELS = (N < 2) ? 1 : $clog2(N);

    reg [N-1:0] seen, seen_start;  // prefix OR of `in`, and of its part in `start`
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
endmodule

`default_nettype wire
