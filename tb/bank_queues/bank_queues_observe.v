// SPDX-License-Identifier: Apache-2.0
// Observer of bank_queues: the block with the st_ ports, for verification.
`default_nettype none
`include "incoming_defs.vh"
`include "tb/incoming/incoming_observe.v"

module bank_queues_observe #(
    parameter ADDR_W = 21,
    parameter ID_W = 24,
    parameter DEPTH = 16,
    parameter BANKS = 16,
    parameter BANK_MASK = 450,
    parameter QUEUES = 16,
    parameter HOLD = 1
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          fill_valid,
    input  wire [ADDR_W-1:0]             fill_addr,
    input  wire [ID_W-1:0]               fill_id,
    output wire                          fill_ready,
    output wire [1:0]                    fill_refuse,
    output wire                          drain_valid,
    output wire [ADDR_W-1:0]             drain_addr,
    output wire [ID_W-1:0]               drain_id,
    output wire [2:0]                    drain_why,
    input  wire                          drain_ready,
    output wire [`INCOMING_COUNT_W-1:0]  st_requests,
    output wire [`INCOMING_QUEUES_W-1:0] st_queues
);
    bank_queues #(
        .ADDR_W   (ADDR_W),
        .ID_W     (ID_W),
        .DEPTH    (DEPTH),
        .BANKS    (BANKS),
        .BANK_MASK(BANK_MASK),
        .QUEUES   (QUEUES),
        .HOLD     (HOLD)
    ) u_block (
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
        .drain_ready(drain_ready)
    );

`ifdef YOSYS
    (* hierconn *) wire [QUEUES-1:0] \u_block.push ;
    (* hierconn *) wire [QUEUES-1:0] \u_block.pop ;
    (* hierconn *) wire [QUEUES-1:0] \u_block.used ;
    (* hierconn *) wire [QUEUES-1:0] \u_block.last ;
`endif

    incoming_observe u_observe (
        .clk     (clk),
        .rst     (rst),
        .enter   (fill_valid && fill_ready),
        .leave   (drain_valid && drain_ready),
        .open    (|(u_block.push & ~u_block.used)),
        .close   (|(u_block.pop & u_block.last & ~u_block.push)),
        .requests(st_requests),
        .queues  (st_queues)
    );
endmodule

`default_nettype wire
