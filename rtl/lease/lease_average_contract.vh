// SPDX-License-Identifier: Apache-2.0
// Contract of lease_average: for each group that has entries, a is sum / n, where each term of the sum is 16 * accesses
// / pages of one entry, rounded down. The lease moves towards F = (a + 8) / 16 by the documented amount and is clamped
// to 1 .. 2^LIFE_W - 2. The computation ends in bounded time: f_time is the maximum number of cycles left. f_done: the
// entries of the group in the sum; f_one: the entry being divided; f_all: the entries in all sums of the period.
localparam F_GROUP_TIME = SUM_W + 5;
localparam F_ENTRY_TIME = F_W + 3;
localparam [GROUP_W:0] F_GROUPS = GROUPS;
localparam F_WIDE = SUM_W + DEN_W;
localparam [F_WIDE-1:0] F_ONE = 1;
localparam signed [31:0] F_MOST = (1 << LIFE_W) - 2;
(* anyconst *) reg [GROUP_W-1:0] f_any;
wire [GROUP_W-1:0] f_g = {1'b0, f_any} < F_GROUPS ? f_any : {GROUP_W{1'b0}};
reg                f_run, f_each, f_leased, f_updated;
reg [ENTRIES-1:0]  f_done, f_one;
reg [SUM_W-1:0]    f_dividend;
reg [LIFE_W-1:0]   f_lease;
reg [COUNT_W-1:0]  f_sample;
reg [5:0]          f_all, f_n, f_before;
integer            f_k;
wire [3:0]         f_state = state;
wire [GROUP_W-1:0] f_group = group;
wire               f_adds = state == LOAD || state == EACH || state == ADD;
wire               f_ends = state == MEAN || state == ROUND || state == MOVE || state == SHOW;
wire               f_divided = state == EACH || state == ADD || state == MEAN || state == ROUND;
(* hierconn *) wire [LIFE_W*GROUPS-1:0] \u_leases.f_mem ;
wire [LIFE_W-1:0]  f_kept = \u_leases.f_mem [f_g*LIFE_W+:LIFE_W];
// division: number of steps done; dividend bits consumed
wire [31:0]        f_steps = (f_each ? F_W : SUM_W) - left;
wire [F_WIDE-1:0]  f_mask = (F_ONE << f_steps) - 1'b1;
wire [F_WIDE-1:0]  f_rest_mask = (F_ONE << (SUM_W - f_steps)) - 1'b1;
wire [F_WIDE-1:0]  f_num = {{DEN_W{1'b0}}, num};
wire [F_WIDE-1:0]  f_of = {{DEN_W{1'b0}}, f_dividend};
// lease
wire signed [31:0] f_old = {{32 - LIFE_W{1'b0}}, old_lease};
wire signed [31:0] f_new = {{32 - LIFE_W{1'b0}}, moved};
wire signed [31:0] f_far = {{32 - COUNT_W{1'b0}}, sample} - f_old;
wire signed [31:0] f_low = (f_new - f_old) << (was_leased ? WEIGHT : 0);
wire signed [31:0] f_high = (f_new - f_old + 1) << (was_leased ? WEIGHT : 0);
// time
wire [31:0] f_groups_left = (GROUPS - group) * F_GROUP_TIME;
wire [31:0] f_entries_left = (ENTRIES - f_all) * F_ENTRY_TIME;
reg  [31:0] f_time;
always @* begin
    f_time = f_groups_left + f_entries_left;
    case (state)
        FIND: f_time = f_time;
        NEXT: f_time = f_time - 1;
        LOAD: f_time = f_time - 2;
        EACH: f_time = f_time - 3 - (F_W - left);
        ADD: f_time = f_time - 3 - F_W;
        MEAN: f_time = f_time - 2 - (SUM_W - left);
        ROUND: f_time = f_time - 2 - SUM_W;
        MOVE: f_time = f_time - 3 - SUM_W;
        SHOW: f_time = f_time - 4 - SUM_W;
        default: f_time = 0;
    endcase
end
// used entries and their groups in the previous cycle
reg                       f_was;
reg [ENTRIES-1:0]         f_used;
reg [ENTRIES*GROUP_W-1:0] f_groups, f_now;
always @* begin
    f_n      = 0;
    f_before = 0;
    for (f_k = 0; f_k < ENTRIES; f_k = f_k + 1) begin
        f_now[f_k*GROUP_W+:GROUP_W] = used[f_k] ? groups[f_k*GROUP_W+:GROUP_W] : {GROUP_W{1'b0}};
        f_n      = f_n + f_done[f_k];
        f_before = f_before + (used[f_k] && groups[f_k*GROUP_W+:GROUP_W] < group);
    end
end
wire f_ran = f_run;  // a wire, because `hierconn` to a register would drop its initial value
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run    <= f_run || rst;
    f_was    <= state != SAMPLE && !rst && !clear;
    f_used   <= used;
    f_groups <= f_now;
    if (state == LOAD) f_each <= 1'b1;
    if (state == NEXT) f_each <= 1'b0;
    if (state == LOAD) f_dividend <= dividend;
    if (state == NEXT) f_dividend <= sum;
    if (state == FIND) f_done <= 0;
    if (state == ADD) f_done <= f_done | f_one;
    if (state == NEXT) f_one <= pick;
    if (state == SAMPLE) f_all <= 0;
    if (state == ADD) f_all <= f_all + 1'b1;
    if (state == ROUND) f_sample <= (num[F_W-1:0] + 8) >> 4;
    f_leased  <= !rst && (f_leased || (state == SHOW && group == f_g));
    f_updated <= !rst && !clear && (f_updated || (state == SHOW && group == f_g));
    if (state == SHOW && group == f_g) f_lease <= moved;
end
always @* begin
    if (!f_run) r_reset: `RULE_lease_average (rst);
    if (f_run) begin
        r_start:   `RULE_lease_average (!start || state == SAMPLE);
        r_clear:   `RULE_lease_average (!clear || state == IDLE);
        r_stays:   `RULE_lease_average (!f_was || (used == f_used && f_now == f_groups));
        r_pages:   `RULE_lease_average (state != NEXT || pick == 0 || mask != 0);

        states:    assert (state <= SAMPLE);
        group_in:  assert (state == SAMPLE || state == IDLE || {1'b0, group} < F_GROUPS);
        apart:     assert (!(state == NEXT || f_adds || f_ends) || (rest & f_done) == 0);
        one_apart: assert (!f_adds || (f_one != 0 && (f_one & (f_one - 1'b1)) == 0 && (f_one & (rest | f_done)) == 0));
        all_of:    assert (!(state == NEXT || f_ends) || (rest | f_done) == of_group);
        adds_of:   assert (!f_adds || (rest | f_done | f_one) == of_group);
        ends_all:  assert (!f_ends || (rest == 0 && n != 0));
        n_is:      assert (!(state == NEXT || f_adds || f_ends) || n == f_n);
        sums:      assert (!(state == NEXT || f_adds || f_ends) || sum <= n * ((1 << F_W) - 1));
        summed:    assert (state == SAMPLE || state == IDLE || f_all == f_before + (state == FIND ? 0 : f_n));
        pages_0:   assert (!f_adds || entry_mask != 0);
        // division
        each_is:   assert (!f_divided || f_each == (state == EACH || state == ADD));
        lefts:     assert (!f_divided ||
                           (state == EACH ? left != 0 && left <= F_W : state == MEAN ? left != 0 && left <= SUM_W :
                           left == 0));
        dens:      assert (!(state == EACH || state == ADD) || (den == parts && f_dividend == dividend));
        means:     assert (!(state == MEAN || state == ROUND) || (den == n && f_dividend == sum));
        bits:      assert (!f_divided || f_num >> f_steps == (f_of & f_rest_mask));
        product:   assert (!f_divided || f_of >> (SUM_W - f_steps) == (f_num & f_mask) * den + carry);
        carries:   assert (!f_divided || carry < den);
        quotient:  assert (state != ADD ||
                           (f_num * den <= {entry_count, 4'd0} && (f_num + 1'b1) * den > {entry_count, 4'd0}));
        mean:      assert (state != ROUND || (f_num * den <= sum && (f_num + 1'b1) * den > sum && f_num < (1 << F_W)));
        // lease
        leaseds:   assert (leased[f_g] == f_leased && (!f_leased || f_kept == f_lease));
        samples:   assert (!(state == MOVE || state == SHOW) || (sample == f_sample && was_leased == leased[group]));
        olds:      assert (!(state == MOVE || state == SHOW) || group != f_g ||
                           old_lease == (f_leased ? f_lease : {LIFE_W{1'b0}}));
        kept_in:   assert (!f_leased || (f_lease != 0 && f_lease <= F_MOST));
        ways:      assert (state != SHOW || $signed(step) == (was_leased ? distance_part : distance));
        held:      assert (state != SHOW || (f_new >= 1 && f_new <= F_MOST));
        low:       assert (state != SHOW || f_new == 1 || f_low <= f_far);
        high:      assert (state != SHOW || f_new == F_MOST || f_far < f_high);
        once:      assert (!f_updated || state == IDLE || (state != SAMPLE && group > f_g));
        upd_1:     assert (!upd_valid || state == FIND || state == IDLE);
        upd_2:     assert (!upd_valid || upd_group != f_g || (f_leased && upd_lease == f_lease && f_updated));

        c_two:     cover (state == ADD && n != 0 && num[F_W-1:0] > 16);
        c_moved:   cover (state == SHOW && was_leased && f_far < 0);
        c_upd:     cover (upd_valid && upd_group == f_g && f_g == GROUPS - 1);
    end
end
