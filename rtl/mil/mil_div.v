// SPDX-License-Identifier: Apache-2.0
// Unsigned divider that computes one quotient bit per cycle for N cycles after `start`. `quotient` is valid in the last
// cycle (`last`), and `rest` after it. A divisor of 0 starts no division and sets `by_0`. `start` restarts the divider
// at any time.
`default_nettype none
`include "mt_reset.vh"

module mil_div #(
    // width of the dividend and the quotient, at least 2 bits; width of the divisor
    parameter N = 8,
    parameter D = 2
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         clear,
    input  wire         start,
    input  wire [N-1:0] dividend,
    input  wire [D-1:0] divisor,
    output wire         last,
    output wire [N-1:0] quotient,
    output wire         by_0,
    output reg  [D-1:0] rest
);
    localparam LEFT_W = $clog2(N + 1);
    localparam [LEFT_W-1:0] STEPS = N[LEFT_W-1:0];
    localparam [LEFT_W-1:0] ONE = 1;

    reg  [LEFT_W-1:0] left;  // number of remaining steps
    reg  [N-1:0]      num;   // upper bits: remaining dividend; lower bits: quotient so far
    reg  [D-1:0]      den;
    wire [D:0]        part = {rest, num[N-1]};
    wire              fits = part >= {1'b0, den};
    wire [D:0]        less = part - {1'b0, den};
    wire              unused_less = &{1'b0, less[D]};

    assign last     = left == ONE;
    assign quotient = {num[N-2:0], fits};
    assign by_0     = den == {D{1'b0}};

    always @(posedge clk `MT_OR_RST)
        if (rst) left <= {LEFT_W{1'b0}};
        else if (clear) left <= {LEFT_W{1'b0}};
        else if (start) left <= STEPS;
        else if (left != {LEFT_W{1'b0}}) left <= left - ONE;
    always @(posedge clk)
        if (start) begin
            num  <= dividend;
            den  <= divisor;
            rest <= {D{1'b0}};
        end else if (left != {LEFT_W{1'b0}}) begin
            num  <= quotient;
            rest <= fits ? less[D-1:0] : part[D-1:0];
        end

`ifdef FORMAL
`include "mil_div_contract.vh"
`endif
endmodule

`default_nettype wire
