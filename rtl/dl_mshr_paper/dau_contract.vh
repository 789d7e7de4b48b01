// SPDX-License-Identifier: Apache-2.0
// Contract of dau, for any number of sets: the states agree with the free counts and with the drain, only a free set is
// allocated, and a request is written to its set.
(* hierconn *) wire [SETS-1:0] \u_free.f_seen ;
(* hierconn *) wire [SETS-1:0] \u_free.f_free ;
reg                   f_run;    // reset has been applied
reg                   f_busy;   // a set is under drain
reg  [SET_W-1:0]      f_cur;    // that set
reg  [SETS-1:0]       f_seen;   // sets that the drain has left and that are not free
wire [SETS-1:0]       f_at_cur = (SET0 << f_cur) & {SETS{f_busy}};
wire [SETS-1:0]       f_left = f_seen | (f_at_cur & {SETS{set_done}});
// S5 or S10; S6..S9; S10 or S6..S9
wire [SETS-1:0]       f_releasing, f_attached, f_not_head, f_legal;
wire [SETS-1:0]       f_passable = TAIL == 0 ? {SETS{1'b0}} : linked;  // only a walk passes linked sets
wire [SETS-1:0]       f_take_h = take & {SETS{!hit}};
genvar                f_g;

generate
    for (f_g = 0; f_g < SETS; f_g = f_g + 1) begin : f_of_set
        wire [3:0] st = states[4*f_g+:4];
        assign f_releasing[f_g] = st == `MSHR_S5 || st == `MSHR_S10;
        assign f_attached[f_g]  = st >= `MSHR_S6 && st <= `MSHR_S9;
        assign f_legal[f_g]     = st <= `MSHR_S10;
        assign f_not_head[f_g]  = st >= `MSHR_S6 && st <= `MSHR_S10;
    end
endgenerate

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run  <= 1'b1;
    f_busy <= ((f_busy && !set_done) || (ret_start && ret_known) || to_successor) && !rst;
    if (to_head || to_successor) f_cur <= to_head ? ret_head : cur_successor;
    f_seen <= (rst || EARLY_FREE != 0 || all_done) ? {SETS{1'b0}} : f_left;
end

always @* begin
    if (!f_run) r_reset: `RULE_dau (rst);
    if (f_run) begin
        r_match:   `RULE_dau (stop || hit == |match && (match & (match - 1'b1)) == 0);
        r_tail:    `RULE_dau (stop || !hit || |(tail & ~(is_free | f_releasing | f_passable)));
        r_ptr:     `RULE_dau (TAIL != 1 || hit || match_ptr == 0);
        r_done:    `RULE_dau (stop || ((!f_busy || cur == f_cur) && (f_busy || !set_done)));
        r_all:     `RULE_dau (all_done == (set_done && !to_successor));
        r_to_head: `RULE_dau (to_head == (!f_busy || all_done) || stop);
        r_ret:     `RULE_dau (!ret_start || to_head);
        r_to_next: `RULE_dau (!to_successor || (set_done && |(f_attached & (SET0 << cur_successor))));
        r_stop:    `RULE_dau (!stop || !(set_done || ret_start || to_successor));

        a_legal:   assert (stop || &f_legal);
        a_free:    assert (stop || is_free == \u_free.f_free );
        a_release: assert (stop || f_releasing == (f_seen | f_at_cur));
        a_apart:   assert (stop || ((f_seen & f_at_cur) == 0 && (f_busy ? |f_at_cur : f_seen == 0)));
        a_first:   assert (stop || !f_busy || |(f_not_head & f_at_cur) || f_seen == 0);
        a_pools:   assert ((f_not_head & ~SHARED) == 0);
        a_seen:    assert (EARLY_FREE != 0 || f_seen == \u_free.f_seen );
        a_take:    assert ((take & ~is_free) == 0 && (take & (take - 1'b1)) == 0);
        a_taken:   assert (|take == (slot_we && !(hit && !tail_full)));
        a_link:    assert (link == (take == 0 || !hit ? {SETS{1'b0}} : tail));
        a_id:      assert (take == 0 || take == SET0 << (hit ? id_shared : req_head));
        a_slot:    assert (!slot_we || SET0 << slot_wset == (take == 0 ? tail : take));
        a_fault:   assert (err == `MSHR_OK || err == `MSHR_ERR_RETURN);

        c_linked:  cover (slot_we && hit && |(take & SHARED));
        c_head:    cover (|(f_take_h & ~SHARED) || (RESERVED_HEADS == 0 && |f_take_h));
        c_release: cover (released && |(f_not_head & f_releasing));
    end
end
generate
    if (TAIL == 0) begin : f_walk
        reg f_waits;  // the request was not accepted in the previous cycle
        always @(posedge clk) f_waits <= req_valid && hit && !req_ready && !rst;
        always @* if (f_run) a_start: assert (stop || f_waits || tail == match);
    end
endgenerate
