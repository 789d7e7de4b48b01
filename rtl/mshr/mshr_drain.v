// SPDX-License-Identifier: Apache-2.0
// Drain engine of an MSHR block: accepts RET, then reads one slot per cycle, from slot 0 of the head along the links,
// and sends the responses. The engine stores no set state: for the current set (`cur`), the block supplies the number
// of used slots, the link bit and the next set. A slot is read in the cycle before its response: in the cycle of RET,
// or of the previous response. If a request merges in the cycle of the last response (`grow`), its slot is read one
// cycle later (`gap`), because it is being written. ret_ready does not depend on whether one merges: RET waits for the
// end of the drain while a request may (`late`).
`default_nettype none
`include "mt_reset.vh"

module mshr_drain #(
    // set number width
    parameter SET_W = 7,
    // slot number width; as many low bits of a fill count distinguish 1..SLOTS
    parameter SLOT_W = 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              stop,          // an error has stopped the block
    // RET
    input  wire              ret_valid,
    output wire              ret_ready,
    input  wire [SET_W-1:0]  ret_head,
    input  wire              ret_known,     // ret_head is a head whose fetch is in flight
    // responses
    output wire              rsp_valid,
    input  wire              rsp_ready,
    output wire              rsp_last,
    input  wire              late,          // the request of this cycle, if any, belongs to the super-entry under drain
    input  wire              grow,          // it merges
    // the set under drain
    output reg               active,
    output reg  [SET_W-1:0]  cur,           // valid while active
    input  wire [SLOT_W-1:0] cur_fill_low,  // low bits of the number of requests in `cur`
    input  wire              cur_linked,
    input  wire [SET_W-1:0]  cur_successor,
    output wire              to_head,       // after this edge `cur` is ret_head
    output wire              to_successor,  // after this edge `cur` is cur_successor
    output wire              set_done,      // the last slot of `cur` leaves
    output wire              all_done,      // the last slot of the super-entry leaves
    // read of the next response's slot
    output wire              slot_re,
    output wire [SET_W-1:0]  slot_rset,
    output wire [SLOT_W-1:0] slot_rslot,
    output wire [SLOT_W-1:0] slot           // slot of `cur` for the current response
);
    localparam [SLOT_W-1:0] ONE = 1;

    reg  [SLOT_W-1:0] upto;  // low bits of the number of slots of `cur` up to the current response
    reg               gap;   // the next slot is read in this cycle, without a response
    wire              end_of_set = cur_fill_low == upto;
    wire              at_end = end_of_set && !cur_linked;
    wire              rsp_fire = rsp_valid && rsp_ready;
    wire              grows_at_end = at_end && grow;
    wire              step = gap || (rsp_fire && !grows_at_end);
    wire              start = ret_valid && ret_ready;

    assign slot      = upto - ONE;
    assign rsp_valid = active && !gap && !stop;
    assign rsp_last  = at_end && !grow;
    assign set_done  = step && end_of_set;
    assign all_done  = rsp_fire && rsp_last;
    assign ret_ready = !stop && (!active || (rsp_fire && at_end && !late));

    // Drain position after this edge. While idle, and after the last slot, it points to ret_head, even if no drain
    // starts.
    wire              moves = !active || step;
    wire [SET_W-1:0]  to_set = (!active || at_end) ? ret_head : end_of_set ? cur_successor : cur;
    wire [SLOT_W-1:0] to_slot = (!active || end_of_set) ? {SLOT_W{1'b0}} : upto;

    assign to_head      = !active || all_done;
    assign to_successor = set_done && cur_linked;

    assign slot_re    = (step && !at_end) || start;
    assign slot_rset  = to_set;
    assign slot_rslot = to_slot;

    always @(posedge clk) if (moves) cur <= to_set;
    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            active <= 1'b0;
            gap    <= 1'b0;
            upto   <= ONE;
        end else begin
            active <= (active && !all_done) || (start && ret_known);
            gap    <= rsp_fire && grows_at_end;
            if (moves) upto <= (!active || end_of_set) ? ONE : upto + ONE;
        end
    end

`ifdef FORMAL
`include "mshr_drain_contract.vh"
`endif
endmodule

`default_nettype wire
