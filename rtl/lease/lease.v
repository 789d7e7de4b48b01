// SPDX-License-Identifier: Apache-2.0
// lease: samples page accesses and computes the leases of page groups. Cycle-by-cycle contract:
// docs/understand/lease.md; ports: rtl/lease/ports.md.
//   lease_groups   tracks the remaining entry quota of each group
//   lease_lanes    finds the entry in which an access is counted
//   lease_counts   stores the access counter and page bits of each entry
//   lease_average  computes the leases after a window
`default_nettype none
`include "mt_reset.vh"

module lease #(
    // maximum number of accesses per cycle, 1..32
    parameter LANES = 1,
    // maximum number of blocks sampled per window, 1..32
    parameter ENTRIES = 16,
    // block number width, 2..20 bits
    parameter BLOCK_W = 16,
    // access counter width, 2..16 bits
    parameter COUNT_W = 10,
    // number of pages per block, 2..32, a power of two
    parameter PAGES = 16,
    // number of page groups, 1..64
    parameter GROUPS = 32,
    // window length in cycles, 1..1048576
    parameter DUTY = 1000,
    // window period in cycles, 28..4194304; PERIOD - DUTY > ENTRIES * (COUNT_W + 8) + GROUPS * (COUNT_W + 14)
    parameter PERIOD = 6000,
    // lease width, 2..16 bits
    parameter LIFE_W = 10,
    // smoothing: a lease moves by 2^-WEIGHT of its distance to the sample, 0..7
    parameter WEIGHT = 1
) (
    input  wire                                               clk,
    input  wire                                               rst,
    input  wire                                               quota_valid,  // late
    input  wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0]       quota_group,  // late
    input  wire [$clog2(ENTRIES+1)-1:0]                       quota,        // late
    input  wire [LANES-1:0]                                   acc_valid,    // late
    input  wire [LANES*BLOCK_W-1:0]                           acc_block,    // late
    input  wire [LANES*$clog2(PAGES)-1:0]                     acc_page,     // late
    input  wire [LANES*(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] acc_group,    // late
    output wire                                               upd_valid,
    output wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0]       upd_group,
    output wire [LIFE_W-1:0]                                  upd_lease,
    output reg                                                duty
);
    // clamped so that an illegal value reaches its ILLEGAL_ message
    localparam L = (LANES < 1) ? 1 : (LANES > 32) ? 32 : LANES;
    localparam E = (ENTRIES < 1) ? 1 : ENTRIES;
    localparam GROUP_W = (GROUPS < 2) ? 1 : $clog2(GROUPS);
    localparam ENTRY_W = (E < 2) ? 1 : $clog2(E);
    localparam PAGE_W = $clog2(PAGES);
    localparam QUOTA_W = $clog2(E + 1);
    // All accesses are counted by the fifth cycle after the end of a window.
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
        .WEIGHT (WEIGHT)
    ) u_legal ();

    // ---- period
    reg  [CYCLE_W-1:0] cycle;
    wire               clear = cycle == LAST_CYCLE[CYCLE_W-1:0];  // a window starts in the next cycle
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
    wire [L-1:0]              hit;
    wire [L*ENTRY_W-1:0]      entry;
    wire [L*PAGE_W-1:0]       page;
    wire [COUNT_W-1:0]        count;
    wire [PAGES-1:0]          mask;
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
        .page     (page)
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
        .upd_lease(upd_lease)
    );

`ifdef FORMAL
`include "lease_contract.vh"
`endif
endmodule

`default_nettype wire
