// SPDX-License-Identifier: Apache-2.0
// Contract of dl_mshr with attach-only sets: what their state keeps so that the ports can keep their promises (dl_mshr_contract.vh).
// Wires with `hierconn` are registers and wires of the parts, by their names; a name that is not there stops the run.
localparam F_N = SETS - HEADS;
localparam F_HEAD_W = $clog2(HEADS);
localparam F_NEXT_W = F_N < 3 ? 1 : $clog2(F_N);
(* hierconn *) wire [HEADS-1:0] \u_split.u_heads.used ;
(* hierconn *) wire [HEADS*SLOT_W-1:0] \u_split.u_heads.lows ;
(* hierconn *) wire [HEADS*ADDR_W-1:0] \u_split.u_heads.u_cam.tag ;
(* hierconn *) wire [HEADS-1:0] \u_split.u_heads.match ;
(* hierconn *) wire [F_HEAD_W-1:0] \u_split.u_heads.id ;
(* hierconn *) wire [F_HEAD_W-1:0] \u_split.u_heads.gone ;
(* hierconn *) wire [SLOT_W-1:0] \u_split.u_heads.low ;
(* hierconn *) wire [SLOT_W-1:0] \u_split.u_heads.gone_low ;
(* hierconn *) wire \u_split.u_heads.hit ;
(* hierconn *) wire [ADDR_W-1:0] \u_split.u_heads.addr ;
(* hierconn *) wire [SET_W-1:0] \u_split.u_attached.final_set ;
(* hierconn *) wire [F_N-1:0] \u_split.u_attached.used ;
(* hierconn *) wire [F_N-1:0] \u_split.u_attached.taken ;
(* hierconn *) wire [F_N-1:0] \u_split.u_attached.live ;
(* hierconn *) wire [F_N-1:0] \u_split.u_attached.ours ;
(* hierconn *) wire [F_N-1:0] \u_split.u_attached.first ;
(* hierconn *) wire [F_N-1:0] \u_split.u_attached.last ;
(* hierconn *) wire [F_N-1:0] \u_split.u_attached.gone ;
(* hierconn *) wire [F_N*F_HEAD_W-1:0] \u_split.u_attached.owner ;
(* hierconn *) wire [F_N*F_NEXT_W-1:0] \u_split.u_attached.next ;
(* hierconn *) wire \u_split.draining ;
(* hierconn *) wire \u_split.at_head ;
wire [F_HEAD_W-1:0] f_id = \u_split.u_heads.id ;
wire [F_HEAD_W-1:0] f_gone_id = \u_split.u_heads.gone ;
wire                f_hit = \u_split.u_heads.hit ;
wire                f_at_head = \u_split.at_head ;
wire [ADDR_W-1:0]   f_kept_addr = \u_split.u_heads.addr ;
wire [HEADS-1:0]    f_used = \u_split.u_heads.used ;
wire [SET_W-1:0]    f_final = \u_split.u_attached.final_set ;
wire [HEADS-1:0]    f_match = \u_split.u_heads.match ;
wire [F_N-1:0]      f_took = \u_split.u_attached.taken ;
wire [F_N-1:0]      f_attached = \u_split.u_attached.used ;
wire [F_N-1:0]      f_first = \u_split.u_attached.first ;
wire [F_N-1:0]      f_tails = \u_split.u_attached.last ;
wire [F_N-1:0]      f_ours = \u_split.u_attached.ours ;
wire [F_N-1:0]      f_leaving = \u_split.u_attached.gone & {F_N{active}};            // of that under drain
wire [F_N-1:0]      f_growing = \u_split.u_attached.live & f_attached & ~f_leaving;  // of super-entries that can grow
wire [HEADS-1:0]    f_going = ({{(HEADS - 1) {1'b0}}, 1'b1} << f_gone_id) & {HEADS{\u_split.draining }};
wire [HEADS-1:0]    f_matchable = f_used & ~f_going;

// How many requests the low bits of a count stand for.
function [FILL_W-1:0] f_count_of(input [SLOT_W-1:0] low_bits);
    f_count_of = (SLOTS == 1 || low_bits == 0) ? F_SLOTS : {{(FILL_W - SLOT_W) {1'b0}}, low_bits};
endfunction
function f_is_count(input [SLOT_W-1:0] low_bits);
    f_is_count = low_bits == SLOTS[SLOT_W-1:0] || (low_bits != 0 && low_bits < SLOTS);
endfunction
wire [FILL_W-1:0]   f_gone_fill = f_count_of(\u_split.u_heads.gone_low );

// What the registers do not say of an attached set and the monitor keeps: its rank behind its head, from 1 on.
reg  [F_N*CNT_W-1:0] f_rank;
reg  [CNT_W-1:0]     f_ours_rank, f_members, f_drained, f_cur_rank;
reg  [FILL_W-1:0]    f_cur_fill;
wire [F_N-1:0]       f_of_live;   // attached sets of the super-entry of the chosen block
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
    for (f_s = 0; f_s < SETS; f_s = f_s + 1) f_cur_fill = f_cur_fill | (f_rows[f_s*FILL_W+:FILL_W] & {FILL_W{cur == f_s}});
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
        assign tag[h] = \u_split.u_heads.u_cam.tag [h*HEADS+g];
    end
    for (h = 0; h < SLOT_W; h = h + 1) begin : f_low_bit
        assign low[h] = \u_split.u_heads.lows [h*HEADS+g];
    end
    for (h = 0; h < HEADS; h = h + 1) begin : f_to
        assign same_tag[h] = f_matchable[h] && f_of_head[h].tag == tag && h != g;
    end
    for (h = 0; h < F_N; h = h + 1) begin : f_mine
        assign mine[h] = f_of_set[h].head == g && (f_going[g] ? f_leaving[h] : f_growing[h]);
    end
    assign f_head_fill[g*FILL_W+:FILL_W] = fill;
    assign f_rows[g*FILL_W+:FILL_W] = !f_used[g] ? {FILL_W{1'b0}} : (|mine || (f_going[g] && EARLY_FREE == 0 && !f_at_head)) ? F_SLOTS : fill;
    assign f_live_at[g]     = in_live && f_kset == 0;
    assign f_drain_at[g]    = f_going[g] && f_drain && f_kset == 0;
    assign i_low[g]         = !f_used[g] || (f_is_count(low) && (!f_going[g] || low == \u_split.u_heads.gone_low ));
    assign i_tag[g]         = !f_matchable[g] || same_tag == 0;
    assign i_heads[g]       = f_heads[g] == f_matchable[g];
    assign i_block_heads[g] = !f_matchable[g] || ((tag == f_x) == in_live && (!in_live || (fill == f_fill && (f_set == 0) == (mine == 0))));
    // the lookup register is what a comparison in this cycle would give
    assign i_found[g]       = (f_hit && f_id == g) ? f_matchable[g] && tag == f_kept_addr && low == \u_split.u_heads.low
        : !f_matchable[g] || !f_looked_up || tag != f_kept_addr;
    assign i_state[g]       = st == (!f_used[g] ? `MSHR_S0 : f_going[g] ? `MSHR_S5 : |mine ? `MSHR_S3 : fill == F_SLOTS ? `MSHR_S2 : `MSHR_S1)
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
    wire                passed = left && !f_at_head && rank < f_cur_rank;  // the drain has been there
    wire                in_live = f_growing[g] && f_live && head == f_head;
    wire [3:0]          st = st_state[4*SET+:4];
    for (h = 0; h < F_HEAD_W; h = h + 1) begin : f_head_bit
        assign head[h] = \u_split.u_attached.owner [h*F_N+g];
    end
    for (h = 0; h < F_NEXT_W; h = h + 1) begin : f_next_bit
        assign next[h] = \u_split.u_attached.next [h*F_N+g];
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
    assign f_rows[SET*FILL_W+:FILL_W] = !f_attached[g] ? {FILL_W{1'b0}} : !f_tails[g] ? F_SLOTS : left ? f_gone_fill : of_head;
    assign f_live_at[SET]  = in_live && rank == f_kset;
    assign f_drain_at[SET] = left && f_drain && rank == f_kset;

    // it belongs to a head that can grow, or to that under drain
    assign i_owner[g] = !f_attached[g] || (rank != 0 && rank <= F_N && (left ? head == f_gone_id : |(at_owner & f_matchable)));
    assign i_alone[g] = !left || (f_attached[g] && !(EARLY_FREE != 0 && passed));
    // one of each rank: the first, then each the next of the one ahead, up to the last
    assign i_first[g] = !f_attached[g] || ((same & alike) == 0 && f_first[g] == (rank == 1)
        && (rank == 1 || |(same & ahead) || (EARLY_FREE != 0 && left && cur == SET)));
    assign i_next[g]  = !f_attached[g] || f_tails[g] || |(same & at_next);
    assign i_last[g]  = !f_attached[g] || !f_tails[g] || (same & later) == 0;
    // the chosen block
    assign i_set[g]   = !in_live || !f_tails[g] || rank == f_set;
    assign i_drain[g] = !(f_drain && left) || !f_tails[g] || rank == f_end_set;
    assign i_state_attached[g] = st == (!f_attached[g] ? `MSHR_S0 : passed || (left && cur == SET) ? `MSHR_S10 : !f_tails[g] ? `MSHR_S8
        : (left ? f_gone_fill : of_head) == F_SLOTS ? `MSHR_S7 : `MSHR_S6)
        || (st == `MSHR_S9 && f_attached[g] && !passed && !(left && cur == SET) && f_tails[g]
            && (left ? f_gone_fill : of_head) == F_SLOTS);

    always @(posedge clk) if (f_took[g]) f_rank[g*CNT_W+:CNT_W] <= f_ours_rank + 1'b1;
end
always @* begin
    if (f_run) begin
        a_low:       assert (&i_low);
        a_gone_low:  assert (!active || f_is_count(\u_split.u_heads.gone_low ));
        a_tag:       assert (&i_tag);
        a_heads:     assert (&i_heads && f_heads[SETS-1:HEADS] == 0);
        a_one_hot:   assert ((f_match & (f_match - 1'b1)) == 0 && (f_ours & (f_ours - 1'b1)) == 0 || !f_hit);
        a_block:     assert (&i_block_heads);
        a_looked:    assert (f_looked_up ? f_kept_addr == f_looked : f_used == 0 && !f_hit);
        a_found:     assert (&i_found && (!f_hit || f_id < HEADS));
        a_owner:     assert (&i_owner);
        a_alone:     assert (&i_alone);
        a_first:     assert (&i_first);
        a_next:      assert (&i_next);
        a_last:      assert (&i_last);
        a_set:       assert (&i_set && &i_drain);
        a_state:     assert (f_err || (&i_state && &i_state_attached));
        a_live:      assert (!f_live || (|(f_matchable & ({{(HEADS - 1) {1'b0}}, 1'b1} << f_head)) && f_members == f_set && f_fill != 0 && f_fill <= F_SLOTS));

        // the drain
        a_busy:      assert (active == f_busy);
        a_gone:      assert (!\u_split.draining || |(f_used & f_going));
        a_cur:       assert (!active || (f_at_head ? cur == f_gone_id && |f_going : |(f_leaving & ({{(F_N - 1) {1'b0}}, 1'b1} << (cur - HEADS)))));
        a_final:     assert (!active || (f_leaving == 0 ? f_final == f_gone_id
                                         : f_final >= HEADS && |(f_leaving & f_tails & ({{(F_N - 1) {1'b0}}, 1'b1} << (f_final - HEADS)))));
        a_fill:      assert (!active || f_slot < f_cur_fill);
        a_drain:     assert (!f_drain || (active && f_cur_rank == f_dset && f_slot == f_dslot && f_end_fill == f_gone_fill
                                          && (f_leaving != 0 || f_end_set == 0) && (EARLY_FREE != 0 || f_drained == f_end_set)));

        c_word:      cover (f_out_word && f_rsp && f_kset == 1 && f_kslot == SLOTS - 1);
        c_chain:     cover (f_live && f_set == F_N && f_full);
        c_same:      cover (req_valid && req_ready && look && look_addr == f_looked);
    end
end
