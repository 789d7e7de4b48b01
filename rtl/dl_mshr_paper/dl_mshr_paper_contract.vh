// SPDX-License-Identifier: Apache-2.0
// Contract of dl_mshr_paper: what its ports guarantee (mshr_contract.vh), that a response returns the request's words
// unchanged (mshr_word_contract.vh), and the state invariants from which these guarantees follow.
localparam F_SETS = SETS;
localparam F_HEADS = SETS;
localparam F_RESERVED = RESERVED_HEADS;
localparam F_LINKS = 1;
localparam F_WALK = TAIL == 0;
localparam F_SPLIT = 0;
localparam F_LOOKS = 0;
wire f_look = 1'b0;
wire [ADDR_W-1:0] f_look_addr = {ADDR_W{1'b0}};
wire [ADDR_W-1:0] f_req_addr = req_addr;
(* hierconn *) wire [4*SETS-1:0] \u_dau.states ;
(* hierconn *) wire \u_dau.released ;
(* hierconn *) wire [CNT_W-1:0] \u_dau.u_free.u_heads.count ;
(* hierconn *) wire [CNT_W-1:0] \u_dau.u_free.free_shared ;
wire [4*SETS-1:0] st_state = \u_dau.states ;
wire [CNT_W-1:0]  st_free_heads = \u_dau.u_free.u_heads.count ;
wire [CNT_W-1:0]  st_free_shared = \u_dau.u_free.free_shared ;
wire              take_head = !hit;
wire [SET_W-1:0]  take_id = hit ? id_shared : req_head;
`include "mshr_contract.vh"

wire [SETS*FILL_W-1:0] f_rows;
wire [SETS-1:0] f_live_at, f_drain_at;
`include "mshr_word_contract.vh"

// Wires with `hierconn` connect by name to registers and wires of submodules; a missing name stops the run.
(* hierconn *) wire [SETS-1:0] \u_sets.m ;
(* hierconn *) wire [SETS-1:0] \u_sets.u_cam.awake ;
(* hierconn *) wire [SETS-1:0] \u_sets.u_cam.asleep ;
(* hierconn *) wire [SETS-1:0] \u_sets.at_cur ;
(* hierconn *) wire [SETS*SLOT_W-1:0] \u_sets.fill_lows ;
(* hierconn *) wire [SETS*SET_W-1:0] \u_sets.successors ;
(* hierconn *) wire [SETS*SET_W-1:0] \u_sets.gen_chain.gen_pointer.tails ;
(* hierconn *) wire [SETS*ADDR_W-1:0] \u_sets.u_cam.f_tags ;
(* hierconn *) wire [SETS-1:0] \u_dau.linked ;
(* hierconn *) wire [SETS-1:0] \u_dau.u_free.f_seen ;
(* hierconn *) wire \u_dau.u_tail.gen_walk.on_way ;
(* hierconn *) wire [SET_W-1:0] \u_dau.u_tail.gen_walk.way_head ;
(* hierconn *) wire [SET_W-1:0] \u_dau.u_tail.gen_walk.way_set ;
wire [SETS-1:0]         f_m = \u_sets.m ;
wire [SETS-1:0]         f_releasing;  // sets in S5 or S10
wire [SETS-1:0]         f_freed = f_releasing & {SETS{\u_dau.released }};

// Monitor state that is not in the registers: the head that each set was allocated for; the sets allocated before that
// set in its super-entry (bit t of column s: t precedes s) and their number; whether RET has been accepted; the tail of
// each head and of the drain.
reg  [SETS*SET_W-1:0] f_hd;
reg  [SETS*CNT_W-1:0] f_rank;
reg  [SETS*SETS-1:0]  f_before;
reg  [SETS-1:0]       f_gone;
reg  [SETS*SET_W-1:0] f_tail;
reg  [SET_W-1:0]      f_gone_tail;

localparam F_LONGEST = RESERVED_HEADS > 0 ? SETS - RESERVED_HEADS : SETS - 1;  // links in the longest super-entry
localparam [SETS-1:0] F_SET0 = 1;
wire [SETS-1:0]       f_l = \u_dau.linked | ((F_SET0 << cur) & {SETS{active && cur_linked}});
localparam [SETS-1:0] F_SHARED = {SETS{1'b1}} << RESERVED_HEADS;
wire [SETS-1:0]       f_used = ~is_free;
wire [SETS-1:0]       f_here_sets = f_used & ~f_gone;  // sets of super-entries that can grow

// The request's super-entry: its sets, its head, and the number of sets before its tail.
wire [SETS-1:0]       f_members;
reg  [SET_W-1:0]      f_of;
reg  [CNT_W-1:0]      f_of_rank;
integer               f_s;
always @* begin
    f_of      = {SET_W{1'b0}};
    f_of_rank = {CNT_W{1'b0}};
    for (f_s = 0; f_s < SETS; f_s = f_s + 1) begin
        f_of      = f_of | (f_hd[f_s*SET_W+:SET_W] & {SET_W{f_members[f_s]}});
        f_of_rank = f_of_rank | (f_rank[f_s*CNT_W+:CNT_W] & {CNT_W{f_members[f_s] && !f_l[f_s]}});
    end
end

wire             f_takes_set = |take;
// a set is attached in the cycle of its super-entry's RET
wire             f_joins = f_takes_set && !take_head && f_of == ret_head;
wire [SETS-1:0]  f_returned;
reg  [SET_W-1:0] f_ret_tail;
always @* begin
    f_ret_tail = {SET_W{1'b0}};
    for (f_s = 0; f_s < SETS; f_s = f_s + 1)
        f_ret_tail = f_ret_tail | (f_tail[f_s*SET_W+:SET_W] & {SET_W{ret_head == f_s}});
end
always @(posedge clk) begin
    f_gone <= (f_gone & ~f_freed) | ((f_returned | (take & {SETS{f_joins}})) & {SETS{f_ret_good}});
    if (f_ret_good) f_gone_tail <= f_joins ? take_id : f_ret_tail;
    if (rst) f_gone <= {SETS{1'b0}};
end

// The set under drain: the sets before it, its rank, and its fill count.
reg [SETS-1:0] f_cur_before;
reg [CNT_W-1:0] f_cur_rank, f_count;
reg [FILL_W-1:0] f_cur_fill;
wire [SETS-1:0] f_in_live, f_in_drain;  // sets of the super-entries of the chosen block
always @* begin
    f_cur_before = {SETS{1'b0}};
    f_cur_rank   = {CNT_W{1'b0}};
    f_cur_fill   = {FILL_W{1'b0}};
    f_count      = {CNT_W{1'b0}};
    for (f_s = 0; f_s < SETS; f_s = f_s + 1) begin
        f_cur_before = f_cur_before | (f_before[f_s*SETS+:SETS] & {SETS{cur == f_s}});
        f_cur_rank   = f_cur_rank | (f_rank[f_s*CNT_W+:CNT_W] & {CNT_W{cur == f_s}});
        f_cur_fill   = f_cur_fill | (f_rows[f_s*FILL_W+:FILL_W] & {FILL_W{cur == f_s}});
        f_count      = f_count + f_in_live[f_s];
    end
end

// Invariants of each set.
wire [SETS-1:0] i_fill, i_link, i_order, i_last, i_head, i_tail, i_address, i_match, i_ring, i_gone,
    i_reserved, i_heads, i_block, i_rank, i_state;
genvar          g, h;
for (g = 0; g < SETS; g = g + 1) begin : f_of_set
    wire [SET_W-1:0]  hd = f_hd[g*SET_W+:SET_W];
    wire [SET_W-1:0]  tail_of = f_tail[g*SET_W+:SET_W];
    wire [CNT_W-1:0]  rank = f_rank[g*CNT_W+:CNT_W];
    wire [SETS-1:0]   earlier = f_before[g*SETS+:SETS];
    wire [SETS-1:0]   after, same_hd, same_tag, later, at_next;
    wire [SET_W-1:0]  next;
    wire [FILL_W-1:0] fill;
    wire [ADDR_W-1:0] tag;
    wire [SETS-1:0]   same = f_used & (f_gone[g] ? f_gone : ~f_gone & same_hd);  // sets of this set's super-entry
    wire              linked = f_used[g] && f_l[g];
    wire              here = f_here_sets[g];
    wire              seen = f_gone[g] && f_cur_before[g];

    wire [SLOT_W-1:0] low;
    wire [3:0]        st = st_state[4*g+:4];
    for (h = 0; h < SET_W; h = h + 1) begin : f_next_bit
        assign next[h] = \u_sets.successors [g*SET_W+h];
    end
    for (h = 0; h < SLOT_W; h = h + 1) begin : f_low_bit
        assign low[h] = \u_sets.fill_lows [g*SLOT_W+h];
    end
    for (h = 0; h < ADDR_W; h = h + 1) begin : f_tag_bit
        assign tag[h] = \u_sets.u_cam.f_tags [g*ADDR_W+h];
    end
    if (FILL_W > SLOT_W) begin : f_power_of_two
        assign fill = {low == 0, low} & {FILL_W{f_used[g]}};
    end else begin : f_other
        assign fill = low & {FILL_W{f_used[g]}};
    end
    assign f_releasing[g] = st == `MSHR_S5 || st == `MSHR_S10;
    for (h = 0; h < SETS; h = h + 1) begin : f_to
        assign after[h]    = f_before[h*SETS+g];
        assign same_hd[h]  = f_hd[h*SET_W+:SET_W] == hd;
        assign same_tag[h] = f_of_set[h].tag == tag;
        assign later[h]    = rank < f_rank[h*CNT_W+:CNT_W];
        assign at_next[h]  = next == h;
    end
    assign f_rows[g*FILL_W+:FILL_W] = fill;

    // The set that this set points to: the sets before that set, and its rank.
    reg [SETS-1:0]  next_before;
    reg [CNT_W-1:0] next_rank;
    integer         k;
    always @* begin
        next_before = {SETS{1'b0}};
        next_rank   = {CNT_W{1'b0}};
        for (k = 0; k < SETS; k = k + 1) begin
            next_before = next_before | (f_before[k*SETS+:SETS] & {SETS{at_next[k]}});
            next_rank   = next_rank | (f_rank[k*CNT_W+:CNT_W] & {CNT_W{at_next[k]}});
        end
    end

    assign f_members[g]  = here && tag == req_addr;
    assign f_returned[g] = here && hd == ret_head;
    assign f_in_live[g]  = here && f_live && hd == f_head;
    assign f_in_drain[g] = f_used[g] && f_gone[g] && f_drain;
    assign f_live_at[g]  = !f_err && f_in_live[g] && rank == f_kset;
    assign f_drain_at[g] = !f_err && f_in_drain[g] && rank == f_kset;

    always @(posedge clk) begin
        if (take[g]) begin
            f_hd[g*SET_W+:SET_W]   <= take_head ? g : f_of;
            f_rank[g*CNT_W+:CNT_W] <= take_head ? {CNT_W{1'b0}} : f_of_rank + 1'b1;
        end
        // a newly allocated set precedes no other set
        f_before[g*SETS+:SETS] <= (take[g] ? (take_head ? {SETS{1'b0}} : f_members) : earlier) & ~take;
        if (f_takes_set && (take_head ? take[g] : f_of == g)) f_tail[g*SET_W+:SET_W] <= take_id;
    end

    assign i_fill[g]     = fill <= F_SLOTS && f_used[g] == (fill != 0);
    // a linked set is full and points to its successor: the sets before the successor are this set and its predecessors
    assign i_link[g]     = !linked || (fill == F_SLOTS && |(at_next & same) && next_rank == rank + 1'b1
                                       && ((next_before ^ (earlier | (F_SET0 << g))) & same) == 0);
    // the sets of a super-entry are totally ordered, and all but the last are linked until the drain has passed them
    assign i_order[g]    = !f_used[g] || (!earlier[g] && ((earlier ^ after ^ ~(F_SET0 << g)) & same) == 0);
    assign i_last[g]     = f_l[g] ? f_used[g] && !seen : !f_used[g] || seen || (after & same) == 0;
    // the super-entry's head is first; its tail exists and is not linked
    assign i_head[g]     = (!here || (|((F_SET0 << hd) & same & f_heads) && (hd == g || |((F_SET0 << hd) & earlier))))
        && (!f_used[g] || hd != g || (earlier & same) == 0);
    assign i_tail[g]     = !here || hd != g || |((F_SET0 << tail_of) & same & ~f_l);
    // two sets have the same address if and only if they belong to the same super-entry
    assign i_address[g]  = !here || ((same_tag ^ same_hd) & f_here_sets) == 0;
    assign i_match[g]    = f_m[g] == (here && (TAIL == 2 ? !f_l[g] : hd == g));
    assign i_ring[g]     = TAIL != 2 || g < RESERVED_HEADS || !f_m[g] || next == hd;
    assign i_gone[g]     = !f_gone[g] || (f_used[g] && (f_gone & ~same_hd) == 0 && !(EARLY_FREE != 0 && seen));
    assign i_reserved[g] = g >= RESERVED_HEADS || !f_used[g] || hd == g;
    assign i_heads[g]    = f_heads[g] == (here && hd == g);
    // the chosen block: the owner of each set; the fill of its super-entries
    assign i_block[g]    = (!here || (tag == f_x) == f_in_live[g])
        && (!f_in_live[g] || f_l[g] || (rank == f_set && fill == f_fill))
        && (!f_in_drain[g] || f_l[g] || seen || (rank == f_end_set && fill == f_end_fill));
    assign i_rank[g]     = !(f_in_live[g] || f_in_drain[g]) || (after & same & ~later) == 0;

    // S1..S3 and S5, S6..S8 and S10; S4 and S9 are S2 and S7 after a merge was refused
    wire [3:0] of = !f_used[g] ? `MSHR_S0
        : (hd == g ? `MSHR_S0 : `MSHR_S5)
          + (f_gone[g] && (cur == g || seen) ? `MSHR_S5 : f_l[g] ? `MSHR_S3 : fill == F_SLOTS ? `MSHR_S2 : `MSHR_S1);
    assign i_state[g] = st == of || (st == `MSHR_S4 && of == `MSHR_S2) || (st == `MSHR_S9 && of == `MSHR_S7);
end

// An error stops the block.
always @* if (f_run) a_number: assert (!f_live || {1'b0, f_head} < F_SETS_N);
always @* begin
    if (f_run && !f_err) begin
        a_awake:    assert ((f_m & (~\u_sets.u_cam.awake | \u_sets.u_cam.asleep )) == 0);
        a_at_cur:   assert (!active || \u_sets.at_cur == F_SET0 << cur);
        a_fill:     assert (&i_fill);
        a_link:     assert (&i_link);
        a_order:    assert (&i_order);
        a_last:     assert (&i_last);
        a_head:     assert (&i_head);
        a_tail:     assert (&i_tail);
        a_address:  assert (&i_address);
        a_match:    assert (&i_match);
        a_one_hot:  assert ((match & (match - 1'b1)) == 0);
        a_ring:     assert (&i_ring);
        a_gone:     assert (&i_gone);
        a_reserved: assert (&i_reserved);
        a_heads:    assert (&i_heads);
        a_block:    assert (&i_block);
        a_rank:     assert (&i_rank);
        a_state:    assert (&i_state);
        a_free:     assert (st_free_heads == f_free_heads && st_free_shared == f_free_shared);

        // the drain
        a_busy:     assert (active == f_busy && active == (f_gone != 0));
        a_cur:      assert (!active || (|(f_gone & (F_SET0 << cur)) && f_slot < f_cur_fill));
        a_end:      assert (!active || |(f_gone & ~f_l & (F_SET0 << f_gone_tail)));

        // the chosen block
        a_live:     assert (!f_live ||
                            (|(f_in_live & f_heads & (F_SET0 << f_head)) && f_count == f_set + 1'b1 && f_fill != 0 &&
                            f_fill <= F_SLOTS));
        a_drain:    assert (!f_drain || (active && f_cur_rank == f_dset && f_slot == f_dslot));

        c_word:     cover (f_out_word && f_rsp && f_kset == 1 && f_kslot == SLOTS - 1);
        c_chain:    cover (f_live && f_set == F_LONGEST && f_full);
    end
end

if (EARLY_FREE == 0) begin : f_together
    wire [SETS-1:0] seen = f_cur_before & f_gone & {SETS{active}};  // sets that the drain has passed
    always @* if (f_run && !f_err) a_seen: assert (\u_dau.u_free.f_seen == seen);
end
if (TAIL == 1) begin : f_tail_ptr
    wire [SETS*SET_W-1:0] t = \u_sets.gen_chain.gen_pointer.tails ;
    reg                   is;
    integer               k, n;
    always @* begin
        is = 1'b1;
        for (k = 0; k < SETS; k = k + 1)
            for (n = 0; n < SET_W; n = n + 1) is = is && !(f_m[k] && t[k*SET_W+n] != f_tail[k*SET_W+n]);
        if (f_run && !f_err) a_pointer: assert (is);
    end
end
if (TAIL == 0) begin : f_walker
    wire [SET_W-1:0] at_head = \u_dau.u_tail.gen_walk.way_head ;
    wire [SET_W-1:0] at = \u_dau.u_tail.gen_walk.way_set ;
    wire             on = \u_dau.u_tail.gen_walk.on_way ;
    always @*
        if (f_run && !f_err) begin
            a_way:   assert (!on ||
                             (at_head < SETS &&
                             (!f_m[at_head] || (at < SETS && f_here_sets[at] && f_hd[at*SET_W+:SET_W] == at_head))));
            a_steps: assert (f_way == (on && f_live && at_head == f_head ? f_rank[at*CNT_W+:CNT_W] : {CNT_W{1'b0}}));
        end
end
