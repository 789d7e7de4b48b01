// SPDX-License-Identifier: Apache-2.0
// Contract of bpg_judge. f_t: number of cycles since `start`, 1 to CALCULATORS + 2, or 0 if no decision is in progress.
// Adjusted(k) is also computed from the table, the failures and the hits with * and >>, and compared. The solver
// chooses the calculator for which the choice is checked, and the table entry, whose last written value is tracked.
localparam F_T_W = $clog2(CALCULATORS + 4);
localparam [F_T_W-1:0] F_K = CALCULATORS;
localparam [F_T_W-1:0] F_NONE = 0;
localparam [F_T_W-1:0] F_ONE = 1;
localparam [F_T_W-1:0] F_TWO = 2;
(* anyconst *) reg [LMAX_W-1:0] f_k;
(* anyconst *) reg [INDEX_W-1:0] f_place;
(* hierconn *) wire [CALCULATORS*`BPG_CUBE_W-1:0] \u_cubes.f_mem ;
wire [CALCULATORS*`BPG_CUBE_W-1:0] f_table = \u_cubes.f_mem ;

reg                                   f_run, f_due, f_started, f_cleared, f_judged, f_given;
reg         [F_T_W-1:0]               f_t;
reg         [`BPG_CUBE_W-1:0]         f_last;
reg         [FAIL_W-1:0]              f_fails;
reg         [CALCULATORS*HIT_W-1:0]   f_hits, f_left;  // hits as captured; hits of the calculators from stage 2 on
reg         [FAIL_W+`BPG_CUBE_W-1:0]  f_product;
reg         [LMAX_W-1:0]              f_lmax;
// exact value in stage 3; value of the chosen calculator; value of lmax
reg  signed [ADJUSTED_W-1:0]          f_exact, f_value, f_best;
wire        [F_T_W-1:0]               f_stage1 = f_t - F_ONE;    // calculator in stage 1, counted from 0
wire        [`BPG_CUBE_W-1:0]         f_cube = f_table[f_stage1*`BPG_CUBE_W+:`BPG_CUBE_W];
wire        [FAIL_W+`BPG_CUBE_W-1:0]  f_half = f_product >> `BPG_CUBE_W;
wire        [HIT_W+HIT_SCALE-1:0]     f_scaled = {{HIT_SCALE{1'b0}}, f_left[HIT_W-1:0]} << HIT_SCALE;
wire        [ADJUSTED_W+HIT_SCALE:0]  f_difference = {{ADJUSTED_W+1-HIT_W{1'b0}}, f_scaled} -
    {{HIT_SCALE+ADJUSTED_W+1-FAIL_W{1'b0}}, f_half[FAIL_W-1:0]};

reg     [SUM_W-1:0] f_parts;
integer             f_i;
always @* begin
    f_parts = {SUM_W{1'b0}};
    for (f_i = 0; f_i < PARTS; f_i = f_i + 1)
        f_parts = f_parts + ({{SUM_W - PART_W{1'b0}}, part[f_i*PART_W+:PART_W]} << (STEP * f_i));
end

wire f_clears = rst || clear;
wire f_ran = f_run;  // a wire, because `hierconn` to a register would drop its initial value
initial f_run = 1'b0;
initial f_given = 1'b0;
always @(posedge clk) begin
    if (cube_valid && cube_index == f_place) begin
        f_given <= 1'b1;
        f_last  <= cube_value;
    end
    f_run     <= f_run || f_clears;
    f_started <= start && !f_clears;
    f_cleared <= f_clears;
    f_t       <= f_clears || f_t == F_K + F_TWO ? F_NONE : start ? F_ONE : f_t == F_NONE ? F_NONE : f_t + F_ONE;
    f_due     <= !f_clears && f_t == F_K + F_TWO;
    f_product <= {{`BPG_CUBE_W{1'b0}}, f_fails} * {{FAIL_W{1'b0}}, f_cube};
    f_exact   <= f_difference[ADJUSTED_W-1:0];
    f_left    <= started ? hits : f_left >> HIT_W;
    f_lmax    <= lmax;
    if (start) f_fails <= fails;
    if (start) f_judged <= 1'b0;
    if (busy[2] && k == f_k) f_value <= value;
    if (busy[2] && k == f_k) f_judged <= 1'b1;
    if (decide) f_best <= better ? value : best;
end

always @* begin
    r_chosen: assume (f_k >= ONE && f_k <= K && f_place <= LAST);
    as_given: assert (!f_given || f_table[f_place*`BPG_CUBE_W+:`BPG_CUBE_W] == f_last);
    if (f_run) begin
        r_start:   `RULE_bpg_judge (!start || f_t == F_NONE);
        r_started: `RULE_bpg_judge (f_cleared || started == f_started);

        // the decision
        on_time:      assert (update == f_due);
        in_range:     assert (lmax >= ONE && lmax <= K);
        stays:        assert (update || lmax == (f_cleared ? K : f_lmax));
        greatest:     assert (!update || !f_judged || f_value <= f_best);
        of_equal_ones:assert (!update || !f_judged || f_value != f_best || f_k <= lmax);
        its_value:    assert (!update || f_k != lmax || f_value == f_best);
        all_judged:   assert (!update || f_judged);
        exact:        assert (!busy[2] || value == f_exact);
        judged_in:    assert (busy[2] == (f_t > F_TWO) && (!busy[2] || {{F_T_W{1'b0}}, k} + F_TWO == f_t));
        // the pipeline
        stages:       assert (busy == {f_t > F_TWO, f_t > F_ONE && f_t <= F_K + F_ONE, f_t != F_NONE && f_t <= F_K});
        ends:         assert (f_t <= F_K + F_TWO && (!f_due || f_t == F_NONE));
        entering:     assert (f_t != F_NONE || index == {INDEX_W{1'b0}});
        its_entry:    assert (!busy[0] || cube == f_cube);
        next_index:   assert (!busy[0] || index == (f_t == F_K ? {INDEX_W{1'b0}} : f_t[INDEX_W-1:0]));
        first_index:  assert (busy[0] || index == {INDEX_W{1'b0}});
        its_fails:    assert (!busy[0] || base == f_fails);
        its_parts:    assert (!busy[1] || f_parts == {f_product[FAIL_W+`BPG_CUBE_W-1:STEP], {STEP{1'b0}}});
        its_hits:     assert (f_t < F_TWO || chain == f_left);
        counting:     assert (f_t == F_NONE || f_t > F_TWO || k == ONE);
        seen:         assert (f_t == F_NONE || f_judged == (f_t > F_TWO && k > f_k));
        so_far:       assert (f_t <= F_TWO + F_ONE || !f_judged ||
                              (f_value <= best && (f_value != best || f_k <= best_k)));
        best_so_far:  assert (f_t <= F_TWO + F_ONE ||
                              (best_k >= ONE && best_k < k && (f_k != best_k || f_value == best)));

        c_tie:   cover (update && f_value == f_best && f_k < lmax);
        c_below: cover (update && lmax != K && f_best < 0);
    end
end
