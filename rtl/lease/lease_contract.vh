// SPDX-License-Identifier: Apache-2.0
// Contract of lease, for one group and one entry chosen by the solver: all accesses of a window are counted before an
// entry is read, and all leases are output before the next window. A group has at most as many entries as its quota,
// and each used entry has accesses.
localparam F_ALL_TIME = GROUPS * (COUNT_W + 9 + (E < 2 ? 0 : $clog2(E))) + E * (COUNT_W + 7);
localparam [GROUP_W:0] F_GROUPS = GROUPS;
localparam [ENTRY_W:0] F_ENTRIES = E;
localparam F_SUM_W = $clog2(L + 1);
localparam [3:0] F_SAMPLE = 10;
localparam [3:0] F_IDLE = 0;
(* anyconst *) reg [ENTRY_W-1:0] f_any_e;
wire [ENTRY_W-1:0] f_e = {1'b0, f_any_e} < F_ENTRIES ? f_any_e : {ENTRY_W{1'b0}};
(* hierconn *) wire \u_groups.f_ran ;
(* hierconn *) wire \u_lanes.f_ran ;
(* hierconn *) wire \u_counts.f_ran ;
(* hierconn *) wire \u_average.f_ran ;
(* hierconn *) wire [GROUP_W-1:0] \u_groups.f_g ;
(* hierconn *) wire [QUOTA_W-1:0] \u_groups.f_limit_g ;
(* hierconn *) wire [QUOTA_W-1:0] \u_groups.f_entries_g ;
(* hierconn *) wire \u_groups.f_grows ;
(* hierconn *) wire [L-1:0] \u_lanes.f_took ;
(* hierconn *) wire [L-1:0] \u_lanes.f_seen ;
(* hierconn *) wire [L-1:0] \u_lanes.f_joins ;
(* hierconn *) wire [L-1:0] \u_lanes.f_news ;
(* hierconn *) wire \u_lanes.f_chosen ;
(* hierconn *) wire [ENTRY_W-1:0] \u_lanes.f_new_e ;
(* hierconn *) wire \u_lanes.f_lane_seen ;
(* hierconn *) wire \u_lanes.f_lane_none ;
(* hierconn *) wire \u_lanes.f_lane_last ;
(* hierconn *) wire [GROUP_W-1:0] \u_lanes.f_seen_g ;
(* hierconn *) wire [E*F_SUM_W-1:0] \u_counts.f_mores ;
(* hierconn *) wire [E*PAGES-1:0] \u_counts.f_marks ;
(* hierconn *) wire [E*PAGES-1:0] \u_counts.pages ;
(* hierconn *) wire [3:0] \u_average.f_state ;
(* hierconn *) wire [31:0] \u_average.f_time ;
wire [GROUP_W-1:0] f_g = \u_groups.f_g ;
wire [3:0]         f_state = \u_average.f_state ;
wire [QUOTA_W:0]   f_of_g = {1'b0, \u_groups.f_entries_g } + {{QUOTA_W{1'b0}}, \u_groups.f_grows };
wire [31:0]        f_cycle = {{32 - CYCLE_W{1'b0}}, cycle};
reg                f_run, f_some, f_hit;
reg [QUOTA_W:0]    f_count;
reg [QUOTA_W-1:0]  f_limit;  // quota that applies to the accesses in the choose stage
integer            f_n, f_l;
always @* begin
    f_count = 0;
    for (f_n = 0; f_n < E; f_n = f_n + 1) f_count = f_count + (used[f_n] && groups[f_n*GROUP_W+:GROUP_W] == f_g);
    f_some  = 1'b1;
    for (f_n = 0; f_n < E; f_n = f_n + 1) begin
        f_hit = \u_lanes.f_news != 0 && \u_lanes.f_new_e == f_n;
        for (f_l = 0; f_l < L; f_l = f_l + 1) f_hit = f_hit || (hit[f_l] && entry[f_l*ENTRY_W+:ENTRY_W] == f_n);
        f_some = f_some &&
            (!used[f_n] || f_hit || \u_counts.pages [f_n*PAGES+:PAGES] != 0 ||
            \u_counts.f_marks [f_n*PAGES+:PAGES] != 0);
    end
end
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run   <= f_run || rst;
    f_limit <= rst ? {QUOTA_W{1'b0}} : \u_groups.f_limit_g ;
end
always @* begin
    ran: assert (\u_groups.f_ran == f_run && \u_lanes.f_ran == f_run && \u_counts.f_ran == f_run &&
                 \u_average.f_ran == f_run);
    if (!f_run) r_reset: `RULE_lease (rst);
    if (f_run) begin
        // phases of a period
        period:    assert (f_cycle < PERIOD && duty == (f_cycle < DUTY));
        takes:     assert (\u_lanes.f_took == 0 || (f_cycle >= 1 && f_cycle <= DUTY));
        looks:     assert (\u_lanes.f_seen == 0 || (f_cycle >= 2 && f_cycle <= DUTY + 1));
        joins:     assert ((\u_lanes.f_joins == 0 && !new_valid) || (f_cycle >= 3 && f_cycle <= DUTY + 2));
        hits:      assert (hit == 0 || (f_cycle >= 4 && f_cycle <= DUTY + 3));
        adds:      assert (\u_counts.f_mores == 0 || (f_cycle >= 5 && f_cycle <= DUTY + 4));
        samples:   assert ((f_state == F_SAMPLE) == (f_cycle <= DUTY + 4));
        on_time:   assert (f_state == F_SAMPLE || f_state == F_IDLE ||
                           f_cycle + \u_average.f_time <= DUTY + 5 + F_ALL_TIME);
        between:   assert (!upd_valid || (!duty && f_cycle <= DUTY + 5 + F_ALL_TIME));
        // entries of a group
        of_group:  assert (f_of_g == f_count);
        lane_none: assert (!\u_lanes.f_lane_seen || \u_lanes.f_seen_g != f_g ||
                           \u_lanes.f_lane_none == (\u_groups.f_entries_g >= f_limit));
        in_quota:  assert (!\u_lanes.f_chosen || \u_lanes.f_seen_g != f_g || {1'b0, f_limit} > f_of_g);
        lane_one:  assert (!\u_lanes.f_lane_seen || \u_lanes.f_seen_g != f_g ||
                           \u_lanes.f_lane_last == (\u_groups.f_entries_g + 1 == f_limit));
        // a used entry has accesses, or will have accesses
        some:      assert (f_some);
        unused:    assert (used[f_e] || (\u_counts.pages [f_e*PAGES+:PAGES] == 0 &&
                           \u_counts.f_marks [f_e*PAGES+:PAGES] == 0));

        c_counts:  cover (f_state == 2 && pick != 0);
    end
end
