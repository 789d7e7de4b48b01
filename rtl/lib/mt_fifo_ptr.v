// SPDX-License-Identifier: Apache-2.0
// Pointers of a FIFO queue: where the next word is written, and where the oldest is. The words are the user's.
`default_nettype none
`include "mt_reset.vh"

module mt_fifo_ptr #(
    // places, 1 and up
    parameter DEPTH = 16,
    // bits of a pointer, at least log2(DEPTH)
    parameter PTR_W = 4
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,  // never when full
    input  wire             pop,   // never when empty
    output reg  [PTR_W-1:0] head,  // the oldest
    output reg  [PTR_W-1:0] tail,  // the next to be written
    output reg              used,  // not empty
    output wire             last,  // if not empty: there is one word
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
