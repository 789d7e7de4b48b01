// SPDX-License-Identifier: Apache-2.0
// Contract of dau, for any number of sets: the counts equal the numbers of free sets, and only a free set is allocated.
// dau reads the free sets from is_free and updates its counts from allocations and drains; the contract proves that the
// two agree.
localparam F_TOGETHER = EARLY_FREE == 0;
localparam F_LAST_HEAD = RESERVED_HEADS > 0 ? RESERVED_HEADS - 1 : 0;

(* hierconn *) wire \u_heads.f_passed ;
(* hierconn *) wire \u_due.f_passed ;
reg                   f_run;    // reset has been applied
reg  [SETS-1:0]       f_free;   // free sets, as the environment must report them
reg  [SETS-1:0]       f_seen;   // drained sets that are not free until all are drained
wire [SETS-1:0]       f_done = (SET0 << cur) & {SETS{set_done}};
wire [SETS-1:0]       f_freed = F_TOGETHER ? (f_seen | f_done) & {SETS{all_done}} : f_done;
wire [SETS-1:0]       f_due = f_free | f_seen;
reg  [SETS-1:0]       f_was;    // set allocated in the previous cycle
reg                   f_hit;    // the request of the previous cycle hit
wire                  f_begun = TAIL == 2 && SLOTS > 1 && fresh_hit;
// For each set: the numbers of free and of due sets in its pool up to this set. They are updated set by set, so that
// each proof step involves only two neighbors.
wire [SETS*CNT_W-1:0] f_frees, f_dues;
wire [SETS-1:0]       i_free, i_due;
genvar                f_g;

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run  <= 1'b1;
    f_free <= rst ? {SETS{1'b1}} : (f_free | f_freed) & ~take;
    f_was  <= rst ? {SETS{1'b0}} : take;
    f_hit  <= hit;
    f_seen <= (rst || !F_TOGETHER) ? {SETS{1'b0}} : (f_seen | f_done) & ~f_freed;
end

generate
    for (f_g = 0; f_g < SETS; f_g = f_g + 1) begin : f_of_set
        localparam FIRST = f_g < RESERVED_HEADS ? 0 : RESERVED_HEADS;
        localparam [CNT_W-1:0] MOST = f_g - FIRST + 1;
        reg  [CNT_W-1:0] n_free, n_due;
        wire             takes, drains;  // a set up to this one is allocated, is drained
        wire [CNT_W-1:0] free_before, due_before;
        wire [CNT_W-1:0] due_next = n_due - takes + drains;

        if (f_g == FIRST) begin : gen_first
            assign takes       = take[f_g];
            assign drains      = f_done[f_g];
            assign free_before = {CNT_W{1'b0}};
            assign due_before  = {CNT_W{1'b0}};
        end else begin : gen_next
            assign takes       = f_of_set[f_g-1].takes || take[f_g];
            assign drains      = f_of_set[f_g-1].drains || f_done[f_g];
            assign free_before = f_of_set[f_g-1].n_free;
            assign due_before  = f_of_set[f_g-1].n_due;
        end
        always @(posedge clk) begin
            n_due  <= due_next;
            n_free <= (all_done || !F_TOGETHER) ? due_next : n_free - takes;
            if (rst) begin
                n_due  <= MOST;
                n_free <= MOST;
            end
        end
        assign f_frees[f_g*CNT_W+:CNT_W] = n_free;
        assign f_dues[f_g*CNT_W+:CNT_W]  = n_due;
        assign i_free[f_g] = n_free == free_before + f_free[f_g] && n_free <= MOST;
        assign i_due[f_g]  = n_due == due_before + f_due[f_g] && n_due <= MOST;
    end
endgenerate

wire [CNT_W-1:0] f_free_heads = RESERVED_HEADS > 0 ? f_frees[F_LAST_HEAD*CNT_W+:CNT_W] : {CNT_W{1'b0}};
wire [CNT_W-1:0] f_due_heads = RESERVED_HEADS > 0 ? f_dues[F_LAST_HEAD*CNT_W+:CNT_W] : {CNT_W{1'b0}};

always @* begin
    if (!f_run) r_reset: `RULE_dau (rst);
    if (f_run) begin
        r_free:   `RULE_dau (is_free == f_free);
        r_tail:   `RULE_dau (hit || !tail_full);
        r_match:  `RULE_dau (hit == |match && (match & (match - 1'b1)) == 0);
        r_done:   `RULE_dau (!set_done || |(f_done & ~f_due));
        r_all:    `RULE_dau (!all_done || set_done);
        r_stop:   `RULE_dau (!stop || !set_done);
        r_head:   `RULE_dau (!(F_TOGETHER && set_done && !cur_shared && |(f_seen & ~SHARED)));

        a_free:   assert (&i_free);
        a_due:    assert (&i_due);
        a_apart:  assert ((f_free & f_seen) == 0);
        a_heads:  assert (free_heads == f_free_heads && f_due_heads == f_free_heads + |(f_seen & ~SHARED));
        a_shared: assert (due == f_dues[(SETS-1)*CNT_W+:CNT_W] && free_shared == f_frees[(SETS-1)*CNT_W+:CNT_W]);
        a_passed: assert (!\u_heads.f_passed && !\u_due.f_passed );
        a_any:    assert (any_head == |(is_free & ~SHARED) && any_shared == |(is_free & SHARED));
        a_found:  assert (any_head == found_head && any_shared == found_shared);
        a_take:   assert ((take & ~is_free) == 0 && (take & (take - 1'b1)) == 0);
        a_taken:  assert (|take == (slot_we && !(hit && !tail_full)));
        a_id:     assert (take == 0 || take == SET0 << take_id);
        a_link:   assert (take == 0 || !hit || take == SET0 << id_shared);
        a_head:   assert (take == 0 || hit || take == SET0 << req_head);
        a_before: assert (was_hit == f_hit && ((f_was & SHARED) == 0 || f_was == SET0 << was_shared));
        a_slot:   assert (!slot_we || SET0 << slot_wset == (take == 0 ? tail : take));
        a_fault:  assert (fault == ((ret_start && !ret_known) ? `MSHR_ERR_RETURN : `MSHR_OK));

        c_linked: cover (slot_we && hit && |(take & SHARED));
        c_both:   cover (slot_we && |take && all_done && |f_seen == F_TOGETHER);
    end
end
generate
    if (F_TOGETHER) begin : f_together
        always @*
            if (f_run) a_held: assert (gen_together.held_head == |(f_seen & ~SHARED));
    end
endgenerate
generate
    if (TAIL == 2) begin : f_ring
        always @*
            if (f_run) begin
                r_roomy: `RULE_dau (roomy == (match & {SETS{!tail_full && !f_begun}}));
                r_begun: `RULE_dau (!f_begun || (hit && match == f_was && !tail_full));
                a_was:   assert (f_was == 0 || f_was == SET0 << gen_ring.was_id);
            end
    end
    if (TAIL == 1) begin : f_tail_ptr
        always @* if (f_run) r_ptr: `RULE_dau (hit || match_ptr == 0);
    end
    if (TAIL == 0) begin : f_walk
        always @* if (f_run) a_start: assert (gen_walk.on_way || tail == match);
    end
endgenerate
