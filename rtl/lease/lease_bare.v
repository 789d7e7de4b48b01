// SPDX-License-Identifier: Apache-2.0
// lease without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.
`default_nettype none

module lease_bare #(
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
    parameter WEIGHT = 1
) (
    input  wire clk,
    input  wire rst,
    input  wire quota_valid,
    input  wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] quota_group,
    input  wire [$clog2(ENTRIES+1)-1:0] quota,
    input  wire [LANES-1:0] acc_valid,
    input  wire [(LANES*BLOCK_W)-1:0] acc_block,
    input  wire [(LANES*$clog2(PAGES))-1:0] acc_page,
    input  wire [(LANES*(GROUPS < 2 ? 1 : $clog2(GROUPS)))-1:0] acc_group,
    output wire upd_valid,
    output wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] upd_group,
    output wire [LIFE_W-1:0] upd_lease,
    output wire duty
);
    wire [1:0] st_phase;
    wire [ENTRIES-1:0] st_used;
    wire [(ENTRIES*COUNT_W)-1:0] st_count;
    wire [(ENTRIES*PAGES)-1:0] st_pages;
    wire [15:0] st_missed;
    wire unused_state = &{1'b0, st_phase, st_used, st_count, st_pages, st_missed};

    lease #(
        .LANES(LANES),
        .ENTRIES(ENTRIES),
        .BLOCK_W(BLOCK_W),
        .COUNT_W(COUNT_W),
        .PAGES(PAGES),
        .GROUPS(GROUPS),
        .DUTY(DUTY),
        .PERIOD(PERIOD),
        .LIFE_W(LIFE_W),
        .WEIGHT(WEIGHT),
        .OBSERVE(0)
    ) u_block (
        .clk(clk),
        .rst(rst),
        .quota_valid(quota_valid),
        .quota_group(quota_group),
        .quota(quota),
        .acc_valid(acc_valid),
        .acc_block(acc_block),
        .acc_page(acc_page),
        .acc_group(acc_group),
        .upd_valid(upd_valid),
        .upd_group(upd_group),
        .upd_lease(upd_lease),
        .duty(duty),
        .st_phase(st_phase),
        .st_used(st_used),
        .st_count(st_count),
        .st_pages(st_pages),
        .st_missed(st_missed)
    );
endmodule

`default_nettype wire
