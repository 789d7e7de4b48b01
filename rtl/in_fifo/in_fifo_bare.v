// SPDX-License-Identifier: Apache-2.0
// in_fifo without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.
`default_nettype none

module in_fifo_bare #(
    // bits of a line number within the channel, 1..48
    parameter ADDR_W = 21,
    // bits of a request ID, 1..32
    parameter ID_W = 24,
    // places, 1..16384
    parameter DEPTH = 8
) (
    input  wire clk,
    input  wire rst,
    input  wire fill_valid,
    input  wire [ADDR_W-1:0] fill_addr,
    input  wire [ID_W-1:0] fill_id,
    output wire fill_ready,
    output wire [1:0] fill_refuse,
    output wire drain_valid,
    output wire [ADDR_W-1:0] drain_addr,
    output wire [ID_W-1:0] drain_id,
    output wire [2:0] drain_why,
    input  wire drain_ready
);
    wire [17:0] st_requests;
    wire [12:0] st_queues;
    wire unused_state = &{1'b0, st_requests, st_queues};

    in_fifo #(
        .ADDR_W(ADDR_W),
        .ID_W(ID_W),
        .DEPTH(DEPTH),
        .OBSERVE(0)
    ) u_block (
        .clk(clk),
        .rst(rst),
        .fill_valid(fill_valid),
        .fill_addr(fill_addr),
        .fill_id(fill_id),
        .fill_ready(fill_ready),
        .fill_refuse(fill_refuse),
        .drain_valid(drain_valid),
        .drain_addr(drain_addr),
        .drain_id(drain_id),
        .drain_why(drain_why),
        .drain_ready(drain_ready),
        .st_requests(st_requests),
        .st_queues(st_queues)
    );
endmodule

`default_nettype wire
