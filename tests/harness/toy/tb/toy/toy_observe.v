// SPDX-License-Identifier: Apache-2.0
// Observer of toy: the block with the st_ port, for verification.
`default_nettype none

module toy_observe #(
    parameter WIDTH = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             put_valid,
    input  wire [WIDTH-1:0] put_value,
    output wire             get_valid,
    output wire [WIDTH-1:0] get_value,
    output wire             st_same
);
    toy #(
        .WIDTH(WIDTH)
    ) u_block (
        .clk      (clk),
        .rst      (rst),
        .put_valid(put_valid),
        .put_value(put_value),
        .get_valid(get_valid),
        .get_value(get_value)
    );

`ifdef YOSYS
    (* hierconn *) wire [WIDTH-1:0] \u_block.get_value ;
`endif
    assign st_same = u_block.get_value == put_value;
endmodule

`default_nettype wire
