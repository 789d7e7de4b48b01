// SPDX-License-Identifier: Apache-2.0
// Stores what the slot sets of a dl_mshr_paper hold besides their states (dau.v): addresses with comparators, slot
// counts, pointers, and M, which marks the set that a request matches. Bit s of every vector belongs to set s.
//
//   TAIL=2  M is in the tail of each live super-entry. P of a linked set names the next one; P of an unlinked set names
//           its head (itself, if it is the head), so that RET finds the tail and clears its M. A reserved set is always
//           a head, so its own number is a constant that P need not store.
//   TAIL=1  M is H, and the head's T names the tail.
//   TAIL=0  M is H; the allocation unit walks along P.
`default_nettype none
`include "mt_reset.vh"

module dlm_sets #(
    // number of slot sets, 2..256
    parameter SETS = 128,
    // number of fill_lows per set, 1..64
    parameter SLOTS = 2,
    // block address width
    parameter ADDR_W = 25,
    // sets 0..RESERVED_HEADS-1 can only be heads
    parameter RESERVED_HEADS = 64,
    // how the tail is found, 0..2
    parameter TAIL = 2,
    // 1: the inputs of comparators that cannot match are 0
    parameter GATE = 1,
    // widths of a set number and a slot number (set by the block)
    parameter SET_W = 7,
    parameter SLOT_W = 1
) (
    input  wire               clk,
    input  wire               rst,
    // lookup
    input  wire [ADDR_W-1:0]  req_addr,
    output wire [SETS-1:0]    match,           // one-hot: the matchable set with this address
    output wire               hit,             // a set matches
    output wire [SET_W-1:0]   match_ptr,       // of the matching set: T if TAIL=1 (the tail)
    input  wire [SETS-1:0]    tail,            // one-hot: the tail, or the current set of the walk if TAIL=0
    output wire [SET_W-1:0]   tail_successor,  // TAIL=0: P of that set
    // bits of the sets
    input  wire [SETS-1:0]    is_free,
    input  wire [SETS-1:0]    is_head,         // H: a head whose fetch is in flight
    output wire [SETS-1:0]    at_last_slot,    // the next free slot is the last slot of the set
    // changes at the edge
    input  wire [SETS-1:0]    offer,           // free sets that can be allocated, known early
    input  wire [SETS-1:0]    take,            // one-hot: the allocated set
    input  wire               live,            // a request, and no error has stopped the block
    input  wire [SETS-1:0]    roomy,           // one-hot: the tail, if it has a free slot
    input  wire [SETS-1:0]    link,            // one-hot: the set after which a set is attached
    input  wire [SET_W-1:0]   id_shared,       // number of the attached set
    output wire [SLOT_W-1:0]  roomy_slot,      // next slot of that set, or 0
    // RET and drain
    input  wire               ret_start,       // RET accepted
    input  wire [SET_W-1:0]   ret_head,
    output wire [SLOT_W-1:0]  cur_fill_low,    // low bits of the number of requests in the set under drain, `cur`
    output wire [SET_W-1:0]   cur_successor,
    input  wire               to_head,         // after this edge `cur` is ret_head
    input  wire               to_successor     // after this edge `cur` is cur_successor
);
    localparam [SETS-1:0] SET0 = 1;
    localparam [SLOT_W-1:0] ONE = 1;

    wire [SETS-1:0]        m, m_next;
    wire [SETS*SLOT_W-1:0] fill_lows;   // of set s: fill_lows[s*SLOT_W +: SLOT_W]
    wire [SETS*SET_W-1:0]  successors;  // P of set s: successors[s*SET_W +: SET_W]
    wire [SETS-1:0]        at_cur;  // `cur`, one-hot

    dlm_cam #(
        .N     (SETS),
        .ADDR_W(ADDR_W),
        .GATE  (GATE)
    ) u_cam (
        .clk           (clk),
        .matchable     (m),
        .matchable_next(m_next),
        .sought        (req_addr),
        .match         (match),
        .store         (offer),  // the address of a set that stays free is don't-care
        .addr          (req_addr)
    );
    assign hit = |match;

    // ---- slot counts: the number of the next slot, or after the last slot the low bits of SLOTS. That of a free set
    // is kept at 1, so that the set has its first request when it is allocated.
    genvar s;
    generate
        if (SLOTS == 1) begin : gen_one_slot
            wire unused_count = &{1'b0, is_free, live, roomy};
            assign fill_lows        = {SETS{1'b1}};
            assign at_last_slot = {SETS{1'b0}};
            assign roomy_slot   = 1'b0;
        end else begin : gen_slots
            localparam [SLOT_W-1:0] LAST = SLOTS[SLOT_W-1:0] - ONE;
            for (s = 0; s < SETS; s = s + 1) begin : gen_set
                reg [SLOT_W-1:0] slot;
                always @(posedge clk) slot <= is_free[s] ? ONE : (roomy[s] && live) ? slot + ONE : slot;
                assign fill_lows[s*SLOT_W+:SLOT_W] = slot;
                assign at_last_slot[s]         = slot == LAST;
            end
            mt_onehot_mux #(
                .N(SETS),
                .W(SLOT_W)
            ) u_roomy_slot (
                .sel  (roomy),
                .words(fill_lows),
                .word (roomy_slot)
            );
        end
    endgenerate

    // ---- M and pointers
    generate
        if (TAIL == 2) begin : gen_ring
            wire [SETS-1:0]       ret_hit;  // one-hot: the tail of the super-entry of ret_head
            wire [SETS*SET_W-1:0] heads;    // head of each unlinked set
            wire [SET_W-1:0]      head;     // head of the request's super-entry
            // A set attached in the cycle of its super-entry's RET leaves with it, so this set must not become
            // matchable.
            wire                  joins = ret_start && |(match & ret_hit);
            reg  [SETS-1:0]       is_tail;

            assign m      = is_tail;
            assign m_next = (m & ~link & ~(ret_hit & {SETS{ret_start}})) | (take & {SETS{!joins}});
            always @(posedge clk `MT_OR_RST)
                if (rst) is_tail <= {SETS{1'b0}};
                else is_tail <= m_next;

            for (s = 0; s < SETS; s = s + 1) begin : gen_set
                localparam [SET_W-1:0] OWN = s;
                reg  [SET_W-1:0] p;
                wire [SET_W-1:0] head_of = s < RESERVED_HEADS ? OWN : p;
                always @(posedge clk)
                    if (link[s]) p <= id_shared;
                    else if (offer[s]) p <= hit ? head : OWN;
                assign ret_hit[s]              = m[s] && head_of == ret_head;
                assign successors[s*SET_W+:SET_W] = p;
                assign heads[s*SET_W+:SET_W]   = head_of;
            end
            mt_onehot_mux #(
                .N(SETS),
                .W(SET_W)
            ) u_head (
                .sel  (match),
                .words(heads),
                .word (head)
            );
            wire unused_tail = &{1'b0, tail, is_head};
            assign match_ptr = {SET_W{1'b0}};
            assign tail_successor = {SET_W{1'b0}};
        end else begin : gen_chain
            wire unused_rst = rst;
            assign m      = is_head;
            assign m_next = (is_head & ~((SET0 << ret_head) & {SETS{ret_start}})) | (take & {SETS{!hit}});
            for (s = 0; s < SETS; s = s + 1) begin : gen_set
                reg [SET_W-1:0] p;
                always @(posedge clk) if (link[s]) p <= id_shared;
                assign successors[s*SET_W+:SET_W] = p;
            end

            if (TAIL == 1) begin : gen_pointer
                wire                  unused_tail = &{1'b0, tail};
                wire                  attach = |link;
                wire [SETS*SET_W-1:0] tails;  // T of each head
                for (s = 0; s < SETS; s = s + 1) begin : gen_set
                    localparam [SET_W-1:0] OWN = s;
                    reg [SET_W-1:0] t;
                    always @(posedge clk)
                        if (offer[s]) t <= OWN;
                        else if (match[s] && attach) t <= id_shared;
                    assign tails[s*SET_W+:SET_W] = t;
                end
                mt_onehot_mux #(
                    .N(SETS),
                    .W(SET_W)
                ) u_match_ptr (
                    .sel  (match),
                    .words(tails),
                    .word (match_ptr)
                );
                assign tail_successor = {SET_W{1'b0}};
            end else begin : gen_walk
                assign match_ptr = {SET_W{1'b0}};
                mt_onehot_mux #(
                    .N(SETS),
                    .W(SET_W)
                ) u_tail_successor (
                    .sel  (tail),
                    .words(successors),
                    .word (tail_successor)
                );
            end
        end
    endgenerate

    // ---- the set under drain, stored half decoded: its group (of 8 sets, if there are more than 8) and its position
    // in the group
    localparam PLACE_W = (SET_W < 2) ? 1 : (SET_W < 4) ? SET_W - 1 : 3;
    localparam PLACES = 1 << PLACE_W;
    localparam GROUPS = (SETS + PLACES - 1) / PLACES;
    localparam [GROUPS-1:0] GROUP0 = 1;
    localparam [PLACES-1:0] PLACE0 = 1;
    reg [GROUPS-1:0] cur_group;
    reg [PLACES-1:0] cur_place;
    always @(posedge clk) begin
        cur_group <= to_head ? GROUP0 << (ret_head >> PLACE_W)
            : to_successor ? GROUP0 << (cur_successor >> PLACE_W) : cur_group;
        cur_place <= to_head ? PLACE0 << ret_head[PLACE_W-1:0]
            : to_successor ? PLACE0 << cur_successor[PLACE_W-1:0] : cur_place;
    end
    genvar q;
    generate
        for (q = 0; q < GROUPS; q = q + 1) begin : gen_at_cur
            localparam N = (q == GROUPS - 1) ? SETS - q * PLACES : PLACES;
            assign at_cur[q*PLACES+:N] = cur_place[N-1:0] & {N{cur_group[q]}};
        end
    endgenerate
    mt_onehot_mux #(
        .N(SETS),
        .W(SLOT_W)
    ) u_cur_fill_low (
        .sel  (at_cur),
        .words(fill_lows),
        .word (cur_fill_low)
    );
    mt_onehot_mux #(
        .N(SETS),
        .W(SET_W)
    ) u_cur_successor (
        .sel  (at_cur),
        .words(successors),
        .word (cur_successor)
    );
endmodule

`default_nettype wire
