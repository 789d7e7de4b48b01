// SPDX-License-Identifier: Apache-2.0
// Contract of dau_free, for any number of sets: the counts equal the numbers of free sets, and only a free set is
// picked. dau_free reads the free sets from is_free and updates its counts from allocations and drains; the contract
// proves that the two agree.
localparam F_TOGETHER = EARLY_FREE == 0;
localparam F_LAST_HEAD = RESERVED_HEADS > 0 ? RESERVED_HEADS - 1 : 0;

(* hierconn *) wire \u_heads.f_passed ;
wire [CNT_W-1:0]      free_heads = unused_heads;
(* hierconn *) wire \u_due.f_passed ;
reg                   f_run;    // reset has been applied
reg  [SETS-1:0]       f_free;   // free sets, as the environment must report them
reg  [SETS-1:0]       f_seen;   // drained sets that are not free until all are drained
wire [SETS-1:0]       f_done = (SET0 << cur) & {SETS{set_done}};
wire [SETS-1:0]       f_freed = F_TOGETHER ? (f_seen | f_done) & {SETS{all_done}} : f_done;
wire [SETS-1:0]       f_due = f_free | f_seen;
wire [SETS-1:0]       take = pick & (({SETS{take_shared}} & SHARED) | ({SETS{take_reserved}} & ~SHARED));
// For each set: the numbers of free and of due sets in its pool up to this set. They are updated set by set, so that
// each proof step involves only two neighbors.
wire [SETS*CNT_W-1:0] f_frees, f_dues;
wire [SETS-1:0]       i_free, i_due;
genvar                f_g;

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run  <= 1'b1;
    f_free <= rst ? {SETS{1'b1}} : (f_free | f_freed) & ~take;
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
    if (!f_run) r_reset: `RULE_dau_free (rst);
    if (f_run) begin
        // after an error, no set is allocated or drained
        r_free:   `RULE_dau_free (is_free == f_free || !(take_reserved || take_shared || set_done));
        r_take:   `RULE_dau_free (!(take_reserved && !any_head) && !(take_shared && !any_shared));
        r_done:   `RULE_dau_free (!set_done || |(f_done & ~f_due));
        r_all:    `RULE_dau_free (!all_done || set_done);
        r_head:   `RULE_dau_free (!(F_TOGETHER && set_done && !cur_shared && |(f_seen & ~SHARED)));

        a_free:   assert (&i_free);
        a_due:    assert (&i_due);
        a_apart:  assert ((f_free & f_seen) == 0);
        a_heads:  assert (free_heads == f_free_heads && f_due_heads == f_free_heads + |(f_seen & ~SHARED));
        a_shared: assert (due == f_dues[(SETS-1)*CNT_W+:CNT_W] && free_shared == f_frees[(SETS-1)*CNT_W+:CNT_W]);
        a_passed: assert (!\u_heads.f_passed && !\u_due.f_passed );
        a_any:    assert (any_head == |(f_free & ~SHARED) && any_shared == |(f_free & SHARED));
        a_found:  assert (is_free != f_free || (any_head == found_head && any_shared == found_shared));
        a_pick:   assert ((pick & ~is_free) == 0);
        a_head:   assert ((pick & ~SHARED) == (found_head ? SET0 << id_head : {SETS{1'b0}}));
        a_link:   assert ((pick & SHARED) == (found_shared ? SET0 << id_shared : {SETS{1'b0}}));

        c_last:   cover (take_shared && free_shared == 1);
        c_both:   cover (|take && all_done && |f_seen == F_TOGETHER);
    end
end
generate
    if (F_TOGETHER) begin : f_together
        always @*
            if (f_run) a_held: assert (gen_together.head_drained == |(f_seen & ~SHARED));
    end
endgenerate
