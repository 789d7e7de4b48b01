// SPDX-License-Identifier: Apache-2.0
// toy: one register that shows the last value that was put. The contract is docs/understand/toy.md.
`default_nettype none

module toy #(
    // value width, 1..64 bits
    parameter WIDTH = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             put_valid,
    input  wire [WIDTH-1:0] put_value,
    output reg              get_valid,
    output reg  [WIDTH-1:0] get_value
);
    generate
        if (WIDTH < 1 || WIDTH > 64) begin : gen_bad_width
            ILLEGAL_WIDTH_must_be_1_to_64 u_illegal ();
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
