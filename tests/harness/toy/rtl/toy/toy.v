// SPDX-License-Identifier: Apache-2.0
// toy: one register that shows the last value that was put. The contract is docs/understand/toy.md.
`default_nettype none

module toy #(
    // bits of the value, 1..64
    parameter WIDTH = 8,
    // 1: the st_ ports show the state, for verification; 0: they are 0, and what only they read is gone
    parameter OBSERVE = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             put_valid,
    input  wire [WIDTH-1:0] put_value,
    output reg              get_valid,
    output reg  [WIDTH-1:0] get_value,
    output wire             st_same
);
    generate
        if (WIDTH < 1 || WIDTH > 64) begin : gen_bad_width
            ILLEGAL_WIDTH_must_be_1_to_64 u_illegal ();
        end
        if (OBSERVE < 0 || OBSERVE > 1) begin : gen_bad_observe
            ILLEGAL_OBSERVE_must_be_0_or_1 u_illegal ();
        end
        if (OBSERVE != 0) begin : gen_observe
            assign st_same = get_value == put_value;
        end else begin : gen_no_observe
            assign st_same = 1'b0;
        end
    endgenerate

    always @(posedge clk) begin
        if (rst) begin
            get_valid <= 1'b0;
            get_value <= {WIDTH{1'b0}};
        end else if (put_valid) begin
            get_valid <= 1'b1;
            get_value <= put_value;
        end
    end
endmodule

`default_nettype wire
