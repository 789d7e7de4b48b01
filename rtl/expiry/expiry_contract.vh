// SPDX-License-Identifier: Apache-2.0
// Contract of expiry for two page blocks chosen by the solver, f_a and f_b, as seen at the ports. f_held_a: f_a has an
// entry; f_mask_a: its mask; f_b_later: f_b was updated after f_a. f_list is the expected list of the f_n
// entries, oldest first.
(* anyconst *) reg [BLOCK_W-1:0] f_a, f_b;
localparam WORD_W = BLOCK_W + PAGES;
localparam RANK_W = COUNT_W + 5;
localparam [WAY_W:0] F_N = N;
localparam [COUNT_W-1:0] F_0 = 0;
(* hierconn *) wire [N*WAY_W-1:0] \u_order.u_newer.f_mem ;
(* hierconn *) wire [N*WAY_W-1:0] \u_order.u_older.f_mem ;
(* hierconn *) wire [N*WORD_W-1:0] \u_entries.f_mem ;
(* hierconn *) wire [WAY_W-1:0] \u_order.newest ;
(* hierconn *) wire [WAY_W-1:0] \u_order.older ;
(* hierconn *) wire \u_order.is_oldest ;
(* hierconn *) wire \u_order.is_newest ;
(* hierconn *) wire \u_order.was_empty ;
(* hierconn *) wire [N-1:0] \u_tags.used ;
(* hierconn *) wire [N-1:0] \u_tags.f_used_was ;
(* hierconn *) wire [N*BLOCK_W-1:0] \u_tags.f_tags ;
(* hierconn *) wire [N*BLOCK_W-1:0] \u_tags.f_tags_was ;
(* hierconn *) wire [BLOCK_W-1:0] \u_tags.f_block_was ;
(* hierconn *) wire \u_tags.f_running ;
(* hierconn *) wire \u_tags.f_runs ;
wire [N*WAY_W-1:0]   f_newer = \u_order.u_newer.f_mem ;
wire [N*WAY_W-1:0]   f_older = \u_order.u_older.f_mem ;
wire [N*WORD_W-1:0]  f_words = \u_entries.f_mem ;
wire [N-1:0]         f_used = \u_tags.used ;
wire [N*BLOCK_W-1:0] f_tags = \u_tags.f_tags ;
wire                 f_first = \u_order.was_empty || ( \u_order.is_oldest && \u_order.is_newest );
wire                 f_unlink = change && has_entry && !is_new;

// State derived from the ports.
reg               f_run, f_held_a, f_held_b, f_b_later;
reg [PAGES-1:0]   f_mask_a;
reg [BLOCK_W-1:0] f_exp, f_rec, f_left;  // blocks of the last accepted operations; block of the last output entry
reg [PAGE_W-1:0]  f_page;
wire [BLOCK_W-1:0] f_key = op_rec ? f_rec : f_exp;
reg               f_stood, f_stood_last, f_was_ready, f_stands;
reg [BLOCK_W-1:0] f_stood_block;
reg [PAGES-1:0]   f_stood_mask;
reg [1:0]         f_stood_why;
reg [4:0]         f_leaves;              // number of outputs of the operation that have left
reg [RANK_W-1:0]  f_rank, f_rank_was;    // decreasing measure of the work that remains until `ready`

// Expected list.
reg [N*WAY_W-1:0]   f_list;
reg [COUNT_W-1:0]   f_n;
reg [N-1:0]         f_behind;            // positions in the list from that of `way` on
reg [N-1:0]         f_members;           // entries in the list
reg                 f_same, f_linked, f_a_first;
reg [N-1:0]         f_at_a, f_at_b;      // entries of f_a, of f_b
reg [N-1:0]         f_at_key;            // entries of the operation's block
reg [COUNT_W-1:0]   f_place_a, f_place_b, f_all;
reg [WORD_W-1:0]    f_word_a;
reg [N-1:0]         f_no_place;          // entries linked to a missing older entry
reg [N-1:0]         f_wrong;             // entries whose word holds another block
wire [N-1:0]        f_way = {{N - 1{1'b0}}, 1'b1} << way;
integer             f_i, f_k;
always @* begin
    f_behind  = {N{1'b0}};
    f_members = {N{1'b0}};
    f_same    = 1'b1;
    f_linked  = 1'b1;
    f_place_a = F_0;
    f_place_b = F_0;
    f_all     = F_0;
    f_word_a  = {WORD_W{1'b0}};
    for (f_i = 0; f_i < N; f_i = f_i + 1) begin
        f_at_a[f_i] = f_used[f_i] && f_tags[f_i*BLOCK_W+:BLOCK_W] == f_a;
        f_at_key[f_i] = f_used[f_i] && f_tags[f_i*BLOCK_W+:BLOCK_W] == f_key;
        f_at_b[f_i] = f_used[f_i] && f_tags[f_i*BLOCK_W+:BLOCK_W] == f_b;
        f_wrong[f_i] = f_used[f_i] && f_words[f_i*WORD_W+PAGES+:BLOCK_W] != f_tags[f_i*BLOCK_W+:BLOCK_W];
        if (f_at_a[f_i]) f_word_a = f_word_a | f_words[f_i*WORD_W+:WORD_W];
        f_no_place[f_i] = f_used[f_i] && {1'b0, f_older[f_i*WAY_W+:WAY_W]} >= F_N && !(append && way == f_i);
        f_all = f_all + {{COUNT_W - 1{1'b0}}, f_used[f_i]};
    end
    for (f_i = 0; f_i < N; f_i = f_i + 1) begin
        f_behind[f_i] = f_list[f_i*WAY_W+:WAY_W] == way;
        if (f_i > 0) f_behind[f_i] = f_behind[f_i] | f_behind[f_i > 0 ? f_i - 1 : 0];
        if (f_i < f_n) begin
            f_same = f_same & {1'b0, f_list[f_i*WAY_W+:WAY_W]} < F_N && !f_members[f_list[f_i*WAY_W+:WAY_W]];
            f_members[f_list[f_i*WAY_W+:WAY_W]] = 1'b1;
            if (f_at_a[f_list[f_i*WAY_W+:WAY_W]]) f_place_a = f_i;
            if (f_at_b[f_list[f_i*WAY_W+:WAY_W]]) f_place_b = f_i;
        end
        if (f_i + 1 < f_n && f_i + 1 < N)
            f_linked = f_linked & f_newer[f_list[f_i*WAY_W+:WAY_W]*WAY_W+:WAY_W] == f_list[(f_i+1)%N*WAY_W+:WAY_W] &&
                       f_older[f_list[(f_i+1)%N*WAY_W+:WAY_W]*WAY_W+:WAY_W] == f_list[f_i*WAY_W+:WAY_W];
    end
end
wire               f_in_list = f_members[way];
wire [WAY_W-1:0]   f_head = f_list[WAY_W-1:0];
wire [COUNT_W-1:0] f_end = f_n - ONE;
wire [WAY_W-1:0]   f_tail = f_list[f_end*WAY_W+:WAY_W];
// f_known: entry, found_r, has_entry and is_new belong to the operation. f_shown: the words read belong to it too.
wire               f_known = read || out_valid || change;
wire               f_shown = out_valid || change;
always @* begin
    f_rank = {RANK_W{1'b0}};
    if (exp_waits || rec_waits) f_rank = idle ? 5 : 10;
    f_rank = f_rank + (look ? 4 : find ? 3 : read ? 2 : out_valid ? 1 : 0);
    if (is_take && !idle) f_rank = f_rank + count + count + count;
end

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run <= 1'b1;
    if (exp_valid && exp_ready) begin
        f_exp  <= exp_block;
        f_page <= exp_page;
    end
    if (rec_valid && rec_ready) f_rec <= rec_block;
    if (out_valid && out_ready) f_left <= out_block;
    f_leaves <= idle ? 5'd0 : f_leaves + {4'd0, leaves};

    // first the entry that leaves is removed, then the entry that enters is added
    if (f_unlink && !(op_exp && found_r)) begin
        if (f_left == f_a) f_held_a <= 1'b0;
        if (f_left == f_b) f_held_b <= 1'b0;
    end
    if (change && op_exp && f_exp == f_a) begin
        f_held_a  <= 1'b1;
        f_mask_a  <= (f_held_a ? f_mask_a : {PAGES{1'b0}}) | (PAGE0 << f_page);
        f_b_later <= 1'b0;
    end
    if (change && op_exp && f_exp == f_b) begin
        f_held_b  <= 1'b1;
        f_b_later <= 1'b1;
    end
    if (rst) {f_held_a, f_held_b} <= 2'd0;

    if (f_unlink) begin
        for (f_k = 0; f_k + 1 < N; f_k = f_k + 1)
            if (f_behind[f_k]) f_list[f_k*WAY_W+:WAY_W] <= f_list[(f_k+1)*WAY_W+:WAY_W];
        f_n <= f_n - ONE;
    end else if (append) begin
        f_list[f_n*WAY_W+:WAY_W] <= way;
        f_n <= f_n + ONE;
    end
    if (rst) f_n <= F_0;

    f_stood       <= out_valid && !out_ready && !rst;
    f_stood_last  <= out_last;
    f_stood_block <= out_block;
    f_stood_mask  <= out_mask;
    f_stood_why   <= out_why;
    f_was_ready   <= ready || rst;
    f_stands      <= out_valid && !out_ready;
    f_rank_was    <= f_rank;
end

always @* begin
    r_two: assume (f_a != f_b);
    if (!f_run) r_reset: `RULE_expiry (rst);
    ran: assert (\u_tags.f_running == f_run);
    if (f_run) begin
        // at the ports: the entry of f_a
        goes_if_held: assert (!(out_valid && out_why != 2'd3 && out_block == f_a) ||
                              (f_held_a && out_mask == f_mask_a));
        some_page:    assert ((!f_held_a || f_mask_a != {PAGES{1'b0}}) &&
                              (!(out_valid && out_why != 2'd3 && out_block == f_a) || out_mask != {PAGES{1'b0}}));
        recalled:     assert (!(out_valid && out_why == 2'd2) || out_block == f_rec);
        none_there:   assert (!(out_valid && out_why == 2'd3 && f_held_a) || (op_rec && f_rec != f_a));
        found_stays:  assert (!(out_valid && out_why == 2'd0) || (!(f_exp == f_a && f_held_a) && count == ALL));
        oldest_goes:  assert (!(out_valid && out_why < 2'd2 && out_block == f_b && f_held_a) || !f_b_later);
        one_taken:    assert (!(out_valid && out_why != 2'd1) || out_last);
        no_more:      assert (idle || !is_take || (f_leaves < TAKE && take_count == f_leaves[TAKE_W-1:0]));
        ends_empty:   assert (!(out_valid && is_take) || out_last == (count <= ONE || f_leaves == TAKE - 1));
        stands:       assert (!f_stood || (out_valid && out_last == f_stood_last && out_why == f_stood_why &&
                                           (out_why == 2'd3 ||
                                               (out_block == f_stood_block && out_mask == f_stood_mask))));
        ready_again:  assert (f_was_ready || ready || f_stands || f_rank < f_rank_was);
        both_ready:   assert (exp_ready == rec_ready && (!exp_ready || !(look || find || read || out_valid)));

        // operations
        one_phase:    assert ({2'd0, look} + {2'd0, find} + {2'd0, read} + {2'd0, out_valid} <= 3'd1);
        one_waits:    assert (!(exp_waits && rec_waits) && !(look && change) && !(change && (read || out_valid)));
        one_op:       assert (!(op_exp && op_rec && (!idle || change)) && !(op_exp && !idle && exp_waits) &&
                              !(op_rec && !idle && rec_waits));
        appends:      assert (!append || !(find || read || out_valid || change));
        one_after:    assert (!(change && find) || (is_take && count != F_0));
        as_taken_exp: assert (!(exp_waits || ((f_known || look || find) && op_exp)) ||
                              (exp_block_r == f_exp && exp_page_r == f_page));
        as_taken_rec: assert (!(rec_waits || ((f_known || look || find) && op_rec)) || rec_block_r == f_rec);
        looked_at:    assert (!find || change || is_take ||
                              (\u_tags.f_runs && \u_tags.f_block_was == f_key && \u_tags.f_tags_was == f_tags &&
                                  \u_tags.f_used_was == f_used));
        last_is_last: assert (!(out_valid && out_why == 2'd3) || out_last);

        // the entry of the operation
        way_there:    assert (!(f_known || append) || !has_entry || {1'b0, way} < F_N);
        found_way_is: assert (!f_known || is_take ||
                              (f_at_key == (found_r ? f_way : {N{1'b0}}) && has_entry == (op_exp || found_r)));
        found_if_in:  assert (!(f_known && !is_take && f_key == f_a) || found_r == f_held_a);
        take_finds:   assert (!(f_known && is_take) || (!found_r && !is_new));
        new_is_free:  assert (!(f_known && is_new) || (op_exp && has_entry && !found_r && !f_used[way]));
        old_is_first: assert (!(f_known && has_entry && !found_r && !is_new) ||
                              (f_n != F_0 && way == f_head && (is_take || f_all == ALL)));
        take_if_any:  assert (!(read && is_take) || has_entry == (count != F_0));
        goes_with:    assert (!out_valid || !(op_exp && (found_r || is_new)));
        left_is:      assert (!(f_unlink && !(op_exp && found_r)) || f_left == f_tags[way*BLOCK_W+:BLOCK_W]);
        none_left:    assert (!(change && !op_exp && !has_entry) || !find);

        // entries: f_a has at most one entry, with its mask
        held_a:       assert (f_held_a == |f_at_a);
        held_b:       assert (f_held_b == |f_at_b);
        mask_a:       assert (!f_held_a || f_word_a[PAGES-1:0] == f_mask_a);
        words:        assert (f_wrong == {N{1'b0}});
        read_word:    assert (!(f_shown && has_entry && f_used[way]) ||
                              {out_block, out_mask} == f_words[way*WORD_W+:WORD_W]);
        count_is:     assert (count + {{COUNT_W - 1{1'b0}}, change && !op_exp && has_entry} ==
                              f_all + {{COUNT_W - 1{1'b0}}, change && is_new});

        // list: each entry occurs once, and is linked both ways
        each_once:    assert (f_n <= ALL && f_same);
        all_in:       assert (f_members == (f_used & ~(append ? f_way : {N{1'b0}})) && (!append || f_used[way]));
        n_is:         assert (f_n + {{COUNT_W - 1{1'b0}}, append} == f_all);
        links:        assert (f_linked);
        oldest_is:    assert (f_n == F_0 || oldest == f_head);
        newest_is:    assert (f_n == F_0 || \u_order.newest == f_tail);
        read_empty:   assert (!f_shown || \u_order.was_empty == (f_n == F_0));
        read_oldest:  assert (!f_shown || f_n == F_0 || \u_order.is_oldest == (f_head == way));
        read_newest:  assert (!f_shown || f_n == F_0 || \u_order.is_newest == (f_tail == way));
        places:       assert ({1'b0, \u_order.newest } < F_N && f_no_place == {N{1'b0}} &&
                              (!(f_shown && f_in_list && has_entry) || {1'b0, \u_order.older } < F_N));
        read_links:   assert (!(f_shown && has_entry && f_in_list) ||
                              (newer == f_newer[way*WAY_W+:WAY_W] && \u_order.older == f_older[way*WAY_W+:WAY_W]));
        append_first: assert (!append || f_first == (f_n == F_0));
        order_ab:     assert (!(f_held_a && f_held_b) ||
                              f_b_later == (append && f_at_a[way] ? 1'b0 : append && f_at_b[way] ? 1'b1 :
                              f_place_a < f_place_b));

        c_full:   cover (out_valid && out_why == 2'd0 && out_block == f_a);
        c_taken:  cover (out_valid && out_why == 2'd1 && !out_last && out_block == f_b || TAKE < 2);
        c_middle: cover (f_unlink && op_exp && found_r && !\u_order.is_oldest && !\u_order.is_newest && f_exp == f_a ||
                         N < 3);
        c_waited: cover (exp_begins && rec_now && f_held_a);
    end
end
