// SPDX-License-Identifier: Apache-2.0
// A saturating counter that is halved at the end of an interval.
`default_nettype none
`include "mt_reset.vh"

module bpg_counter #(
    // width, at least 2 bits
    parameter W = 10
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         clear,
    input  wire         one,    // increment
    input  wire         halve,  // keep half of `total`
    output wire [W-1:0] total   // including this cycle's event
);
    reg  [W-1:0] count;
    wire [W-1:0] count_next = halve ? {1'b0, total[W-1:1]} : total;
    assign total = one ? count + {{W - 1{1'b0}}, !(&count)} : count;

    always @(posedge clk `MT_OR_RST)
        if (rst) count <= {W{1'b0}};
        else if (clear) count <= {W{1'b0}};
        else count <= count_next;

`ifdef FORMAL
    localparam [W:0] F_MOST = {1'b0, {W{1'b1}}};
    wire [W:0] f_sum = {1'b0, count} + {{W{1'b0}}, one};
    always @* begin
        stays_at_most: assert ({1'b0, total} == (f_sum > F_MOST ? F_MOST : f_sum));
        halved_down:   assert (count_next == (halve ? total >> 1 : total));
        c_most: cover (&count && one && halve);
    end
`endif
endmodule

`default_nettype wire
