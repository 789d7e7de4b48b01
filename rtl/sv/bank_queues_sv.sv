// SPDX-License-Identifier: Apache-2.0
// bank_queues behind its interface. Made by `make cores` from the port list.
module bank_queues_sv #(
    // bits of a line number within the channel, 1..48
    parameter ADDR_W = 21,
    // bits of a request ID, 1..32
    parameter ID_W = 24,
    // places of a queue, 1..1024
    parameter DEPTH = 16,
    // DRAM banks, 2..64, a power of two
    parameter BANKS = 16,
    // the bits of a line number that are the bank, log2(BANKS) of them
    parameter BANK_MASK = 450,
    // queues, 2..BANKS, a power of two: a request goes to queue (bank mod QUEUES)
    parameter QUEUES = 16,
    // 1: what was offered stays on offer until it is taken; 0: the round robin goes on; 0, 1
    parameter HOLD = 1
) (
    bank_queues_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.ADDR_W != ADDR_W) $error("bank_queues_sv: ADDR_W is %0d, and %0d in its interface", ADDR_W, bus.ADDR_W);
    if (bus.ID_W != ID_W) $error("bank_queues_sv: ID_W is %0d, and %0d in its interface", ID_W, bus.ID_W);
`endif
    bank_queues_bare #(
        .ADDR_W(ADDR_W),
        .ID_W(ID_W),
        .DEPTH(DEPTH),
        .BANKS(BANKS),
        .BANK_MASK(BANK_MASK),
        .QUEUES(QUEUES),
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
