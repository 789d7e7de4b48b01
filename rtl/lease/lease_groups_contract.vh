// SPDX-License-Identifier: Apache-2.0
// Contract of lease_groups, for one group chosen by the solver: its quota is the last quota set, its entries are those
// added since the start of the window, and `none` and `one` report the difference.
(* anyconst *) reg [GROUP_W-1:0] f_any;
localparam [GROUP_W:0] F_GROUPS = GROUPS;
wire [GROUP_W-1:0] f_g = {1'b0, f_any} < F_GROUPS ? f_any : {GROUP_W{1'b0}};
wire [GROUPS*QUOTA_W-1:0] f_limits, f_all_entries;
genvar f_i;
generate
    for (f_i = 0; f_i < GROUPS; f_i = f_i + 1) begin : gen_f_group
        assign f_limits[f_i*QUOTA_W+:QUOTA_W]      = gen_group[f_i].limit;
        assign f_all_entries[f_i*QUOTA_W+:QUOTA_W] = gen_group[f_i].entries;
    end
endgenerate
wire [QUOTA_W-1:0] f_limit_g = f_limits[f_g*QUOTA_W+:QUOTA_W];
wire [QUOTA_W-1:0] f_entries_g = f_all_entries[f_g*QUOTA_W+:QUOTA_W];
wire               f_grows = grow && grow_group == f_g;
wire [QUOTA_W:0]   f_now = {1'b0, f_entries_g} + {{QUOTA_W{1'b0}}, f_grows};
reg                f_run, f_set;
reg [QUOTA_W-1:0]  f_quota, f_limit;
reg [QUOTA_W:0]    f_count;
wire f_ran = f_run;  // a wire, because `hierconn` to a register would drop its initial value
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run   <= f_run || rst;
    f_set   <= quota_valid && quota_group == f_g && !rst;
    f_quota <= quota;
    f_limit <= rst ? {QUOTA_W{1'b0}} : f_set ? f_quota : f_limit;
    f_count <= rst || clear ? {QUOTA_W + 1{1'b0}} : f_now;
end
always @* begin
    if (!f_run) r_reset: `RULE_lease_groups (rst);
    if (f_run) begin
        r_most:  `RULE_lease_groups (!f_grows || !(&f_entries_g));
        r_clear: `RULE_lease_groups (!clear || !grow);

        set_is:  assert (f_set == (set && set_group == f_g) && (!f_set || f_quota == set_quota));
        limit:   assert (f_limit_g == f_limit);
        counts:  assert ({1'b0, f_entries_g} == f_count);
        none_is: assert (none[f_g] == (f_now >= {1'b0, f_limit_g}));
        one_is:  assert (one[f_g] == (f_now + 1'b1 == {1'b0, f_limit_g}));

        c_last:  cover (none[f_g] && f_grows && f_limit_g > 1);
    end
end
