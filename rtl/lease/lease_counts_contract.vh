// SPDX-License-Identifier: Apache-2.0
// Contract of lease_counts, for one entry and one page chosen by the solver: the saturating counter counts the entry's
// lanes since the start of the window, and the page bit is set if one of them accessed the page. So pages imply
// accesses, and there are no more pages than accesses unless the counter is saturated.
localparam [ENTRY_W:0] F_ENTRIES = ENTRIES;
localparam [ENTRIES-1:0] F_ENTRY0 = 1;
(* anyconst *) reg [ENTRY_W-1:0] f_any_e;
(* anyconst *) reg [PAGE_W-1:0] f_p;
wire [ENTRY_W-1:0] f_e = {1'b0, f_any_e} < F_ENTRIES ? f_any_e : {ENTRY_W{1'b0}};
wire [ENTRIES*SUM_W-1:0] f_mores;
wire [ENTRIES*PAGES-1:0] f_marks;
genvar             f_i;
generate
    for (f_i = 0; f_i < ENTRIES; f_i = f_i + 1) begin : gen_f_entry
        assign f_mores[f_i*SUM_W+:SUM_W] = gen_entry[f_i].sum_r;
        assign f_marks[f_i*PAGES+:PAGES] = gen_entry[f_i].marks_r;
    end
endgenerate
wire [SUM_W-1:0]   f_more_e = f_mores[f_e*SUM_W+:SUM_W];
wire [PAGES-1:0]   f_marks_e = f_marks[f_e*PAGES+:PAGES];
wire [COUNT_W-1:0] f_count_e = counts[f_e*COUNT_W+:COUNT_W];
wire [PAGES-1:0]   f_pages_e = pages[f_e*PAGES+:PAGES];
reg                f_run, f_mark, f_page, f_mark_now;
reg [SUM_W-1:0]    f_more, f_more_now;
reg [COUNT_W-1:0]  f_count;
reg [5:0]          f_parts, f_more_parts;
integer            f_n;
wire [WIDE_W-1:0]  f_sum = f_count + f_more;
wire f_ran = f_run;  // a wire, because `hierconn` to a register would drop its initial value
always @* begin
    f_more_now   = 0;
    f_mark_now   = 1'b0;
    f_parts      = 0;
    f_more_parts = 0;
    for (f_n = 0; f_n < LANES; f_n = f_n + 1)
        if (hit[f_n] && entry[f_n*ENTRY_W+:ENTRY_W] == f_e) begin
            f_more_now = f_more_now + 1'b1;
            f_mark_now = f_mark_now || page[f_n*PAGE_W+:PAGE_W] == f_p;
        end
    for (f_n = 0; f_n < PAGES; f_n = f_n + 1) begin
        f_parts      = f_parts + f_pages_e[f_n];
        f_more_parts = f_more_parts + f_marks_e[f_n];
    end
end
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run   <= f_run || rst;
    f_more  <= rst ? {SUM_W{1'b0}} : f_more_now;
    f_mark  <= f_mark_now && !rst;
    f_count <= rst || clear ? {COUNT_W{1'b0}} : f_sum > {COUNT_W{1'b1}} ? {COUNT_W{1'b1}} : f_sum[COUNT_W-1:0];
    f_page  <= !rst && !clear && (f_page || f_mark);
end
always @* begin
    if (!f_run) r_reset: `RULE_lease_counts (rst);
    if (f_run) begin
        sums:       assert (f_more_e == f_more);
        marks:      assert (f_marks_e[f_p] == f_mark);
        counts_is:  assert (f_count_e == f_count);
        pages_is:   assert (f_pages_e[f_p] == f_page);
        more_parts: assert (f_more_parts <= f_more_e && (f_more_e == 0) == (f_marks_e == 0));
        parts:      assert (f_parts <= f_count_e || &f_count_e);
        some:       assert ((f_count_e == 0) == (f_pages_e == 0));
        picked:     assert (pick != F_ENTRY0 << f_e || (count == f_count_e && mask == f_pages_e));

        c_full:     cover (&f_count_e && f_more != 0);
    end
end
