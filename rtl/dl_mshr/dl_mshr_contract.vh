// SPDX-License-Identifier: Apache-2.0
// Contract of dl_mshr: what its ports guarantee (mshr_contract.vh), that a response returns the request's words
// unchanged (mshr_word_contract.vh), and the state invariants from which these guarantees follow.
localparam F_SETS = SETS;
localparam F_HEADS = HEADS;
localparam F_RESERVED = HEADS;
localparam F_LINKS = 1;
localparam F_WALK = 0;
localparam F_SPLIT = 1;
localparam F_LOOKS = 1;
wire f_look = look;
wire [ADDR_W-1:0] f_look_addr = look_addr;
wire [ADDR_W-1:0] f_req_addr = {ADDR_W{1'b0}};
// Wires with `hierconn` connect by name to registers and wires of submodules; a missing name stops the run.
localparam F_N = SETS - HEADS;
localparam F_HEAD_W = $clog2(HEADS);
localparam F_NEXT_W = F_N < 3 ? 1 : $clog2(F_N);
(* hierconn *) wire [HEADS*SLOT_W-1:0] \u_heads.fill_lows ;
(* hierconn *) wire [HEADS*ADDR_W-1:0] \u_heads.u_cam.f_tags ;
(* hierconn *) wire [HEADS-1:0] \u_heads.match ;
(* hierconn *) wire [ADDR_W-1:0] \u_heads.addr ;
(* hierconn *) wire [F_N-1:0] \u_attached.taken ;
(* hierconn *) wire \u_drain.gap ;
(* hierconn *) wire [F_N-1:0] \u_attached.tail_at ;
(* hierconn *) wire [F_N-1:0] \u_attached.is_first ;
(* hierconn *) wire [F_N-1:0] \u_attached.is_last ;
(* hierconn *) wire [F_N-1:0] \u_attached.in_drain ;
(* hierconn *) wire [F_N*F_HEAD_W-1:0] \u_attached.owners ;
(* hierconn *) wire [F_N*F_NEXT_W-1:0] \u_attached.successors ;
(* hierconn *) wire [HEADS-1:0] \u_heads.taken ;
(* hierconn *) wire [HEADS-1:0] \u_heads.used ;
(* hierconn *) wire [F_N-1:0] \u_attached.used ;
(* hierconn *) wire [$clog2(F_N+1)-1:0] \u_room.drained ;
wire [HEADS-1:0]        head_used = \u_heads.used ;
wire [F_N-1:0]          attached_used = \u_attached.used ;
(* hierconn *) wire [F_N-1:0] \u_attached.at_cur ;
(* hierconn *) wire [CNT_W-1:0] \u_room.heads_out ;
(* hierconn *) wire [CNT_W-1:0] \u_room.attached_out ;
(* hierconn *) wire [F_HEAD_W-1:0] \u_heads.drain_head ;
wire [F_HEAD_W-1:0]     drain_head = \u_heads.drain_head ;
wire [HEADS-1:0]        head_taken = \u_heads.taken ;
wire [HEADS*SLOT_W-1:0] fill_lows = \u_heads.fill_lows ;
wire [F_N-1:0]          taken = \u_attached.taken ;
wire [F_N-1:0]          tail_at = \u_attached.tail_at ;
wire [F_N-1:0]          at_cur = \u_attached.at_cur ;
wire [F_N-1:0]          in_drain = \u_attached.in_drain ;
wire [F_N-1:0]          is_last = \u_attached.is_last ;
wire [F_N*F_HEAD_W-1:0] owners = \u_attached.owners ;
`include "tb/dl_mshr/dl_mshr_state.vh"
wire [4*SETS-1:0] st_state = f_state;
wire [CNT_W-1:0]  st_free_heads = \u_room.heads_out ;
wire [CNT_W-1:0]  st_free_shared = \u_room.attached_out ;
`include "mshr_contract.vh"

wire [SETS*FILL_W-1:0] f_rows;
wire [SETS-1:0] f_live_at, f_drain_at;
`include "mshr_word_contract.vh"

wire [F_HEAD_W-1:0] f_id = id;
wire [F_HEAD_W-1:0] f_gone_id = drain_head;
wire                f_hit = hit;
wire                f_at_head = at_head;
wire [ADDR_W-1:0]   f_kept_addr = \u_heads.addr ;
wire [HEADS-1:0]    f_used = head_used;
wire [HEADS-1:0]    f_match = \u_heads.match ;
wire [F_N-1:0]      f_took = \u_attached.taken ;
wire [F_N-1:0]      f_attached = attached_used;
wire [F_N-1:0]      f_first_set = \u_attached.is_first ;
wire [F_N-1:0]      f_tails = \u_attached.is_last ;
wire [F_N-1:0]      f_ours = \u_attached.tail_at ;
// attached sets of the super-entry under drain
wire [F_N-1:0]      f_leaving = \u_attached.in_drain & {F_N{active}};
// attached sets of super-entries that can grow
wire [F_N-1:0]      f_growing = f_attached & ~f_leaving;
wire [HEADS-1:0]    f_going = ({{(HEADS - 1) {1'b0}}, 1'b1} << f_gone_id) & {HEADS{active}};
wire [HEADS-1:0]    f_matchable = f_used & ~f_going;

// Returns the number of requests, decoded from the low bits of a count.
function [FILL_W-1:0] f_count_of(input [SLOT_W-1:0] low_bits);
    f_count_of = (SLOTS == 1 || low_bits == 0) ? F_SLOTS : {{(FILL_W - SLOT_W) {1'b0}}, low_bits};
endfunction
function f_is_count(input [SLOT_W-1:0] low_bits);
    f_is_count = low_bits == SLOTS[SLOT_W-1:0] || (low_bits != 0 && low_bits < SLOTS);
endfunction
wire [FILL_W-1:0]   f_gone_fill = f_count_of(drain_fill_low);

// Monitor state that is not in the registers: the rank of each attached set after its head, counted from 1.
reg  [F_N*CNT_W-1:0] f_rank;
reg  [CNT_W-1:0]     f_ours_rank, f_members, f_drained, f_cur_rank;
reg  [FILL_W-1:0]    f_cur_fill;
wire [F_N-1:0]       f_of_live;   // attached sets of the chosen block's super-entry
integer              f_s;
always @* begin
    f_ours_rank = {CNT_W{1'b0}};
    f_members   = {CNT_W{1'b0}};
    f_drained   = {CNT_W{1'b0}};
    f_cur_rank  = {CNT_W{1'b0}};
    f_cur_fill  = {FILL_W{1'b0}};
    for (f_s = 0; f_s < F_N; f_s = f_s + 1) begin
        f_ours_rank = f_ours_rank | (f_rank[f_s*CNT_W+:CNT_W] & {CNT_W{f_ours[f_s]}});
        f_members   = f_members + f_of_live[f_s];
        f_drained   = f_drained + f_leaving[f_s];
        f_cur_rank  = f_cur_rank | (f_rank[f_s*CNT_W+:CNT_W] & {CNT_W{cur == HEADS + f_s}});
    end
    for (f_s = 0; f_s < SETS; f_s = f_s + 1)
        f_cur_fill = f_cur_fill | (f_rows[f_s*FILL_W+:FILL_W] & {FILL_W{cur == f_s}});
end

wire [HEADS-1:0] i_low, i_tag, i_block_heads, i_heads, i_found, i_state;
wire [F_N-1:0]   i_owner, i_alone, i_first, i_next, i_last, i_set, i_drain, i_state_attached;
wire [HEADS*FILL_W-1:0] f_head_fill;
genvar           g, h;
for (g = 0; g < HEADS; g = g + 1) begin : f_of_head
    wire [ADDR_W-1:0] tag;
    wire [SLOT_W-1:0] low;
    wire [HEADS-1:0]  same_tag;
    wire [F_N-1:0]    mine;
    wire [3:0]        st = st_state[4*g+:4];
    wire [FILL_W-1:0] fill = f_count_of(low);
    wire              in_live = f_matchable[g] && f_live && f_head == g;
    for (h = 0; h < ADDR_W; h = h + 1) begin : f_tag_bit
        assign tag[h] = \u_heads.u_cam.f_tags [g*ADDR_W+h];
    end
    for (h = 0; h < SLOT_W; h = h + 1) begin : f_low_bit
        assign low[h] = fill_lows[g*SLOT_W+h];
    end
    for (h = 0; h < HEADS; h = h + 1) begin : f_to
        assign same_tag[h] = f_matchable[h] && f_of_head[h].tag == tag && h != g;
    end
    for (h = 0; h < F_N; h = h + 1) begin : f_mine
        assign mine[h] = f_of_set[h].head == g && (f_going[g] ? f_leaving[h] : f_growing[h]);
    end
    assign f_head_fill[g*FILL_W+:FILL_W] = fill;
    assign f_rows[g*FILL_W+:FILL_W] = !f_used[g] ? {FILL_W{1'b0}} :
        (|mine || (f_going[g] && !f_at_head)) ? F_SLOTS : fill;
    assign f_live_at[g]     = in_live && f_kset == 0;
    assign f_drain_at[g]    = f_going[g] && f_drain && f_kset == 0;
    assign i_low[g]         = !f_used[g] || (f_is_count(low) && (!f_going[g] || low == drain_fill_low));
    assign i_tag[g]         = !f_matchable[g] || same_tag == 0;
    assign i_heads[g]       = f_heads[g] == f_matchable[g];
    assign i_block_heads[g] = f_going[g] ? (tag == f_x) == f_drain : !f_matchable[g] ||
        ((tag == f_x) == in_live && (!in_live || (fill == f_fill && (f_set == 0) == (mine == 0))));
    // the lookup register equals the result of a comparison in this cycle
    assign i_found[g]       = (f_hit && f_id == g) ?
        f_used[g] && late == f_going[g] && tag == f_kept_addr && low == fill_low :
        !f_matchable[g] || !f_looked_up || tag != f_kept_addr;
    assign i_state[g]       = st ==
        (!f_used[g] ? `MSHR_S0 : f_going[g] ? `MSHR_S5 : |mine ? `MSHR_S3 : fill == F_SLOTS ? `MSHR_S2 : `MSHR_S1)
        || (st == `MSHR_S4 && f_matchable[g] && mine == 0 && fill == F_SLOTS);
end
for (g = 0; g < F_N; g = g + 1) begin : f_of_set
    localparam SET = HEADS + g;
    wire [F_HEAD_W-1:0] head;
    wire [CNT_W-1:0]    rank = f_rank[g*CNT_W+:CNT_W];
    wire [SET_W-1:0]    next_set;
    wire [F_NEXT_W-1:0] next;
    wire [F_N-1:0]      same, later, at_next, ahead, alike;
    wire [FILL_W-1:0]   head_fill;
    wire [HEADS-1:0]    at_owner = {{(HEADS - 1) {1'b0}}, 1'b1} << head;
    wire                left = f_leaving[g];
    wire                passed = left && !f_at_head && rank < f_cur_rank;  // the drain has passed the set
    wire                in_live = f_growing[g] && f_live && head == f_head;
    wire [3:0]          st = st_state[4*SET+:4];
    for (h = 0; h < F_HEAD_W; h = h + 1) begin : f_head_bit
        assign head[h] = owners[g*F_HEAD_W+h];
    end
    for (h = 0; h < F_NEXT_W; h = h + 1) begin : f_next_bit
        assign next[h] = \u_attached.successors [g*F_NEXT_W+h];
    end
    for (h = 0; h < F_N; h = h + 1) begin : f_to
        localparam integer TO = HEADS + h;
        wire [CNT_W-1:0] rank_to = f_rank[h*CNT_W+:CNT_W];
        assign same[h]    = h != g && (left ? f_leaving[h] : f_growing[h] && f_of_set[h].head == head);
        assign later[h]   = rank_to > rank;
        assign ahead[h]  = rank_to + 1'b1 == rank;
        assign alike[h]   = rank_to == rank;
        assign at_next[h] = next == TO[F_NEXT_W-1:0] && rank_to == rank + 1'b1;
    end
    reg [FILL_W-1:0] of_head;
    integer          k;
    always @* begin
        of_head = {FILL_W{1'b0}};
        for (k = 0; k < HEADS; k = k + 1) of_head = of_head | (f_head_fill[k*FILL_W+:FILL_W] & {FILL_W{at_owner[k]}});
    end
    assign f_of_live[g] = in_live;
    assign f_rows[SET*FILL_W+:FILL_W] = !f_attached[g] ? {FILL_W{1'b0}} : !f_tails[g] ? F_SLOTS : left ? f_gone_fill :
        of_head;
    assign f_live_at[SET]  = in_live && rank == f_kset;
    assign f_drain_at[SET] = left && f_drain && rank == f_kset;

    // the set's head can grow or is under drain
    assign i_owner[g] = !f_attached[g] ||
        (rank != 0 && rank <= F_N && (left ? head == f_gone_id : |(at_owner & f_matchable)));
    assign i_alone[g] = !left || f_attached[g];
    // each rank occurs once; from the first to the last, each set points to the set of the next rank
    assign i_first[g] = !f_attached[g] || ((same & alike) == 0 && f_first_set[g] == (rank == 1)
        && (rank == 1 || |(same & ahead)));
    assign i_next[g]  = !f_attached[g] || f_tails[g] || |(same & at_next);
    assign i_last[g]  = !f_attached[g] || !f_tails[g] || (same & later) == 0;
    // the chosen block
    assign i_set[g]   = !in_live || !f_tails[g] || rank == f_set;
    assign i_drain[g] = !(f_drain && left) || !f_tails[g] || rank == f_end_set;
    assign i_state_attached[g] = st ==
        (!f_attached[g] ? `MSHR_S0 : passed || (left && cur == SET) ? `MSHR_S10 : !f_tails[g] ? `MSHR_S8
        : (left ? f_gone_fill : of_head) == F_SLOTS ? `MSHR_S7 : `MSHR_S6)
        || (st == `MSHR_S9 && f_attached[g] && !passed && !(left && cur == SET) && f_tails[g]
            && (left ? f_gone_fill : of_head) == F_SLOTS);

    always @(posedge clk) if (f_took[g]) f_rank[g*CNT_W+:CNT_W] <= f_ours_rank + 1'b1;
end
always @* begin
    if (f_run) begin
        a_drained:   assert (f_err ||
                             \u_room.drained == (!active || f_at_head ? 0 : f_cur_rank - 1'b1));
        p_room:      assert (f_err || room == (f_free_heads < f_free_shared ? f_free_heads : f_free_shared));
        p_accepts:   assert (f_err || !req_valid || room == 0 || req_ready || stale);
        p_empty:     assert (f_err || empty == &f_free);
        a_low:       assert (&i_low);
        a_gone_low:  assert (!active || f_is_count(drain_fill_low));
        a_tag:       assert (&i_tag);
        a_heads:     assert (&i_heads && f_heads[SETS-1:HEADS] == 0);
        a_one_hot:   assert ((f_match & (f_match - 1'b1)) == 0 && (f_ours & (f_ours - 1'b1)) == 0 || !f_hit);
        a_block:     assert (&i_block_heads);
        a_looked:    assert (f_looked_up ? f_kept_addr == f_looked : f_used == 0 && !f_hit);
        a_late:      assert (f_err || !f_looked_up || (f_here ? late == f_late && stale == f_stale : !(stale && hit)));
        a_gap:       assert (!f_drain || \u_drain.gap == f_gap);
        a_found:     assert (&i_found && (!f_hit || f_id < HEADS));
        a_owner:     assert (&i_owner);
        a_alone:     assert (&i_alone);
        a_first:     assert (&i_first);
        a_next:      assert (&i_next);
        a_last:      assert (&i_last);
        a_set:       assert (&i_set && &i_drain);
        a_state:     assert (f_err || (&i_state && &i_state_attached));
        a_live:      assert (!f_live ||
                             (|(f_matchable & ({{(HEADS - 1) {1'b0}}, 1'b1} << f_head)) && f_members == f_set &&
                             f_fill != 0 && f_fill <= F_SLOTS));

        // the drain
        a_busy:      assert (active == f_busy);
        a_gone:      assert (!active || |(f_used & f_going));
        a_cur:       assert (!active ||
                             (f_at_head ? cur == f_gone_id && |f_going :
                             |(f_leaving & ({{(F_N - 1) {1'b0}}, 1'b1} << (cur - HEADS)))));
        a_fill:      assert (!active || f_slot < f_cur_fill);
        a_drain:     assert (!f_drain ||
                             (active && f_cur_rank == f_dset && f_slot == f_dslot && f_end_fill == f_gone_fill
                                          && (f_leaving != 0 || f_end_set == 0) &&
                                              f_drained == f_end_set));

        c_word:      cover (f_out_word && f_rsp && f_kset == 1 && f_kslot == SLOTS - 1);
        c_chain:     cover (f_live && f_set == F_N && f_full);
        c_same:      cover (req_valid && req_ready && look && look_addr == f_looked);
    end
end
// true of the block that the solver chose, so of every block
always @* begin
    if (f_run) begin
        p_ret_addr: assert (f_err || ret_addr == 0 || ADDR_OUT != 0);
        p_ret_x:    assert (f_err || ADDR_OUT == 0 || !(f_live && ret_head == f_head) || ret_addr == f_x);
    end
end
