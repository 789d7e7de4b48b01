// SPDX-License-Identifier: Apache-2.0
// A counter of 0..MAX that starts at MAX and can be incremented, decremented, or both in a cycle.
// `up` and `down` may arrive late in the cycle: they are registered, and added before `count` in the next cycle.
`default_nettype none
`include "mt_reset.vh"

module mt_late_count #(
    // count width, at least 2 bits
    parameter W = 4,
    // largest value, below 2**W
    parameter MAX = 8
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         up,
    input  wire         down,
    output wire [W-1:0] count,
    output wire         any    // count is not 0; available before count
);
    localparam [W-1:0] LAST = MAX[W-1:0];
    localparam [W-1:0] ONE = 1;

    reg [W-1:0] stored;
    reg         increment, decrement;

    assign count = increment ? stored + ONE : decrement ? stored - ONE : stored;
    assign any   = increment || |stored[W-1:1] || (stored[0] && !decrement);

    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            stored    <= LAST;
            increment <= 1'b0;
            decrement <= 1'b0;
        end else begin
            stored    <= count;
            increment <= up && !down;
            decrement <= down && !up;
        end
    end

`ifdef FORMAL
    reg         f_run;  // reset has been applied
    reg         f_passed, f_over;  // the count left its range at the last edge; it did so at an earlier edge
    reg [W-1:0] f_count;
    initial f_run = 1'b0;
    initial f_passed = 1'b0;
    initial f_over = 1'b0;
    always @(posedge clk) begin
        f_run    <= 1'b1;
        f_passed <= !rst && (up && !down && f_count == LAST || down && !up && f_count == 0);
        f_over   <= !rst && (f_over || f_passed);
        f_count  <= rst ? LAST : f_count + up - down;
    end
    always @* begin
        if (!f_run) r_reset: `RULE_mt_late_count (rst);
        if (f_run) begin
            r_over:   `RULE_mt_late_count (!f_over);
            a_count: assert (f_passed || (count == f_count && count <= LAST && !(increment && decrement)));
            a_any:    assert (f_passed || any == (f_count != 0));
            c_both:   cover (up && down && count != LAST && count != 0);
            c_passes: cover (f_passed && decrement);
        end
    end
`endif
endmodule

`default_nettype wire
