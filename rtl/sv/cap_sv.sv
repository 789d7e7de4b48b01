// SPDX-License-Identifier: Apache-2.0
// cap behind its interface. Made by `make cores` from the port list.
module cap_sv #(
    // page groups, 1..64
    parameter GROUPS = 32,
    // bits of a number of pages, 4..28
    parameter AVAIL_W = 22,
    // bits of a number of blocks, 5..24
    parameter SIZE_W = 18,
    // numerator of c, 1..255
    parameter C_NUM = 11,
    // denominator of c, 1..C_NUM
    parameter C_DEN = 10,
    // log2 of the blocks of a prefetch while memory is oversubscribed, 0..4
    parameter OVER = 3
) (
    cap_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.GROUPS != GROUPS) $error("cap_sv: GROUPS is %0d, and %0d in its interface", GROUPS, bus.GROUPS);
    if (bus.AVAIL_W != AVAIL_W) $error("cap_sv: AVAIL_W is %0d, and %0d in its interface", AVAIL_W, bus.AVAIL_W);
    if (bus.SIZE_W != SIZE_W) $error("cap_sv: SIZE_W is %0d, and %0d in its interface", SIZE_W, bus.SIZE_W);
`endif
    cap_bare #(
        .GROUPS(GROUPS),
        .AVAIL_W(AVAIL_W),
        .SIZE_W(SIZE_W),
        .C_NUM(C_NUM),
        .C_DEN(C_DEN),
        .OVER(OVER)
    ) u_bare (
        .clk(bus.clk),
        .rst(bus.rst),
        .set_valid(bus.set_valid),
        .set_group(bus.set_group),
        .set_req(bus.set_req),
        .agg_valid(bus.agg_valid),
        .agg(bus.agg),
        .ask_valid(bus.ask_valid),
        .ask_group(bus.ask_group),
        .ask_avail(bus.ask_avail),
        .ask_full(bus.ask_full),
        .ans_valid(bus.ans_valid),
        .ans_size(bus.ans_size)
    );
endmodule
