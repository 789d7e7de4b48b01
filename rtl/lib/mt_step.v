// The next value of a count of 0..MAX: one more, one less, or the same. Combinational.
// Both sums are made beside `up` and `down`, which may come late, and not behind them.
`default_nettype none

module mt_step #(
    // bits of the count
    parameter W = 4,
    // the largest value, below 2**W
    parameter MAX = 8
) (
    input  wire [W-1:0] count,
    input  wire         up,
    input  wire         down,
    output wire [W-1:0] next,
    output wire         passes  // below 0 or above MAX
);
    localparam [W-1:0] ONE = 1;

    wire [W-1:0] more = count + ONE;
    wire [W-1:0] less = count - ONE;

    assign next   = (count & {W{up == down}}) | (more & {W{up && !down}}) | (less & {W{down && !up}});
    assign passes = (up && !down && count == MAX[W-1:0]) || (down && !up && count == {W{1'b0}});

`ifdef FORMAL
    wire [W:0] f_next = {1'b0, count} + up - down;
    always @* begin
        a_next:   assert (next == f_next[W-1:0]);
        a_passes: assert (count > MAX || passes == (f_next > MAX));
        c_passes: cover (passes && up && count <= MAX);
        c_below:  cover (passes && down && count <= MAX);
    end
`endif
endmodule

`default_nettype wire
