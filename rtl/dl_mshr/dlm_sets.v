// SPDX-License-Identifier: Apache-2.0
// All slot sets of a dl_mshr: addresses and comparators, fill counts, and the bits of each set. Bit i of every vector is set i.
// Written as columns over the sets, not as one module a set: the gates are the same, and a simulator does a few wide operations
// where it would evaluate SETS instances.
//
// Per set: address; fill count (S_free, S_full); H head; L linked; P pointer; M matchable; R releasing; W waiting.
// The paper's states S0..S10 are decoded from this state. Only that decoder reads H and W.
//
//   TAIL=2  M is in the tail of each live super-entry. P of a linked set names the next one; P of an unlinked set names its head
//           (itself, if it is the head), so that RET finds the tail to clear its M. A reserved set is always a head, so its own
//           number is a constant and P need not hold it.
//   TAIL=1  M is in the head of each live super-entry, and the head's T names the tail.
//   TAIL=0  M is in the head; the allocation unit walks along P.
`default_nettype none
`include "mt_reset.vh"
`include "mshr_defs.vh"

module dlm_sets #(
    // slot sets, 2..256
    parameter SETS = 128,
    // slots of a set, 1..64
    parameter SLOTS = 2,
    // bits of a block address
    parameter ADDR_W = 25,
    // sets 0..RESERVED_HEADS-1 may only be heads
    parameter RESERVED_HEADS = 64,
    // how the tail is found, 0..2
    parameter TAIL = 2,
    // 1: comparators that cannot match see zeros
    parameter GATE = 1,
    // 1: a set is free as it empties, 0: all sets of a super-entry together
    parameter EARLY_FREE = 0,
    // 1: the state is shown; 0: st_state is 0, and there is no H and no W
    parameter OBSERVE = 1,
    // bits of a set number, a slot number (given by the block)
    parameter SET_W = 7,
    parameter SLOT_W = 1
) (
    input  wire               clk,
    input  wire               rst,
    // look-up
    input  wire [ADDR_W-1:0]  req_addr,
    output wire [SETS-1:0]    match,         // one-hot: the set with M and this address
    output wire [SETS-1:0]    roomy,         // TAIL=2: that set, if it has room and was there before the last edge
    output wire               fresh_hit,     // it was taken at that edge
    output wire               hit,           // there is one
    output wire [SET_W-1:0]   match_ptr,     // its P (TAIL=2: the head) or T (TAIL=1: the tail)
    output wire [SETS-1:0]    is_free,
    // the tail, or with TAIL=0 the set that the walk looks at
    input  wire [SETS-1:0]    tail,          // one-hot
    output wire [SLOT_W-1:0]  tail_slot,     // its next slot
    output wire               tail_full,
    output wire               tail_linked,
    output wire [SET_W-1:0]   tail_next,
    // allocation, at the edge
    input  wire [SETS-1:0]    offer,         // free sets that may be taken, known early
    input  wire               take_reserved, // the reserved set that is offered gets the request in its slot 0
    input  wire               take_shared,   // or the shared one
    input  wire [SETS-1:0]    take,          // one-hot: this set
    input  wire               take_head,     // it becomes a head, otherwise it is attached behind `tail`
    input  wire [SET_W-1:0]   take_id,       // its number
    input  wire [SET_W-1:0]   was_shared,    // number of the shared set that could be taken in the cycle before
    input  wire               was_hit,       // hit, then
    input  wire               may_add,       // the request goes to `tail` if that is not full
    input  wire               may_link,      // a set is taken behind `tail` if that is full
    input  wire               refuse_merge,  // `tail` waits
    // return and drain
    input  wire               ret_start,     // RET accepted
    input  wire [SET_W-1:0]   ret_head,
    output wire               ret_known,     // ret_head is a returnable head
    input  wire               active,        // the drain stands on a set, `cur`
    output wire [SLOT_W-1:0]  cur_slots,     // low bits of how many requests it has
    output wire               cur_linked,
    output wire [SET_W-1:0]   cur_next,
    input  wire               to_head,       // `cur` becomes ret_head
    input  wire               to_next,       // or cur_next
    input  wire               set_done,      // its last slot leaves
    input  wire               all_done,
    // observed state
    input  wire               bad,           // an error names set bad_set
    input  wire [SET_W-1:0]   bad_set,
    output wire [4*SETS-1:0]  st_state
);
    localparam [SETS-1:0] SET0 = 1;
    localparam [SLOT_W-1:0] ONE = 1;
    localparam [SETS-1:0] SHARED = {SETS{1'b1}} << RESERVED_HEADS;

    // The sets whose number has bit n set.
    function [SETS-1:0] positions(input integer n);
        integer k;
        begin
            for (k = 0; k < SETS; k = k + 1) positions[k] = ((k >> n) & 1) != 0;
        end
    endfunction

    // What comes late in a cycle goes into flip-flops, not to the sets: which sets were offered to a request (one of each pool) and its
    // address, early; whether one was taken, and whether it is matchable, late. The sets get it in the next cycle.
    reg  [SETS-1:0]        fresh;
    reg  [ADDR_W-1:0]      fresh_addr;
    reg                    took_reserved, took_shared;
    wire                   shared_m;  // a shared set was taken that is matchable
    reg  [SETS-1:0]        linked;  // set that was linked in the cycle before, to was_shared

    wire [SETS-1:0]        took = fresh & (({SETS{took_shared}} & SHARED) | ({SETS{took_reserved}} & ~SHARED));
    wire [SETS-1:0]        fresh_m = fresh & (({SETS{shared_m}} & SHARED) | ({SETS{took_reserved}} & ~SHARED));
    reg  [SETS-1:0]        l, m_held;
    reg  [SETS-1:0]        awake, asleep;  // m_held and its opposite, each for the comparators of half of the address
    wire [SETS-1:0]        m = m_held | fresh_m;
    reg  [SETS*SET_W-1:0]  p_held;
    wire [SETS*SET_W-1:0]  p;
    wire [SETS*SLOT_W-1:0] slot;
    wire [SETS-1:0]        is_full, tag_match;
    wire [SETS-1:0]        releasing;

    wire [SETS-1:0]        add = tail & ~is_full & {SETS{may_add}};
    // With more than one slot, a set that was taken at the last edge has room.
    wire [SETS-1:0]        older_tail = (TAIL == 2 && SLOTS > 1) ? tag_match : tail;
    wire [SETS-1:0]        full_tail = older_tail & is_full;
    assign                 roomy = older_tail & ~is_full;
    wire [SETS-1:0]        link = full_tail & {SETS{may_link}};

    // One-hot: set `cur`. Kept half decoded: its group, of 8 if there are more than 8 sets, and its place there.
    localparam PLACE_W = (SET_W < 2) ? 1 : (SET_W < 4) ? SET_W - 1 : 3;
    localparam PLACES = 1 << PLACE_W;
    localparam GROUPS = (SETS + PLACES - 1) / PLACES;
    localparam [GROUPS-1:0] GROUP0 = 1;
    localparam [PLACES-1:0] PLACE0 = 1;
    reg  [GROUPS-1:0]      cur_group;
    reg  [PLACES-1:0]      cur_place;
    wire [SETS-1:0]        at_cur;
    reg                    cur_l;  // L of that set, which loses it in the drain's first cycle on it
    wire [SETS-1:0]        freed;

    mshr_cam #(
        .N     (SETS),
        .ADDR_W(ADDR_W),
        .GATE  (GATE)
    ) u_cam (
        .clk       (clk),
        .matchable (m_held),
        .awake     (awake),
        .asleep    (asleep),
        .sought    (req_addr),
        .match     (tag_match),
        .store     (fresh),
        .addr      (fresh_addr)
    );

    // A set that was taken at the last edge has no address in its column yet.
    wire same = fresh_addr == req_addr;
    assign fresh_hit = same && (shared_m || took_reserved);
    assign hit       = |tag_match || fresh_hit;
    assign match     = tag_match | (fresh_m & {SETS{same}});

    mshr_fill #(
        .N     (SETS),
        .SLOTS (SLOTS),
        .SLOT_W(SLOT_W)
    ) u_fill (
        .clk    (clk),
        .rst    (rst),
        .take   ({SETS{1'b0}}),
        .taken  (took),
        .add    (add),
        .clear  (freed),
        .is_free(is_free),
        .is_full(is_full),
        .low    (slot)
    );

    genvar q;
    generate
        for (q = 0; q < GROUPS; q = q + 1) begin : gen_at_cur
            localparam N = (q == GROUPS - 1) ? SETS - q * PLACES : PLACES;
            assign at_cur[q*PLACES+:N] = cur_place[N-1:0] & {N{cur_group[q]}};
        end
    endgenerate

    // ---- what the allocation unit and the drain read
    assign tail_full   = |full_tail;
    assign tail_linked = |(tail & l);
    assign cur_linked  = |(at_cur & l) || cur_l;

    wire [SLOT_W-1:0] older_slot;
    assign tail_slot = (TAIL == 2 && SLOTS > 1 && fresh_hit) ? ONE : older_slot;
    mt_onehot_mux #(
        .N(SETS),
        .W(SLOT_W)
    ) u_tail_slot (
        .sel (roomy),
        .cols(slot),
        .word(older_slot)
    );
    mt_onehot_mux #(
        .N(SETS),
        .W(SLOT_W)
    ) u_cur_slots (
        .sel (at_cur),
        .cols(slot),
        .word(cur_slots)
    );
    mt_onehot_mux #(
        .N(SETS),
        .W(SET_W)
    ) u_cur_next (
        .sel (at_cur),
        .cols(p),
        .word(cur_next)
    );

    // ---- pointers, and the set whose M is cleared by RET
    wire [SETS-1:0] ret_hit;  // one-hot: M goes with ret_head
    wire [SETS-1:0] m_moves;  // M leaves this set for the one that is linked behind it

    generate
        if (TAIL == 2) begin : gen_ring
            // The head of the shared set that was taken: of the super-entry that it was linked to, or itself.
            reg  [SET_W-1:0]      older_head;
            reg                   was_ret, was_ret_hit;  // in the cycle before: RET; ret_head named the super-entry of the full tail
            wire [SET_W-1:0]      fresh_head = older_head | (was_shared & {SET_W{!was_hit}});
            wire [SETS-1:0]       fresh_shared = fresh & SHARED;
            wire [SETS*SET_W-1:0] head_of;  // head of each unlinked set, in columns
            reg  [SETS-1:0]       ret_differ;
            integer               i;
            genvar                g;

            for (g = 0; g < SET_W; g = g + 1) begin : gen_head_of
                localparam [SETS-1:0] OWN = positions(g);
                assign p[g*SETS+:SETS] = (p_held[g*SETS+:SETS] & ~(fresh_shared | linked)) | (fresh_shared & {SETS{fresh_head[g]}})
                                         | (linked & {SETS{was_shared[g]}});
                assign head_of[g*SETS+:SETS] = (p[g*SETS+:SETS] & SHARED) | (OWN & ~SHARED);
            end
            always @* begin
                ret_differ = {SETS{1'b0}};
                for (i = 0; i < SET_W; i = i + 1) ret_differ = ret_differ | (head_of[i*SETS+:SETS] ^ {SETS{ret_head[i]}});
            end
            assign ret_hit = m & ~ret_differ;
            assign m_moves = link;
            // A tail linked in the cycle of its own RET leaves with its super-entry: it must not become matchable.
            assign shared_m = took_shared && !(was_ret && was_ret_hit);

            mt_onehot_mux #(
                .N(SETS),
                .W(SET_W)
            ) u_match_ptr (
                .sel (older_tail),
                .cols(head_of),
                .word(match_ptr)
            );
            assign tail_next = {SET_W{1'b0}};
            wire unused_take_id = &{1'b0, take_id};

            always @(posedge clk) begin
                older_head  <= match_ptr;
                was_ret     <= ret_start;
                was_ret_hit <= |(full_tail & ret_hit);
            end
        end else begin : gen_chain
            assign ret_hit = m & (SET0 << ret_head);
            assign m_moves = {SETS{1'b0}};
            assign shared_m = took_shared && !was_hit;
            genvar g;
            for (g = 0; g < SET_W; g = g + 1) begin : gen_p
                assign p[g*SETS+:SETS] = (p_held[g*SETS+:SETS] & ~linked) | (linked & {SETS{was_shared[g]}});
            end

            if (TAIL == 1) begin : gen_tail_ptr
                reg  [SETS*SET_W-1:0] t;
                wire [SETS-1:0]       new_tail = take | (match & {SETS{|link}});
                integer               i;

                always @(posedge clk)
                    for (i = 0; i < SET_W; i = i + 1)
                        t[i*SETS+:SETS] <= (t[i*SETS+:SETS] & ~new_tail) | (new_tail & {SETS{take_id[i]}});

                mt_onehot_mux #(
                    .N(SETS),
                    .W(SET_W)
                ) u_match_ptr (
                    .sel (match),
                    .cols(t),
                    .word(match_ptr)
                );
                assign tail_next = {SET_W{1'b0}};
            end else begin : gen_walk
                wire unused_take_id = &{1'b0, take_id};
                assign match_ptr = {SET_W{1'b0}};
                mt_onehot_mux #(
                    .N(SETS),
                    .W(SET_W)
                ) u_tail_next (
                    .sel (tail),
                    .cols(p),
                    .word(tail_next)
                );
            end
        end
    endgenerate

    always @(posedge clk) p_held <= p;

    assign ret_known = |ret_hit;

    // ---- release
    generate
        if (EARLY_FREE != 0) begin : gen_early
            wire unused_all_done = all_done;
            assign releasing = at_cur & {SETS{active}};
            assign freed     = at_cur & {SETS{set_done}};
        end else begin : gen_together
            reg  [SETS-1:0]  r;  // sets that the drain has been at
            assign releasing = r | (at_cur & {SETS{active}});
            // TAIL=2: a used set without L and M is one of the super-entry under drain. In the others the tail has M, and the rest L; in this one
            // RET has cleared M, and the drain each L. A super-entry whose RET comes in this cycle still has its M; a free set stays free.
            assign freed     = (TAIL == 2 ? ~(m | l) : releasing) & {SETS{all_done}};
            always @(posedge clk `MT_OR_RST)
                if (rst) r <= {SETS{1'b0}};
                else r <= releasing & ~freed;
        end
    endgenerate

    // ---- the bits of a set; H and W of a free set mean nothing
    wire [SETS-1:0] m_next = m & ~m_moves & ~(ret_hit & {SETS{ret_start}});

    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            l      <= {SETS{1'b0}};
            cur_l  <= 1'b0;
            m_held <= {SETS{1'b0}};
        end else begin
            l      <= (l & ~(at_cur & {SETS{active}})) | link;
            cur_l  <= active && cur_linked && !set_done;
            m_held <= m_next;
        end
    end
    always @(posedge clk) begin
        awake     <= m_next;
        asleep    <= ~m_next;
        cur_group <= to_head ? GROUP0 << (ret_head >> PLACE_W) : to_next ? GROUP0 << (cur_next >> PLACE_W) : cur_group;
        cur_place <= to_head ? PLACE0 << ret_head[PLACE_W-1:0] : to_next ? PLACE0 << cur_next[PLACE_W-1:0] : cur_place;
    end

    // ---- what the sets get in the next cycle
    always @(posedge clk) begin
        fresh      <= offer;
        fresh_addr <= req_addr;
        linked     <= link;
    end
    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            took_reserved <= 1'b0;
            took_shared   <= 1'b0;
        end else begin
            took_reserved <= take_reserved;
            took_shared   <= take_shared;
        end
    end

    // ---- the state of the paper's Figure 8
    generate
        if (OBSERVE != 0) begin : gen_observe
            reg     [SETS-1:0]   h, w;
            reg     [4*SETS-1:0] state;
            integer              s;

            always @(posedge clk `MT_OR_RST) begin
                if (rst) begin
                    h <= {SETS{1'b0}};
                    w <= {SETS{1'b0}};
                end else begin
                    h <= (h & ~take) | (take & {SETS{take_head}});
                    w <= (w & ~take) | (tail & {SETS{refuse_merge}});
                end
            end
            always @*
                for (s = 0; s < SETS; s = s + 1)
                    state[4*s+:4] = (bad && bad_set == s[SET_W-1:0]) ? `MSHR_SERR
                        : is_free[s] ? `MSHR_S0
                        : (h[s] ? `MSHR_S0 : `MSHR_S5)
                          + (releasing[s] ? `MSHR_S5 : l[s] ? `MSHR_S3 : w[s] ? `MSHR_S4 : is_full[s] ? `MSHR_S2 : `MSHR_S1);
            assign st_state = state;
        end else begin : gen_no_observe
            wire unused_state = &{1'b0, take, take_head, refuse_merge, releasing, bad, bad_set};
            assign st_state = {4 * SETS{1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
