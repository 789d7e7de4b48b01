// SPDX-License-Identifier: Apache-2.0
// Counts the free sets of a DL-MSHR. A request takes at most one set, a head or an attached one, so as many requests as
// the smaller count cannot be refused, unless they must be looked up again or the block stops with an error. The inputs
// arrive late in the cycle: they are registered, and counted in the next cycle. Synthesis removes unused outputs.
`default_nettype none
`include "mt_reset.vh"

module dlm_room #(
    // number of sets that can be heads, and of sets that can only be attached
    parameter HEADS = 40,
    parameter ATTACHED = 24,
    // width of a count of sets (set by the block)
    parameter CNT_W = 7
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             take,      // a head is allocated
    input  wire             link,      // a set is attached
    input  wire             at_head,   // the set under drain is a head
    input  wire             set_done,  // its last request leaves
    input  wire             all_done,  // the last request of the super-entry leaves
    output wire [CNT_W-1:0] room,      // number of requests that cannot be refused
    output wire             empty      // no set is used
);
    localparam HEADS_W = $clog2(HEADS + 1);
    localparam ATTACHED_W = $clog2(ATTACHED + 1);
    localparam [HEADS_W-1:0] ALL_HEADS = HEADS[HEADS_W-1:0];
    localparam [ATTACHED_W-1:0] ALL_ATTACHED = ATTACHED[ATTACHED_W-1:0];

    // counts before the last edge, and what changed them there
    reg  [HEADS_W-1:0]    free_heads_r;
    reg  [ATTACHED_W-1:0] free_attached_r, freed_r;
    reg                   take_r, link_r, all_done_r;
    reg  [ATTACHED_W-1:0] drained;  // attached sets that the drain has left and that are not free
    wire                  leaves = set_done && !at_head;
    wire [HEADS_W-1:0]    free_heads = free_heads_r + {{(HEADS_W - 1) {1'b0}}, all_done_r} -
        {{(HEADS_W - 1) {1'b0}}, take_r};
    wire [ATTACHED_W-1:0] free_attached = free_attached_r + freed_r - {{(ATTACHED_W - 1) {1'b0}}, link_r};
    wire [ATTACHED_W-1:0] drained_now = drained + {{(ATTACHED_W - 1) {1'b0}}, leaves};
    wire [ATTACHED_W-1:0] freed = drained_now & {ATTACHED_W{all_done}};
    wire [CNT_W-1:0]      heads_out = {{(CNT_W - HEADS_W) {1'b0}}, free_heads};
    wire [CNT_W-1:0]      attached_out = {{(CNT_W - ATTACHED_W) {1'b0}}, free_attached};

    assign room  = heads_out < attached_out ? heads_out : attached_out;
    assign empty = free_heads == ALL_HEADS;  // a set is attached only to a head

    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            free_heads_r    <= ALL_HEADS;
            free_attached_r <= ALL_ATTACHED;
            freed_r         <= {ATTACHED_W{1'b0}};
            drained         <= {ATTACHED_W{1'b0}};
            take_r          <= 1'b0;
            link_r          <= 1'b0;
            all_done_r      <= 1'b0;
        end else begin
            free_heads_r    <= free_heads;
            free_attached_r <= free_attached;
            freed_r         <= freed;
            drained         <= drained_now & {ATTACHED_W{!all_done}};
            take_r          <= take;
            link_r          <= link;
            all_done_r      <= all_done;
        end
    end
endmodule

`default_nettype wire
