// A counter that stays at its greatest value, and is halved when an interval ends.
`default_nettype none

module bpg_counter #(
    // bits, 2 and up
    parameter W = 10
) (
    input  wire         clk,
    input  wire         clear,
    input  wire         one,    // one more
    input  wire         halve,  // half of `total` stays
    output reg  [W-1:0] count,
    output wire [W-1:0] total,  // with this cycle's
    output wire [W-1:0] next    // what stays of it
);
    wire [W-1:0] more = count + {{W - 1{1'b0}}, !(&count)};
    assign total = one ? more : count;
    assign next  = halve ? {1'b0, total[W-1:1]} : total;

    always @(posedge clk)
        if (clear) count <= {W{1'b0}};
        else count <= next;
endmodule

`default_nettype wire
