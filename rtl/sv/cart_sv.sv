// SPDX-License-Identifier: Apache-2.0
// cart behind its interface. Made by `make cores` from the port list.
module cart_sv #(
    // bits of a line number within the channel, 1..48
    parameter ADDR_W = 21,
    // bits of a request ID, 1..32
    parameter ID_W = 24,
    // places of a leaf queue, 1..32; BANKS * ROWS * COLS * DEPTH is 8192 at most
    parameter DEPTH = 2,
    // DRAM banks: branches; 2..64, a power of two
    parameter BANKS = 16,
    // the bits of a line number that are the bank, log2(BANKS) of them
    parameter BANK_MASK = 450,
    // the bits that are the column, at least one; the others are the row, at least one
    parameter COL_MASK = 61,
    // row groups of a branch, 1..8
    parameter ROWS = 4,
    // leaf queues of a row group, 1..8
    parameter COLS = 2,
    // 0 rotating banks, same-or-longest row; 1 longest first; 2 round robin over queues
    parameter POLICY = 0,
    // POLICY=0: drains that may pass a branch's oldest request, 1..65535; 0: any number
    parameter AGE_LIMIT = 0,
    // empty queues: 0 of the row's group; 1 of the whole branch, so that a group is no more than its number of queues; 0, 1
    parameter FILL = 0,
    // lowest bits of the column that lines of a queue may differ in, 0..29; fewer than the column has
    parameter COL_DROP = 0,
    // 1: an offer stays until it is taken; 0: a new choice in each cycle; 0, 1
    parameter HOLD = 1
) (
    cart_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.ADDR_W != ADDR_W) $error("cart_sv: ADDR_W is %0d, and %0d in its interface", ADDR_W, bus.ADDR_W);
    if (bus.ID_W != ID_W) $error("cart_sv: ID_W is %0d, and %0d in its interface", ID_W, bus.ID_W);
`endif
    cart_bare #(
        .ADDR_W(ADDR_W),
        .ID_W(ID_W),
        .DEPTH(DEPTH),
        .BANKS(BANKS),
        .BANK_MASK(BANK_MASK),
        .COL_MASK(COL_MASK),
        .ROWS(ROWS),
        .COLS(COLS),
        .POLICY(POLICY),
        .AGE_LIMIT(AGE_LIMIT),
        .FILL(FILL),
        .COL_DROP(COL_DROP),
        .HOLD(HOLD)
    ) u_bare (
        .clk(bus.clk),
        .rst(bus.rst),
        .fill_valid(bus.fill_valid),
        .fill_addr(bus.fill_addr),
        .fill_id(bus.fill_id),
        .fill_ready(bus.fill_ready),
        .fill_refuse(bus.fill_refuse),
        .drain_valid(bus.drain_valid),
        .drain_addr(bus.drain_addr),
        .drain_id(bus.drain_id),
        .drain_why(bus.drain_why),
        .drain_ready(bus.drain_ready)
    );
endmodule
