// SPDX-License-Identifier: Apache-2.0
// Maintains the write pointer and the read pointer of a FIFO. The user stores the words.
`default_nettype none
`include "mt_reset.vh"

module mt_fifo_ptr #(
    // number of entries, at least 1
    parameter DEPTH = 16,
    // pointer width, at least log2(DEPTH) bits
    parameter PTR_W = 4
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,  // illegal when full
    input  wire             pop,   // illegal when empty
    output reg  [PTR_W-1:0] head,  // read pointer: the oldest word
    output reg  [PTR_W-1:0] tail,  // write pointer
    output reg              used,  // not empty
    output wire             last,  // exactly one word is stored; valid while used
    output reg              full
);
    localparam LAST_PLACE = DEPTH - 1;
    localparam [PTR_W-1:0] LAST = LAST_PLACE[PTR_W-1:0];
    localparam [PTR_W-1:0] ONE = 1;

    wire [PTR_W-1:0] head_next = head == LAST ? {PTR_W{1'b0}} : head + ONE;
    wire [PTR_W-1:0] tail_next = tail == LAST ? {PTR_W{1'b0}} : tail + ONE;

    assign last = head_next == tail;

    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            head <= {PTR_W{1'b0}};
            tail <= {PTR_W{1'b0}};
            used <= 1'b0;
            full <= 1'b0;
        end else begin
            if (push) tail <= tail_next;
            if (pop) head <= head_next;
            if (push != pop) begin
                used <= push || !last;
                full <= push && tail_next == head;
            end
        end
    end
`ifdef FORMAL
`include "mt_fifo_ptr_contract.vh"
`endif
endmodule

`default_nettype wire
