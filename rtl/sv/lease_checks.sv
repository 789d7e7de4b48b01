// SPDX-License-Identifier: Apache-2.0
// Port assertions of lease: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/lease.rules.
module lease_checks #(
    // accesses in a cycle, 1..32
    parameter LANES = 1,
    // blocks that are sampled in a window, 1..32
    parameter ENTRIES = 16,
    // bits of a block's number, 2..20
    parameter BLOCK_W = 16,
    // bits of a counter of accesses, 2..16
    parameter COUNT_W = 10,
    // pages of a block, 2..32, a power of two
    parameter PAGES = 16,
    // groups of pages, 1..64
    parameter GROUPS = 32,
    // cycles of a window, 1..1048576
    parameter DUTY = 1000,
    // cycles from the start of one window to the next, 28..4194304; PERIOD - DUTY more than ENTRIES * (COUNT_W + 8) + GROUPS * (COUNT_W + 14)
    parameter PERIOD = 6000,
    // bits of a lease, 2..16
    parameter LIFE_W = 10
) (
    input  logic clk,
    input  logic rst,
    input  logic quota_valid,
    input  logic [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] quota_group,
    input  logic [$clog2(ENTRIES+1)-1:0] quota,
    input  logic [LANES-1:0] acc_valid,
    input  logic [(LANES*BLOCK_W)-1:0] acc_block,
    input  logic [(LANES*$clog2(PAGES))-1:0] acc_page,
    input  logic [(LANES*(GROUPS < 2 ? 1 : $clog2(GROUPS)))-1:0] acc_group,
    input  logic upd_valid,
    input  logic [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] upd_group,
    input  logic [LIFE_W-1:0] upd_lease,
    input  logic duty
);
    // From the first reset on, but in cycles of reset.
    logic seen_reset = 1'b0;
    always @(posedge clk) if (rst) seen_reset <= 1'b1;
    wire on = seen_reset && !rst;

    // What the ports have shown so far: the cycle of the period, quotas, which groups were accessed in the window, the last update behind it.
    localparam MOST = 2 ** LIFE_W - 2;
    localparam GROUP_W = GROUPS < 2 ? 1 : $clog2(GROUPS);
    localparam ALL = 2 ** GROUP_W;
    logic [31:0]        cycle;
    logic [ALL-1:0]     sampled, accessed;  // a quota that is not 0; an access in the window
    logic               updated, samples;   // in the period; an access of a group that is sampled
    logic [GROUP_W-1:0] last_group;
    logic               reset_before;
    logic [ALL-1:0]     now;
    always_comb begin
        now = '0;
        for (int l = 0; l < LANES; l++) if (acc_valid[l] && duty) now[acc_group[l*GROUP_W+:GROUP_W]] = 1'b1;
    end
    wire ends = cycle == PERIOD - 1;
    always_ff @(posedge clk) begin
        reset_before <= rst;
        cycle        <= rst || ends ? 0 : cycle + 1;
        accessed     <= rst || ends ? '0 : accessed | now;
        samples      <= !rst && !ends && (samples || |(now & sampled));
        updated      <= !rst && !ends && (updated || upd_valid);
        if (upd_valid) last_group <= upd_group;
        if (quota_valid && 32'(quota_group) < GROUPS) sampled[quota_group] <= quota != '0;
        if (rst) sampled <= '0;
    end


    // ---- what the user owes the block
    owed_known_quota_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(quota_valid)))
        else $error("lease: owed_known_quota_valid: quota_valid is known in every cycle");
    owed_known_quota_group:
        assert property (@(posedge clk) on && (quota_valid) |-> (!$isunknown(quota_group)))
        else $error("lease: owed_known_quota_group: quota_group is known where it means something");
    owed_known_acc_valid:
        assert property (@(posedge clk) on && (duty) |-> (!$isunknown(acc_valid)))
        else $error("lease: owed_known_acc_valid: acc_valid is known in a window");
    owed_known_acc_block:
        assert property (@(posedge clk) on && (duty && acc_valid != '0) |-> (!$isunknown(acc_block)))
        else $error("lease: owed_known_acc_block: acc_block is known where it means something");
    owed_known_acc_page:
        assert property (@(posedge clk) on && (duty && acc_valid != '0) |-> (!$isunknown(acc_page)))
        else $error("lease: owed_known_acc_page: acc_page is known where it means something");
    owed_known_acc_group:
        assert property (@(posedge clk) on && (duty && acc_valid != '0) |-> (!$isunknown(acc_group)))
        else $error("lease: owed_known_acc_group: acc_group is known where it means something");
    owed_known_quota:
        assert property (@(posedge clk) on && (quota_valid) |-> (!$isunknown(quota)))
        else $error("lease: owed_known_quota: quota is known where it means something");

    // ---- what the block keeps
    check_known_upd_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(upd_valid)))
        else $error("lease: check_known_upd_valid: upd_valid is known");
    check_known_upd_group:
        assert property (@(posedge clk) on && (upd_valid) |-> (!$isunknown(upd_group)))
        else $error("lease: check_known_upd_group: upd_group is known where it means something");
    check_known_upd_lease:
        assert property (@(posedge clk) on && (upd_valid) |-> (!$isunknown(upd_lease)))
        else $error("lease: check_known_upd_lease: upd_lease is known where it means something");
    check_known_duty:
        assert property (@(posedge clk) on |-> (!$isunknown(duty)))
        else $error("lease: check_known_duty: duty is known");
    check_starts:
        assert property (@(posedge clk) on && (reset_before) |-> (duty && !upd_valid))
        else $error("lease: check_starts: a window begins behind reset");
    check_duty:
        assert property (@(posedge clk) on |-> (duty == (cycle < DUTY)))
        else $error("lease: check_duty: the window is the first DUTY cycles of each period");
    check_upd_when:
        assert property (@(posedge clk) on && (upd_valid) |-> (cycle >= DUTY + 2 * COUNT_W + 21))
        else $error("lease: check_upd_when: updates come between windows");
    check_upd_group:
        assert property (@(posedge clk) on && (upd_valid) |-> (32'(upd_group) < GROUPS))
        else $error("lease: check_upd_group: a group that there is");
    check_upd_order:
        assert property (@(posedge clk) on && (upd_valid && updated) |-> (upd_group > last_group))
        else $error("lease: check_upd_order: groups in turn, each once");
    check_upd_accessed:
        assert property (@(posedge clk) on && (upd_valid) |-> (accessed[upd_group]))
        else $error("lease: check_upd_accessed: a group that was accessed in the window");
    check_upd_lease:
        assert property (@(posedge clk) on && (upd_valid) |-> (upd_lease != '0 && 32'(upd_lease) <= MOST))
        else $error("lease: check_upd_lease: a lease is 1 to 2^LIFE_W - 2");
    check_upd_some:
        assert property (@(posedge clk) on && (ends && samples) |-> (updated || upd_valid))
        else $error("lease: check_upd_some: a sample has an update");
endmodule
