// SPDX-License-Identifier: Apache-2.0
// Contract of hir_ways for one row, tag and page chosen by the solver. f_in: the hits gave that page set an
// entry; f_way: its way; f_count: the page's counter. A row is looked up one cycle after it is read; f_clean: the words
// read still equal the RAM contents.
(* anyconst *) reg [ROW_W-1:0] f_row;
(* anyconst *) reg [TAG_W-1:0] f_tag;
(* anyconst *) reg [PAGE_W-1:0] f_page;
localparam [ROW_W:0] F_SETS = SETS;
localparam [COUNT_W-1:0] F_ONE = 1;

// For the chosen row (_at) and the row read last (_read): valid bits, tags and counters of its ways; valid bits of all
// rows; words read that still equal the RAMs, and words that equal the last lookup.
reg                      f_run, f_re, f_clean;
reg  [ROW_W-1:0]         f_read_row;
reg  [WAYS-1:0]          f_valid_at, f_equal_at, f_same, f_valid_read, f_is_last;
reg  [WAYS*COUNTS_W-1:0] f_counts_at;
wire [WAYS*SETS-1:0]     f_valid;
wire [WAYS*SETS-1:0]     f_low;        // valid, and the way below is not
wire [WAYS*SETS-1:0]     f_twice;      // valid, with the same tag as a way below
wire [WAYS*WORD_W-1:0]   f_word_at, f_word_read, f_word_held;
genvar b, f_v;
generate
    for (w = 0; w < WAYS; w = w + 1) begin : gen_f_way
        assign f_word_at[w*WORD_W+:WORD_W]   = gen_way[w].f_words[f_row*WORD_W+:WORD_W];
        assign f_word_read[w*WORD_W+:WORD_W] = gen_way[w].f_words[f_read_row*WORD_W+:WORD_W];
        assign f_word_held[w*WORD_W+:WORD_W] = {held_valid[w], gen_way[w].tag_held, gen_way[w].counts_held};
        for (b = 0; b < SETS; b = b + 1) begin : gen_f_row
            assign f_valid[b*WAYS+w] = used[b] && gen_way[w].f_words[b*WORD_W+WORD_W-1];
            wire [WAYS-1:0] f_equal;
            for (f_v = 0; f_v < WAYS; f_v = f_v + 1) begin : gen_f_below
                assign f_equal[f_v] = f_v < w &&
                    gen_way[f_v].f_words[b*WORD_W+COUNTS_W+:TAG_W] == gen_way[w].f_words[b*WORD_W+COUNTS_W+:TAG_W];
            end
            assign f_twice[b*WAYS+w] = |(f_equal & f_valid[b*WAYS+:WAYS]) && f_valid[b*WAYS+w];
            assign f_low[b*WAYS+w] = w > 0 && f_valid[b*WAYS+w] && !f_valid[b*WAYS+(w > 0 ? w - 1 : 0)];
        end
    end
endgenerate

integer f_w;
always @* begin
    for (f_w = 0; f_w < WAYS; f_w = f_w + 1) begin
        f_valid_at[f_w] = used[f_row] && f_word_at[f_w*WORD_W+WORD_W-1];
        f_equal_at[f_w] = f_word_at[f_w*WORD_W+COUNTS_W+:TAG_W] == f_tag;
        f_counts_at[f_w*COUNTS_W+:COUNTS_W] = f_word_at[f_w*WORD_W+:COUNTS_W];
        f_same[f_w] = f_word_held[f_w*WORD_W+:WORD_W] == f_word_read[f_w*WORD_W+:WORD_W];
        f_valid_read[f_w] = f_word_read[f_w*WORD_W+WORD_W-1];
        f_is_last[f_w] = f_word_read[f_w*WORD_W+:WORD_W] == {1'b1, last_tag, last_counts};
    end
end

// Copies of registers, because `hierconn` to the registers would drop their initial values.
wire f_running = f_run;
wire f_read_clean = f_clean;

// State derived from the hits.
reg               f_in;
reg [WAYS-1:0]    f_way;
reg [COUNT_W-1:0] f_count, f_counter;
wire              f_mine = look && row == f_row && tag == f_tag;
wire              f_touched = page == f_page;
wire              f_now = f_run && look && same_row;
always @* begin
    f_counter = {COUNT_W{1'b0}};
    for (f_w = 0; f_w < WAYS; f_w = f_w + 1)
        if (f_way[f_w]) f_counter = f_counter | f_counts_at[f_w*COUNTS_W+f_page*COUNT_W+:COUNT_W];
end

initial f_run = 1'b0;
initial f_re = 1'b0;
initial f_clean = 1'b0;
always @(posedge clk) begin
    if (clear) f_run <= 1'b1;
    f_re <= re;
    if (re) f_read_row <= rrow;
    f_clean <= (re ? {1'b0, rrow} < F_SETS : f_clean) && !(look && row == (re ? rrow : f_read_row));
    if (f_mine && !(f_in ? 1'b0 : &f_valid_at)) begin
        f_in    <= 1'b1;
        f_way   <= f_in ? f_way : WAY0 << free_way;
        f_count <= !f_in ? {{COUNT_W - 1{1'b0}}, f_touched} : f_touched && !(&f_count) ? f_count + F_ONE : f_count;
    end
    if (clear) f_in <= 1'b0;
end

always @* begin
    r_chosen: assume ({1'b0, f_row} < F_SETS);
    read_row: assert ({1'b0, f_read_row} < F_SETS || !f_clean);
    if (f_run) begin
        r_clear: `RULE_hir_ways (!(clear && look));
        r_read:  `RULE_hir_ways (!look || (f_re && f_read_row == row));
        r_row:   `RULE_hir_ways (!re || {1'b0, rrow} < F_SETS);
        r_sel:   `RULE_hir_ways ((sel & (sel - WAY0)) == {WAYS{1'b0}} && !(look && |sel));

        // when the chosen page set is looked up
        found_if_in:     assert (!f_mine || found == f_in);
        found_its_way:   assert (!(f_mine && f_in) || hit == f_way);
        new_if_room:     assert (!f_mine || f_in || full == &f_valid_at);
        new_lowest_free: assert (!(f_mine && !f_in && !full) ||
                                 (WAY0 << free_way) == (~f_valid_at & ((f_valid_at << 1) | WAY0)));
        sent_as_counted: assert (!(f_in && sel == f_way && f_clean && f_read_row == f_row) ||
                                 (sel_tag == f_tag && sel_counts[f_page*COUNT_W+:COUNT_W] == f_count));
        // entries
        once_in_its_set: assert ((f_valid_at & f_equal_at) == (f_way & {WAYS{f_in}}));
        one_way:         assert (!f_in || (f_way != {WAYS{1'b0}} && (f_way & (f_way - WAY0)) == {WAYS{1'b0}}));
        counted:         assert (!f_in || f_counter == f_count);
        no_tag_twice:    assert (f_twice == {WAYS*SETS{1'b0}});
        lowest_first:    assert (f_low == {WAYS*SETS{1'b0}});
        // the words read, and words written later
        read_clean:      assert (!(f_clean && used[f_read_row]) || &f_same);
        last_looked_up:  assert (!look || (same_row == !f_clean && (!same_row || row_used)));
        last_entry:      assert (!f_now ||
                                 (last_kept ? |last_way && (last_way & (last_way - WAY0)) == {WAYS{1'b0}} :
                                     last_way == {WAYS{1'b0}}));

        last_valid_ways: assert (!f_now || last_valid == f_valid_read);
        last_others:     assert (!f_now || (last_valid & ~last_way & ~f_same) == {WAYS{1'b0}});
        last_word:       assert (!f_now || (last_way & ~f_is_last) == {WAYS{1'b0}});

        c_full:  cover (f_mine && !f_in && full);
        c_most:  cover (f_in && &f_count && f_mine && f_touched);
        c_again: cover (f_mine && f_in && same_row);
    end
end
