// SPDX-License-Identifier: Apache-2.0
// lease behind its interface. Made by `make cores` from the port list.
module lease_sv #(
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
    lease_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.LANES != LANES) $error("lease_sv: LANES is %0d, and %0d in its interface", LANES, bus.LANES);
    if (bus.ENTRIES != ENTRIES) $error("lease_sv: ENTRIES is %0d, and %0d in its interface", ENTRIES, bus.ENTRIES);
    if (bus.BLOCK_W != BLOCK_W) $error("lease_sv: BLOCK_W is %0d, and %0d in its interface", BLOCK_W, bus.BLOCK_W);
    if (bus.PAGES != PAGES) $error("lease_sv: PAGES is %0d, and %0d in its interface", PAGES, bus.PAGES);
    if (bus.GROUPS != GROUPS) $error("lease_sv: GROUPS is %0d, and %0d in its interface", GROUPS, bus.GROUPS);
    if (bus.LIFE_W != LIFE_W) $error("lease_sv: LIFE_W is %0d, and %0d in its interface", LIFE_W, bus.LIFE_W);
`endif
    lease_bare #(
        .LANES(LANES),
        .ENTRIES(ENTRIES),
        .BLOCK_W(BLOCK_W),
        .COUNT_W(COUNT_W),
        .PAGES(PAGES),
        .GROUPS(GROUPS),
        .DUTY(DUTY),
        .PERIOD(PERIOD),
        .LIFE_W(LIFE_W),
        .WEIGHT(WEIGHT)
    ) u_bare (
        .clk(bus.clk),
        .rst(bus.rst),
        .quota_valid(bus.quota_valid),
        .quota_group(bus.quota_group),
        .quota(bus.quota),
        .acc_valid(bus.acc_valid),
        .acc_block(bus.acc_block),
        .acc_page(bus.acc_page),
        .acc_group(bus.acc_group),
        .upd_valid(bus.upd_valid),
        .upd_group(bus.upd_group),
        .upd_lease(bus.upd_lease),
        .duty(bus.duty)
    );
endmodule
