// SPDX-License-Identifier: Apache-2.0
// Contains all slot sets of a dl_mshr_paper: addresses, comparators, fill counts and state bits. Bit i of every vector
// belongs to set i. Pointers are columns: bit b of all sets is p[b*SETS +: SETS].
//
// The state of a set is its address, its fill count (S_free, S_full), its pointer P, and the bits L linked, M matchable
// and R releasing. dl_mshr_paper_state.vh decodes the paper's states S0..S10 from it.
//
//   TAIL=2  M is in the tail of each live super-entry. P of a linked set names the next one; P of an unlinked set names
//           its head (itself, if it is the head), so that RET finds the tail and clears its M. A reserved set is always
//           a head, so its own number is a constant that P need not store.
//   TAIL=1  M is in the head of each live super-entry, and the head's T names the tail.
//   TAIL=0  M is in the head; the allocation unit walks along P.
`default_nettype none
`include "mt_reset.vh"
`include "mshr_defs.vh"

module dlm_sets #(
    // number of slot sets, 2..256
    parameter SETS = 128,
    // number of slots per set, 1..64
    parameter SLOTS = 2,
    // block address width
    parameter ADDR_W = 25,
    // sets 0..RESERVED_HEADS-1 can only be heads
    parameter RESERVED_HEADS = 64,
    // how the tail is found, 0..2
    parameter TAIL = 2,
    // 1: the inputs of comparators that cannot match are 0
    parameter GATE = 1,
    // 1: a set is freed when its last request leaves; 0: all sets of a super-entry are freed together
    parameter EARLY_FREE = 0,
    // widths of a set number and a slot number (set by the block)
    parameter SET_W = 7,
    parameter SLOT_W = 1
) (
    input  wire               clk,
    input  wire               rst,
    // lookup
    input  wire [ADDR_W-1:0]  req_addr,
    output wire [SETS-1:0]    match,         // one-hot: the matchable set with this address
    output wire [SETS-1:0]    roomy,         // TAIL=2: the matching set, if it has a free slot and was allocated before
                                             // the last edge
    output wire               fresh_hit,     // the matching set was allocated at the last edge
    output wire               hit,           // a set matches
    output wire [SET_W-1:0]   match_ptr,     // of the matching set: P if TAIL=2 (the head), T if TAIL=1 (the tail)
    output wire [SETS-1:0]    is_free,
    // the tail, or the current set of the walk if TAIL=0
    input  wire [SETS-1:0]    tail,          // one-hot
    output wire [SLOT_W-1:0]  tail_slot,     // next free slot of that set
    output wire               tail_full,
    output wire               tail_linked,
    output wire [SET_W-1:0]   tail_next,
    // allocation, at the edge
    input  wire [SETS-1:0]    offer,         // free sets that can be allocated, known early
    input  wire               take_reserved, // allocate the offered reserved set; the request gets slot 0
    input  wire               take_shared,   // allocate the offered shared set instead
    input  wire [SETS-1:0]    take,          // one-hot: the allocated set
    input  wire [SET_W-1:0]   take_id,       // number of the allocated set
    input  wire [SET_W-1:0]   was_shared,    // number of the shared set that could be allocated in the previous cycle
    input  wire               was_hit,       // the request of the previous cycle hit
    input  wire               may_add,       // the request enters `tail` if that is not full
    input  wire               may_link,      // a set is attached after `tail` if that is full
    // return and drain
    input  wire               ret_start,     // RET accepted
    input  wire [SET_W-1:0]   ret_head,
    output wire               ret_known,     // ret_head is a head whose fetch is in flight
    input  wire               active,        // set `cur` is under drain
    output wire [SLOT_W-1:0]  cur_slots,     // low bits of the number of requests in `cur`
    output wire               cur_linked,
    output wire [SET_W-1:0]   cur_next,
    input  wire               to_head,       // after this edge `cur` is ret_head
    input  wire               to_next,       // after this edge `cur` is cur_next
    input  wire               set_done,      // the last slot of `cur` leaves
    input  wire               all_done
);
    localparam [SETS-1:0] SET0 = 1;
    localparam [SLOT_W-1:0] ONE = 1;
    localparam [SETS-1:0] SHARED = {SETS{1'b1}} << RESERVED_HEADS;

    // Returns a mask of the sets whose number has bit n set.
    function [SETS-1:0] positions(input integer n);
        integer k;
        begin
            for (k = 0; k < SETS; k = k + 1) positions[k] = ((k >> n) & 1) != 0;
        end
    endfunction

    // Late signals are registered before they reach the sets: the offered sets (one per pool) and the address arrive
    // early; whether a set is allocated and whether it is matchable are known late. The sets are updated in the next
    // cycle.
    reg  [SETS-1:0]        fresh;
    reg  [ADDR_W-1:0]      fresh_addr;
    reg                    took_reserved, took_shared;
    wire                   shared_m;  // a shared set was allocated and is matchable
    reg  [SETS-1:0]        linked;  // tail to which was_shared was attached in the previous cycle

    wire [SETS-1:0]        took = fresh & (({SETS{took_shared}} & SHARED) | ({SETS{took_reserved}} & ~SHARED));
    wire [SETS-1:0]        fresh_m = fresh & (({SETS{shared_m}} & SHARED) | ({SETS{took_reserved}} & ~SHARED));
    reg  [SETS-1:0]        l, m_held;
    // m_held and its complement, each for the comparators of half of the address bits
    reg  [SETS-1:0]        awake, asleep;
    wire [SETS-1:0]        m = m_held | fresh_m;
    reg  [SETS*SET_W-1:0]  p_held;
    wire [SETS*SET_W-1:0]  p;
    wire [SETS*SLOT_W-1:0] slot;
    wire [SETS-1:0]        is_full, tag_match;

    wire [SETS-1:0]        add = tail & ~is_full & {SETS{may_add}};
    // If there is more than one slot, a set allocated at the last edge is not full.
    wire [SETS-1:0]        older_tail = (TAIL == 2 && SLOTS > 1) ? tag_match : tail;
    wire [SETS-1:0]        full_tail = older_tail & is_full;
    assign                 roomy = older_tail & ~is_full;
    wire [SETS-1:0]        link = full_tail & {SETS{may_link}};

    // Set `cur` one-hot, stored half decoded: its group (of 8 sets, if there are more than 8) and its position in the
    // group.
    localparam PLACE_W = (SET_W < 2) ? 1 : (SET_W < 4) ? SET_W - 1 : 3;
    localparam PLACES = 1 << PLACE_W;
    localparam GROUPS = (SETS + PLACES - 1) / PLACES;
    localparam [GROUPS-1:0] GROUP0 = 1;
    localparam [PLACES-1:0] PLACE0 = 1;
    reg  [GROUPS-1:0]      cur_group;
    reg  [PLACES-1:0]      cur_place;
    wire [SETS-1:0]        at_cur;
    reg                    cur_l;  // L of `cur`, which the drain clears in its first cycle at that set
    wire [SETS-1:0]        freed;

    wire [ADDR_W-1:0] unused_addr;
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
        .addr      (fresh_addr),
        .sel       ({SETS{1'b0}}),
        .out       (unused_addr)
    );

    // A set allocated at the last edge has no address in the CAM yet.
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
        .fill_low(slot)
    );

    genvar q;
    generate
        for (q = 0; q < GROUPS; q = q + 1) begin : gen_at_cur
            localparam N = (q == GROUPS - 1) ? SETS - q * PLACES : PLACES;
            assign at_cur[q*PLACES+:N] = cur_place[N-1:0] & {N{cur_group[q]}};
        end
    endgenerate

    // ---- values that the allocation unit and the drain read
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
        .words(slot),
        .word(older_slot)
    );
    mt_onehot_mux #(
        .N(SETS),
        .W(SLOT_W)
    ) u_cur_slots (
        .sel (at_cur),
        .words(slot),
        .word(cur_slots)
    );
    mt_column_mux #(
        .N(SETS),
        .W(SET_W)
    ) u_cur_next (
        .sel (at_cur),
        .cols(p),
        .word(cur_next)
    );

    // ---- pointers, and the set whose M a RET clears
    wire [SETS-1:0] ret_hit;  // one-hot: the set whose M is cleared with ret_head
    wire [SETS-1:0] m_moves;  // M moves from this set to the set attached after it

    generate
        if (TAIL == 2) begin : gen_ring
            // Head of the allocated shared set: the head of the super-entry that it was attached to, or itself.
            reg  [SET_W-1:0]      older_head;
            // in the previous cycle: RET accepted; ret_head was the head of the full tail's super-entry
            reg                   was_ret, was_ret_hit;
            wire [SET_W-1:0]      fresh_head = older_head | (was_shared & {SET_W{!was_hit}});
            wire [SETS-1:0]       fresh_shared = fresh & SHARED;
            wire [SETS*SET_W-1:0] head_of;  // head of each unlinked set, column by column
            reg  [SETS-1:0]       ret_differ;
            integer               i;
            genvar                g;

            for (g = 0; g < SET_W; g = g + 1) begin : gen_head_of
                localparam [SETS-1:0] OWN = positions(g);
                assign p[g*SETS+:SETS] = (p_held[g*SETS+:SETS] & ~(fresh_shared | linked)) |
                    (fresh_shared & {SETS{fresh_head[g]}})
                                         | (linked & {SETS{was_shared[g]}});
                assign head_of[g*SETS+:SETS] = (p[g*SETS+:SETS] & SHARED) | (OWN & ~SHARED);
            end
            always @* begin
                ret_differ = {SETS{1'b0}};
                for (i = 0; i < SET_W; i = i + 1)
                    ret_differ = ret_differ | (head_of[i*SETS+:SETS] ^ {SETS{ret_head[i]}});
            end
            assign ret_hit = m & ~ret_differ;
            assign m_moves = link;
            // A set attached in the cycle of its super-entry's RET leaves with it, so this set must not become
            // matchable.
            assign shared_m = took_shared && !(was_ret && was_ret_hit);

            mt_column_mux #(
                .N(SETS),
                .W(SET_W)
            ) u_match_ptr (
                .sel (older_tail),
                .cols(head_of),
                .word(match_ptr)
            );
            assign tail_next = {SET_W{1'b0}};
            wire unused_take = &{1'b0, take, take_id};

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

                mt_column_mux #(
                    .N(SETS),
                    .W(SET_W)
                ) u_match_ptr (
                    .sel (match),
                    .cols(t),
                    .word(match_ptr)
                );
                assign tail_next = {SET_W{1'b0}};
            end else begin : gen_walk
                wire unused_take = &{1'b0, take, take_id};
                assign match_ptr = {SET_W{1'b0}};
                mt_column_mux #(
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
            assign freed     = at_cur & {SETS{set_done}};
        end else begin : gen_together
            // TAIL=2: a used set without L and M belongs to the super-entry under drain. In any other super-entry the
            // tail has M and the other sets have L; in the drained one, RET has cleared M and the drain clears each L.
            // A super-entry whose RET arrives in this cycle still has its M; a free set stays free.
            if (TAIL == 2) begin : gen_ring
                assign freed = ~(m | l) & {SETS{all_done}};
            end else begin : gen_visited
                reg  [SETS-1:0] r;  // sets that the drain has visited
                wire [SETS-1:0] r_next = r | (at_cur & {SETS{active}});
                assign freed = r_next & {SETS{all_done}};
                always @(posedge clk `MT_OR_RST)
                    if (rst) r <= {SETS{1'b0}};
                    else r <= r_next & ~freed;
            end
        end
    endgenerate

    // ---- state bits of the sets
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

    // ---- update of the sets in the next cycle
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
endmodule

`default_nettype wire
