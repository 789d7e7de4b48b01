// SPDX-License-Identifier: Apache-2.0
// Observer of aging_arbiter: the block and its observed port.
`default_nettype none

module aging_arbiter_observe #(
    parameter REQUESTERS = 4,
    parameter AGE = 8
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [REQUESTERS-1:0] req,
    input  wire                  take,
    output wire                  valid,
    output wire [REQUESTERS-1:0] grant,
    output wire [REQUESTERS-1:0] st_old
);
    aging_arbiter #(
        .REQUESTERS(REQUESTERS),
        .AGE       (AGE)
    ) u_block (
        .clk  (clk),
        .rst  (rst),
        .req  (req),
        .take (take),
        .valid(valid),
        .grant(grant)
    );

`ifdef YOSYS
    (* hierconn *) wire [REQUESTERS-1:0] \u_block.old ;
`endif
    assign st_old = u_block.old;
endmodule

`default_nettype wire
