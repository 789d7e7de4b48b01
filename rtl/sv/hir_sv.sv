// SPDX-License-Identifier: Apache-2.0
// hir behind its interface. Made by `make cores` from the port list.
module hir_sv #(
    // sets, 1..1024, a power of two
    parameter SETS = 128,
    // entries of a set, 1..16
    parameter WAYS = 8,
    // bits of a page-set number, 4..48, at least log2(SETS) + 1
    parameter SET_W = 48,
    // pages of a page set, 2..32, a power of two
    parameter PAGES = 16,
    // bits of a counter, 1..4; PAGES * COUNT_W at most 64
    parameter COUNT_W = 2,
    // bits of the counter of lost hits, 1..16
    parameter LOST_W = 16
) (
    hir_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.SET_W != SET_W) $error("hir_sv: SET_W is %0d, and %0d in its interface", SET_W, bus.SET_W);
    if (bus.PAGES != PAGES) $error("hir_sv: PAGES is %0d, and %0d in its interface", PAGES, bus.PAGES);
    if (bus.COUNT_W != COUNT_W) $error("hir_sv: COUNT_W is %0d, and %0d in its interface", COUNT_W, bus.COUNT_W);
    if (bus.LOST_W != LOST_W) $error("hir_sv: LOST_W is %0d, and %0d in its interface", LOST_W, bus.LOST_W);
`endif
    hir_bare #(
        .SETS(SETS),
        .WAYS(WAYS),
        .SET_W(SET_W),
        .PAGES(PAGES),
        .COUNT_W(COUNT_W),
        .LOST_W(LOST_W)
    ) u_bare (
        .clk(bus.clk),
        .rst(bus.rst),
        .hit_valid(bus.hit_valid),
        .hit_set(bus.hit_set),
        .hit_page(bus.hit_page),
        .hit_ready(bus.hit_ready),
        .flush(bus.flush),
        .busy(bus.busy),
        .out_valid(bus.out_valid),
        .out_set(bus.out_set),
        .out_counts(bus.out_counts),
        .out_last(bus.out_last),
        .out_ready(bus.out_ready),
        .lost(bus.lost)
    );
endmodule
