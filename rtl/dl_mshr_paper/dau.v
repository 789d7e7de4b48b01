// SPDX-License-Identifier: Apache-2.0
// Dynamic Allocation Unit (Gu and Chen, section 4.5): the state machine of Figure 8 for each slot set, and the answer
// to the request. dau_free.v counts and picks the free sets; dau_tail.v finds the tail of the request's super-entry.
//
//             ReqH          ReqH, last slot      ReqH, nFreeSet > 0          RET           released
//   head      S0 ---> S1 -------------------> S2 ---------------------> S3 -------> S5 ---------------> S0
//             ReqA          ReqA, last slot      ReqA, nFreeSet > 0          RET           released
//   attached  S0 ---> S6 -------------------> S7 ---------------------> S8 -------> S10 --------------> S0
//
// If nFreeSet is 0, the request is refused, and S2 goes to S4, which goes to S3 like S2; S7 goes to S9 likewise. RET
// leads to S5 also from S1, S2 and S4, and to S10 also from S6, S7 and S9. It reaches an attached set when the drain
// does. A set with one slot goes from S0 to S2 or S7. A RET of a set that is not in S1..S4 leads to S_ERR and stops the
// block.
// Differences from Figure 8: a set in S4 or S9 goes on with the next request, not as soon as a set is free; RET reaches
// an attached set when the drain does, not at once; the drain releases the sets (all together, or with EARLY_FREE=1 one
// by one), so no S_free_EXT is passed along the links; nFreeSet counts the sets that can be attached.
// S_free, S_full, L (linked) and H (a head whose fetch is in flight) follow from the state.
`default_nettype none
`include "mshr_defs.vh"
`include "mt_reset.vh"

module dau #(
    // number of slot sets, 2..256
    parameter SETS = 128,
    // sets 0..RESERVED_HEADS-1 can only be heads
    parameter RESERVED_HEADS = 64,
    // number of slots per set
    parameter SLOTS = 2,
    // how the tail is found, 0..2
    parameter TAIL = 2,
    // 1: a set is freed when its last request leaves; 0: all sets of a super-entry are freed together
    parameter EARLY_FREE = 0,
    // widths of a set number and a free count (set by the block)
    parameter SET_W = 7,
    parameter CNT_W = 8
) (
    input  wire              clk,
    input  wire              rst,
    // request
    input  wire              req_valid,
    output wire              req_ready,
    output wire [1:0]        req_refuse,
    output wire              req_primary,
    output wire [SET_W-1:0]  req_head,
    output wire              slot_we,
    output wire [SET_W-1:0]  slot_wset,
    // lookup
    input  wire              hit,
    input  wire [SETS-1:0]   match,           // one-hot: the set with the request's address
    input  wire [SET_W-1:0]  match_ptr,       // TAIL=1: the tail
    output wire [SETS-1:0]   tail,            // one-hot: the tail, or the set that the walk has reached
    input  wire [SET_W-1:0]  tail_successor,  // TAIL=0: the set attached after it
    // bits of the sets
    output wire [SETS-1:0]   is_free,         // S_free
    output wire [SETS-1:0]   is_head,         // H: a head whose fetch is in flight
    input  wire [SETS-1:0]   at_last_slot,    // the next free slot is the last slot of the set
    // changes at the edge
    output wire [SETS-1:0]   offer,           // free sets that can be allocated, known early
    output wire [SETS-1:0]   take,            // one-hot: the allocated set
    output wire              live,            // a request, and no error has stopped the block
    output wire [SETS-1:0]   roomy,           // one-hot: the tail, if it has a free slot
    output wire [SETS-1:0]   link,            // one-hot: the set after which a set is attached
    output wire [SET_W-1:0]  id_shared,       // number of the attached set
    // RET and drain
    input  wire              ret_start,       // RET accepted
    input  wire [SET_W-1:0]  ret_head,
    output wire              ret_known,       // ret_head is a head whose fetch is in flight
    input  wire [SET_W-1:0]  cur,
    input  wire [SET_W-1:0]  cur_successor,
    input  wire              to_head,         // after this edge `cur` is ret_head
    input  wire              to_successor,    // after this edge `cur` is cur_successor
    input  wire              set_done,        // the last slot of `cur` leaves
    input  wire              all_done,        // the last slot of the super-entry leaves
    output reg               cur_linked,      // a set is attached after `cur`
    // errors
    output wire              stop,
    output reg               err
);
    localparam [SETS-1:0] SET0 = 1;
    localparam [SETS-1:0] SHARED = {SETS{1'b1}} << RESERVED_HEADS;

    wire [SETS-1:0]   is_full, linked, pick;
    wire              any_head, any_shared, walking, tail_full;
    wire [SET_W-1:0]  id_head, roomy_id;

    // ---- answer to the request
    assign live        = req_valid && !stop;
    assign req_ready   = !stop && (hit ? !walking && (!tail_full || any_shared) : any_head || any_shared);
    assign req_primary = !hit;
    assign req_refuse  = (stop || req_ready) ? `MSHR_REFUSE_NONE
                       : !hit ? `MSHR_REFUSE_ENTRY_FULL
                       : walking ? `MSHR_REFUSE_WALK
                       : `MSHR_REFUSE_MERGE_FULL;
    assign req_head  = any_head ? id_head : id_shared;
    assign slot_we   = req_valid && req_ready;
    assign slot_wset = roomy_id | (id_shared & {SET_W{tail_full}}) | (req_head & {SET_W{!hit}});

    // ---- events of Figure 8
    // a reserved set, a shared set becomes a head; a shared set is attached after the tail
    wire open_reserved = live && !hit && any_head;
    wire open_shared = live && !hit && !any_head && any_shared;
    wire attach = live && tail_full && !walking && any_shared;
    wire [SETS-1:0] take_head = pick & (({SETS{open_reserved}} & ~SHARED) | ({SETS{open_shared}} & SHARED));
    wire [SETS-1:0] take_attached = pick & {SETS{attach}} & SHARED;
    // ReqH, ReqA: the request needs a slot in this set, which is free or the tail
    wire [SETS-1:0] to_tail = tail & {SETS{live}};
    wire [SETS-1:0] req_h = take_head | to_tail;
    wire [SETS-1:0] req_a = take_attached | to_tail;
    // RET names this set; the drain reaches this attached set
    wire [SETS-1:0] at_ret = SET0 << ret_head;
    wire [SETS-1:0] at_successor = SET0 << cur_successor;
    wire [SETS-1:0] ret_h = at_ret & {SETS{ret_start}};
    wire [SETS-1:0] ret_a = at_successor & {SETS{to_successor}};
    // releases all sets in S5 and S10
    wire            released = EARLY_FREE != 0 ? set_done : all_done;

    // ---- states
    wire [4*SETS-1:0] states;  // of set s: states[4*s +: 4]
    wire              unused_states = &{1'b0, states};
    genvar            s;
    generate
        for (s = 0; s < SETS; s = s + 1) begin : gen_set
            reg [3:0] state;
            always @(posedge clk `MT_OR_RST)
                if (rst) state <= `MSHR_S0;
                else if (ret_h[s] && !is_head[s]) state <= `MSHR_SERR;
                else
                    case (state)
                        `MSHR_S0:
                            if (req_h[s]) state <= SLOTS == 1 ? `MSHR_S2 : `MSHR_S1;
                            else if (req_a[s]) state <= SLOTS == 1 ? `MSHR_S7 : `MSHR_S6;
                        // head
                        `MSHR_S1:
                            if (ret_h[s]) state <= `MSHR_S5;
                            else if (req_h[s] && at_last_slot[s]) state <= `MSHR_S2;
                        `MSHR_S2, `MSHR_S4:
                            if (ret_h[s]) state <= `MSHR_S5;
                            else if (req_h[s]) state <= any_shared ? `MSHR_S3 : `MSHR_S4;
                        `MSHR_S3: if (ret_h[s]) state <= `MSHR_S5;
                        `MSHR_S5: if (released) state <= `MSHR_S0;
                        // attached
                        `MSHR_S6:
                            if (ret_a[s]) state <= `MSHR_S10;
                            else if (req_a[s] && at_last_slot[s]) state <= `MSHR_S7;
                        `MSHR_S7, `MSHR_S9:
                            if (ret_a[s]) state <= `MSHR_S10;
                            else if (req_a[s]) state <= any_shared ? `MSHR_S8 : `MSHR_S9;
                        `MSHR_S8: if (ret_a[s]) state <= `MSHR_S10;
                        `MSHR_S10: if (released) state <= `MSHR_S0;
                        default: state <= `MSHR_SERR;
                    endcase

            wire full_end = state == `MSHR_S2 || state == `MSHR_S4 || state == `MSHR_S7 || state == `MSHR_S9;
            assign linked[s]        = state == `MSHR_S3 || state == `MSHR_S8;
            assign is_full[s]       = full_end || linked[s];
            assign is_free[s]       = state == `MSHR_S0;
            assign is_head[s]       = state >= `MSHR_S1 && state <= `MSHR_S4;
            assign link[s]          = full_end && to_tail[s] && any_shared;
            assign states[4*s+:4]   = state;
        end
    endgenerate

    assign offer = pick & {SETS{req_valid}};
    assign take  = take_head | take_attached;

    dau_free #(
        .SETS          (SETS),
        .RESERVED_HEADS(RESERVED_HEADS),
        .EARLY_FREE    (EARLY_FREE),
        .SET_W         (SET_W),
        .CNT_W         (CNT_W)
    ) u_free (
        .clk          (clk),
        .rst          (rst),
        .is_free      (is_free),
        .pick         (pick),
        .any_head     (any_head),
        .any_shared   (any_shared),
        .id_head      (id_head),
        .id_shared    (id_shared),
        .take_reserved(open_reserved),
        .take_shared  (open_shared || attach),
        .cur          (cur),
        .set_done     (set_done),
        .all_done     (all_done)
    );
    dau_tail #(
        .SETS (SETS),
        .TAIL (TAIL),
        .SET_W(SET_W)
    ) u_tail (
        .clk           (clk),
        .rst           (rst),
        .req_valid     (req_valid),
        .req_ready     (req_ready),
        .hit           (hit),
        .match         (match),
        .match_ptr     (match_ptr),
        .linked        (linked),
        .is_full       (is_full),
        .tail_successor(tail_successor),
        .tail          (tail),
        .walking       (walking),
        .roomy         (roomy),
        .tail_full     (tail_full),
        .roomy_id      (roomy_id)
    );

    // ---- the set under drain. S5 and S10 do not show L, so it is kept when the drain enters the set.
    always @(posedge clk)
        if (to_head || to_successor) cur_linked <= to_head ? |(at_ret & (linked | link)) : |(at_successor & linked);

    // ---- errors
    assign ret_known = |(is_head & at_ret);
    assign stop      = err != `MSHR_OK;
    always @(posedge clk `MT_OR_RST)
        if (rst) err <= `MSHR_OK;
        else if (ret_start && !ret_known) err <= `MSHR_ERR_RETURN;

`ifdef FORMAL
`include "dau_contract.vh"
`endif
endmodule

`default_nettype wire
