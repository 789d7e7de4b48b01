// SPDX-License-Identifier: Apache-2.0
// Finds the tail of the request's super-entry (optimization 3 of the paper).
//   TAIL=2  the tail itself matches the address
//   TAIL=1  the head matches, and its pointer T names the tail
//   TAIL=0  the head matches; a walk follows the links from the head, one set per cycle
`default_nettype none
`include "mt_reset.vh"

module dau_tail #(
    // number of slot sets, 2..256
    parameter SETS = 128,
    // how the tail is found, 0..2
    parameter TAIL = 2,
    // set number width (set by the block)
    parameter SET_W = 7
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             req_valid,
    input  wire             req_ready,
    input  wire             hit,
    input  wire [SETS-1:0]  match,           // one-hot: the set with the request's address
    input  wire [SET_W-1:0] match_ptr,       // TAIL=1: its T
    input  wire [SETS-1:0]  linked,
    input  wire [SETS-1:0]  is_full,
    input  wire [SET_W-1:0] tail_successor,  // TAIL=0: the set attached after `tail`
    output wire [SETS-1:0]  tail,            // one-hot: the tail, or the set that the walk has reached
    output wire             walking,         // the walk has not reached the tail
    output wire [SETS-1:0]  roomy,           // the tail, if it has a free slot
    output wire             tail_full,
    output wire [SET_W-1:0] roomy_id         // number of that set, or 0
);
    localparam [SETS-1:0] SET0 = 1;

    assign roomy     = tail & ~is_full;
    assign tail_full = |(tail & is_full);

    generate
        if (TAIL == 2) begin : gen_ring
            wire unused = &{1'b0, clk, rst, req_valid, req_ready, hit, match_ptr, linked, tail_successor};
            assign tail    = match;
            assign walking = 1'b0;
            mt_onehot_enc #(
                .N(SETS),
                .W(SET_W)
            ) u_roomy_id (
                .onehot(roomy),
                .bin   (roomy_id)
            );
        end
        if (TAIL == 1) begin : gen_pointer
            wire unused = &{1'b0, clk, rst, req_valid, req_ready, match, linked, tail_successor};
            assign tail     = (SET0 << match_ptr) & {SETS{hit}};
            assign walking  = 1'b0;
            assign roomy_id = match_ptr & {SET_W{!tail_full}};
        end
        if (TAIL == 0) begin : gen_walk
            wire             unused = &{1'b0, match_ptr};
            wire [SET_W-1:0] head_id;
            reg              on_way;             // a walk is in progress
            reg  [SET_W-1:0] way_head, way_set;  // head of the walk, and the set that it has reached

            mt_onehot_enc #(
                .N(SETS),
                .W(SET_W)
            ) u_head_id (
                .onehot(match),
                .bin   (head_id)
            );
            wire [SET_W-1:0] at = (on_way && way_head == head_id) ? way_set : head_id;
            assign tail     = (SET0 << at) & {SETS{hit}};
            assign walking  = |(tail & linked);
            assign roomy_id = at & {SET_W{hit && !tail_full}};

            always @(posedge clk `MT_OR_RST) begin
                if (rst) begin
                    on_way   <= 1'b0;
                    way_head <= {SET_W{1'b0}};
                    way_set  <= {SET_W{1'b0}};
                end else begin
                    on_way   <= req_valid && hit && !req_ready;
                    way_head <= head_id;
                    way_set  <= walking ? tail_successor : at;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
