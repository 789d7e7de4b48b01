// SPDX-License-Identifier: Apache-2.0
// in_fifo: the FIFO incoming buffer of an L2 bank. Cycle-by-cycle contract: docs/understand/incoming.md; ports:
// rtl/in_fifo/ports.md.
`default_nettype none
`include "incoming_defs.vh"

module in_fifo #(
    // width of a line number within the channel, 1..48 bits
    parameter ADDR_W = 21,
    // request ID width, 1..32 bits
    parameter ID_W = 24,
    // number of entries, 1..16384
    parameter DEPTH = 8
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              fill_valid,
    input  wire [ADDR_W-1:0] fill_addr,
    input  wire [ID_W-1:0]   fill_id,
    output wire              fill_ready,
    output wire [1:0]        fill_refuse,
    output wire              drain_valid,
    output wire [ADDR_W-1:0] drain_addr,
    output wire [ID_W-1:0]   drain_id,
    output wire [2:0]        drain_why,
    input  wire              drain_ready
);
    localparam PTR_W = (DEPTH < 2) ? 1 : $clog2(DEPTH);

    // Illegal parameters instantiate a missing module, which stops elaboration. incoming_legal checks the other
    // parameters.
    generate
        if (DEPTH < 1 || DEPTH > 16384) begin : gen_bad_depth
            ILLEGAL_DEPTH_must_be_1_to_16384 u_illegal ();
        end
    endgenerate

    incoming_legal #(
        .ADDR_W(ADDR_W),
        .ID_W  (ID_W)
    ) u_legal ();

    wire [PTR_W-1:0] head, tail;
    wire             full, last;
    wire             unused_last = &{1'b0, last};
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
endmodule

`default_nettype wire
