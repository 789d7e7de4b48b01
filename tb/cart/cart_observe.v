// SPDX-License-Identifier: Apache-2.0
// Observer of cart: the block with the st_ ports, for verification.
`default_nettype none
`include "incoming_defs.vh"
`include "tb/incoming/incoming_observe.v"

module cart_observe #(
    parameter ADDR_W = 21,
    parameter ID_W = 24,
    parameter DEPTH = 2,
    parameter BANKS = 16,
    parameter BANK_MASK = 450,
    parameter COL_MASK = 61,
    parameter ROWS = 4,
    parameter COLS = 2,
    parameter POLICY = 0,
    parameter AGE_LIMIT = 0,
    parameter FILL = 0,
    parameter COL_DROP = 0,
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
    cart #(
        .ADDR_W   (ADDR_W),
        .ID_W     (ID_W),
        .DEPTH    (DEPTH),
        .BANKS    (BANKS),
        .BANK_MASK(BANK_MASK),
        .COL_MASK (COL_MASK),
        .ROWS     (ROWS),
        .COLS     (COLS),
        .POLICY   (POLICY),
        .AGE_LIMIT(AGE_LIMIT),
        .FILL     (FILL),
        .COL_DROP (COL_DROP),
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
    (* hierconn *) wire \u_block.take ;
    (* hierconn *) wire [BANKS*ROWS*COLS-1:0] \u_block.u_queues.closes ;
    (* hierconn *) wire [ROWS*COLS-1:0] \u_block.fill_queue ;
    (* hierconn *) wire [BANKS-1:0] \u_block.at_fill ;
    (* hierconn *) wire [BANKS-1:0] \u_block.drain_at ;
    (* hierconn *) wire [ROWS*COLS-1:0] \u_block.drain_queue ;
`endif
    wire enter = fill_valid && fill_ready;
    wire leave = drain_valid && drain_ready;
    wire again = enter && u_block.at_fill == u_block.drain_at && u_block.fill_queue == u_block.drain_queue;

    incoming_observe u_observe (
        .clk     (clk),
        .rst     (rst),
        .enter   (enter),
        .leave   (leave),
        .open    (enter && u_block.take),
        .close   (|u_block.u_queues.closes && !again),
        .requests(st_requests),
        .queues  (st_queues)
    );
endmodule

`default_nettype wire
