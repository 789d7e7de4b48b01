// SPDX-License-Identifier: Apache-2.0
// Connects an incoming block and one property for a proof (docs/results/verification.md).
// `bad` must never be 1, for any inputs and any state before the first cycle, which is a reset. tb/formal/run.sh writes
// formal_point.vh, which defines DUT and PROPERTY (module names), the PARAMETERS of both, ADDR_W and ID_W.
`default_nettype none
`include "formal_point.vh"

module formal_top (
    input  wire               clk,
    input  wire               any_rst,
    input  wire               fill_valid,
    input  wire [`ADDR_W-1:0] fill_addr,
    input  wire               drain_ready,
    input  wire [`ID_W-1:0]   choose,       // any value, for use by the property
    output wire               bad
);
    reg                started;
    wire               rst = any_rst || !started;
    wire               fill_ready, drain_valid;
    wire [1:0]         fill_refuse;
    wire [2:0]         drain_why;
    wire [`ADDR_W-1:0] drain_addr;
    wire [`ID_W-1:0]   fill_id, drain_id;
    wire [17:0]        st_requests;
    wire [12:0]        st_queues;
    wire               wrong, holds;
    wire [1:0]         inside_label;
    wire [`ADDR_W-1:0] inside_addr;
    wire [`ID_W-1:0]   inside_id;
    wire [17:0]        inside_count, older;
    wire [15:0]        past;
    wire               known;

    initial started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    assign bad = started && (wrong || !holds);

    `DUT #(
        `DUT_PARAMETERS
    ) u_dut (
        .clk        (clk),
        .rst        (rst),
        .fill_valid (fill_valid),
        .fill_addr  (fill_addr),
        .fill_id    (fill_id),
        .fill_ready (fill_ready),
        .fill_refuse(fill_refuse),
        .drain_valid(drain_valid),
        .drain_addr (drain_addr),
        .drain_id   (drain_id),
        .drain_why  (drain_why),
        .drain_ready(drain_ready),
        .st_requests(st_requests),
        .st_queues  (st_queues)
    );
    `PROPERTY #(
        `PROPERTY_PARAMETERS
    ) u_property (
        .clk         (clk),
        .rst         (rst),
        .fill_valid  (fill_valid),
        .fill_addr   (fill_addr),
        .fill_id     (fill_id),
        .fill_ready  (fill_ready),
        .fill_refuse (fill_refuse),
        .drain_valid (drain_valid),
        .drain_addr  (drain_addr),
        .drain_id    (drain_id),
        .drain_why   (drain_why),
        .drain_ready (drain_ready),
        .st_requests (st_requests),
        .choose      (choose),
        .wrong       (wrong),
        .inside_label(inside_label),
        .inside_addr (inside_addr),
        .inside_id   (inside_id),
        .inside_count(inside_count)
`ifdef AGED
        ,
        .inside_known(known),
        .inside_older(older),
        .inside_past (past)
`endif
    );
`ifndef AGED
    assign known = 1'b0;
    assign older = 18'd0;
    assign past  = 16'd0;
`endif
`ifdef STATE
`include "formal_state.vh"
`else
    assign holds = 1'b1;
`endif
endmodule

`default_nettype wire
