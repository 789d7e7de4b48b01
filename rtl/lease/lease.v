// SPDX-License-Identifier: Apache-2.0
// lease: samples page accesses, and works out the leases of groups of pages. The contract, cycle by cycle, is docs/understand/lease.md; the
// ports are cmodel/lease/lease_ports.h.
//   lease_groups   how many entries a group may still have
//   lease_lanes    which entry an access is counted in
//   lease_counts   the entries' counters and pages
//   lease_average  the leases, behind a window
`default_nettype none
`include "mt_reset.vh"

module lease #(
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
    parameter LIFE_W = 10,
    // a lease moves by 2^-WEIGHT of the way to the sample, 0..7
    parameter WEIGHT = 1,
    // 1: the st_ ports show the state, for verification; 0: they are 0, and what only they read is gone
    parameter OBSERVE = 1
) (
    input  wire                                           clk,
    input  wire                                           rst,
    input  wire                                           quota_valid,  // late
    input  wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0]   quota_group,  // late
    input  wire [$clog2(ENTRIES+1)-1:0]                   quota,        // late
    input  wire [LANES-1:0]                               acc_valid,    // late
    input  wire [LANES*BLOCK_W-1:0]                       acc_block,    // late
    input  wire [LANES*$clog2(PAGES)-1:0]                 acc_page,     // late
    input  wire [LANES*(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] acc_group,  // late
    output wire                                           upd_valid,
    output wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0]   upd_group,
    output wire [LIFE_W-1:0]                              upd_lease,
    output reg                                            duty,
    output wire [1:0]                                     st_phase,
    output wire [ENTRIES-1:0]                             st_used,
    output wire [ENTRIES*COUNT_W-1:0]                     st_count,
    output wire [ENTRIES*PAGES-1:0]                       st_pages,
    output wire [15:0]                                    st_missed
);
    // Not 0 where LANES or ENTRIES is, so that every tool comes as far as the reason.
    localparam L = (LANES < 1) ? 1 : LANES;
    localparam E = (ENTRIES < 1) ? 1 : ENTRIES;
    localparam GROUP_W = (GROUPS < 2) ? 1 : $clog2(GROUPS);
    localparam ENTRY_W = (E < 2) ? 1 : $clog2(E);
    localparam PAGE_W = $clog2(PAGES);
    localparam QUOTA_W = $clog2(E + 1);
    // All is counted with the fifth cycle behind the last one of a window.
    localparam CYCLE_W = $clog2(PERIOD);
    localparam LAST_DUTY = DUTY - 1;
    localparam LAST_COUNT = DUTY + 4;
    localparam LAST_CYCLE = PERIOD - 1;
    localparam [CYCLE_W-1:0] ONE = 1;

    lease_legal #(
        .LANES  (LANES),
        .ENTRIES(ENTRIES),
        .BLOCK_W(BLOCK_W),
        .COUNT_W(COUNT_W),
        .PAGES  (PAGES),
        .GROUPS (GROUPS),
        .DUTY   (DUTY),
        .PERIOD (PERIOD),
        .LIFE_W (LIFE_W),
        .WEIGHT (WEIGHT),
        .OBSERVE(OBSERVE)
    ) u_legal ();

    // ---- the period
    reg  [CYCLE_W-1:0] cycle;
    wire               clear = cycle == LAST_CYCLE[CYCLE_W-1:0];  // a window begins with the next cycle
    wire               start = cycle == LAST_COUNT[CYCLE_W-1:0];
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            cycle <= {CYCLE_W{1'b0}};
            duty  <= 1'b1;
        end else begin
            cycle <= clear ? {CYCLE_W{1'b0}} : cycle + ONE;
            duty  <= clear || (duty && cycle != LAST_DUTY[CYCLE_W-1:0]);
        end

    // ---- sampling
    wire [GROUPS-1:0]         none, one;
    wire                      new_valid;
    wire [GROUP_W-1:0]        new_group;
    wire [E-1:0]              used, pick;
    wire [E*GROUP_W-1:0]      groups;
    wire [L-1:0]              hit, miss;
    wire [L*ENTRY_W-1:0]      entry;
    wire [L*PAGE_W-1:0]       page;
    wire [E*COUNT_W-1:0]      counts;
    wire [E*PAGES-1:0]        pages;
    wire [COUNT_W-1:0]        count;
    wire [PAGES-1:0]          mask;
    wire [1:0]                phase;
    lease_groups #(
        .GROUPS (GROUPS),
        .GROUP_W(GROUP_W),
        .QUOTA_W(QUOTA_W)
    ) u_groups (
        .clk        (clk),
        .rst        (rst),
        .clear      (clear),
        .quota_valid(quota_valid),
        .quota_group(quota_group),
        .quota      (quota),
        .grow       (new_valid),
        .grow_group (new_group),
        .none       (none),
        .one        (one)
    );
    lease_lanes #(
        .LANES  (L),
        .ENTRIES(E),
        .BLOCK_W(BLOCK_W),
        .GROUPS (GROUPS),
        .PAGE_W (PAGE_W),
        .GROUP_W(GROUP_W),
        .ENTRY_W(ENTRY_W)
    ) u_lanes (
        .clk      (clk),
        .rst      (rst),
        .clear    (clear),
        .acc_valid(acc_valid & {L{duty}}),
        .acc_block(acc_block),
        .acc_page (acc_page),
        .acc_group(acc_group),
        .none     (none),
        .one      (one),
        .new_valid(new_valid),
        .new_group(new_group),
        .used     (used),
        .groups   (groups),
        .hit      (hit),
        .entry    (entry),
        .page     (page),
        .miss     (miss)
    );
    lease_counts #(
        .LANES  (L),
        .ENTRIES(E),
        .COUNT_W(COUNT_W),
        .PAGES  (PAGES),
        .PAGE_W (PAGE_W),
        .ENTRY_W(ENTRY_W)
    ) u_counts (
        .clk   (clk),
        .rst   (rst),
        .clear (clear),
        .hit   (hit),
        .entry (entry),
        .page  (page),
        .counts(counts),
        .pages (pages),
        .pick  (pick),
        .count (count),
        .mask  (mask)
    );

    // ---- leases
    lease_average #(
        .ENTRIES(E),
        .COUNT_W(COUNT_W),
        .PAGES  (PAGES),
        .GROUPS (GROUPS),
        .LIFE_W (LIFE_W),
        .WEIGHT (WEIGHT),
        .GROUP_W(GROUP_W)
    ) u_average (
        .clk      (clk),
        .rst      (rst),
        .start    (start),
        .clear    (clear),
        .used     (used),
        .groups   (groups),
        .pick     (pick),
        .count    (count),
        .mask     (mask),
        .upd_valid(upd_valid),
        .upd_group(upd_group),
        .upd_lease(upd_lease),
        .phase    (phase)
    );

`ifdef FORMAL
`include "lease_contract.vh"
`endif

    // ---- observed state
    generate
        if (OBSERVE != 0) begin : gen_observe
            localparam SUM_W = $clog2(L + 1);
            wire [SUM_W-1:0] sum;
            reg  [SUM_W-1:0] more;
            reg  [15:0]      missed;
            wire [16:0]      wide = {1'b0, missed} + {{17 - SUM_W{1'b0}}, more};
            mt_sum_bits #(
                .N      (L),
                .W      (SUM_W),
                .WEIGHTS({L{{{SUM_W - 1{1'b0}}, 1'b1}}})
            ) u_sum (
                .bits(miss),
                .sum (sum)
            );
            always @(posedge clk `MT_OR_RST)
                if (rst) begin
                    more   <= {SUM_W{1'b0}};
                    missed <= 16'd0;
                end else begin
                    more   <= sum;
                    missed <= clear ? 16'd0 : wide[15:0] | {16{wide[16]}};
                end
            assign st_phase  = phase;
            assign st_used   = used;
            assign st_count  = counts;
            assign st_pages  = pages;
            assign st_missed = missed;
        end else begin : gen_no_observe
            wire unused_state = &{1'b0, phase, counts, pages, miss};
            assign st_phase  = 2'd0;
            assign st_used   = {E{1'b0}};
            assign st_count  = {E * COUNT_W{1'b0}};
            assign st_pages  = {E * PAGES{1'b0}};
            assign st_missed = 16'd0;
        end
    endgenerate
endmodule

`default_nettype wire
