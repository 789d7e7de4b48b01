// SPDX-License-Identifier: Apache-2.0
// in_fifo behind its interface. Made by `make cores` from the port list.
module in_fifo_sv #(
    // bits of a line number within the channel, 1..48
    parameter ADDR_W = 21,
    // bits of a request ID, 1..32
    parameter ID_W = 24,
    // places, 1..16384
    parameter DEPTH = 8
) (
    in_fifo_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.ADDR_W != ADDR_W) $error("in_fifo_sv: ADDR_W is %0d, and %0d in its interface", ADDR_W, bus.ADDR_W);
    if (bus.ID_W != ID_W) $error("in_fifo_sv: ID_W is %0d, and %0d in its interface", ID_W, bus.ID_W);
`endif
    in_fifo_bare #(
        .ADDR_W(ADDR_W),
        .ID_W(ID_W),
        .DEPTH(DEPTH)
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
