// SPDX-License-Identifier: Apache-2.0
// in_fifo: the FIFO incoming buffer of an L2 bank. The contract, cycle by cycle, is docs/understand/cart.md; the ports are
// cmodel/incoming/incoming_ports.h.
`default_nettype none
`include "incoming_defs.vh"

module in_fifo #(
    // bits of a line number within the channel, 1..48
    parameter ADDR_W = 21,
    // bits of a request ID, 1..32
    parameter ID_W = 24,
    // places, 1..16384
    parameter DEPTH = 8,
    // 1: the st_ ports show the state, for verification; 0: they are 0, and what only they read is gone
    parameter OBSERVE = 1
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
    localparam PTR_W = (DEPTH < 2) ? 1 : $clog2(DEPTH);

    // Illegal parameters instantiate a module that does not exist, which stops elaboration. incoming_legal checks the others.
    generate
        if (DEPTH < 1 || DEPTH > 16384) begin : gen_bad_depth
            ILLEGAL_DEPTH_must_be_1_to_16384 u_illegal ();
        end
    endgenerate

    incoming_legal #(
        .ADDR_W (ADDR_W),
        .ID_W   (ID_W),
        .OBSERVE(OBSERVE)
    ) u_legal ();

    wire [PTR_W-1:0] head, tail;
    wire             full, last;
    wire             enter = fill_valid && fill_ready;
    wire             leave = drain_valid && drain_ready;

    assign fill_ready  = !full;
    assign fill_refuse = full ? `INCOMING_REFUSE_FULL : `INCOMING_REFUSE_NONE;
    assign drain_why   = `INCOMING_WHY_NEXT;

    mt_fifo_ptr #(
        .DEPTH(DEPTH),
        .PTR_W(PTR_W)
    ) u_ptr (
        .clk (clk),
        .rst (rst),
        .push(enter),
        .pop (leave),
        .head(head),
        .tail(tail),
        .used(drain_valid),
        .last(last),
        .full(full)
    );

    mt_regfile_1r1w #(
        .WIDTH (ADDR_W + ID_W),
        .DEPTH (DEPTH),
        .ADDR_W(PTR_W)
    ) u_places (
        .clk  (clk),
        .we   (enter),
        .waddr(tail),
        .wdata({fill_addr, fill_id}),
        .raddr(head),
        .rdata({drain_addr, drain_id})
    );

    incoming_observe #(
        .OBSERVE(OBSERVE)
    ) u_observe (
        .clk        (clk),
        .rst        (rst),
        .enter      (enter),
        .leave      (leave),
        .open       (enter && !drain_valid),
        .close      (leave && last && !enter),
        .st_requests(st_requests),
        .st_queues  (st_queues)
    );
endmodule

`default_nettype wire
