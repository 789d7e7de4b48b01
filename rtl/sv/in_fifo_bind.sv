// SPDX-License-Identifier: Apache-2.0
// Port assertions beside every in_fifo of a design. Made by `make cores`.
bind in_fifo in_fifo_checks #(
    .ADDR_W(ADDR_W),
    .ID_W(ID_W),
    .DEPTH(DEPTH)
) u_checks (
    .clk(clk),
    .rst(rst),
    .fill_valid(fill_valid),
    .fill_addr(fill_addr),
    .fill_id(fill_id),
    .fill_ready(fill_ready),
    .fill_refuse(fill_refuse),
    .drain_valid(drain_valid),
    .drain_addr(drain_addr),
    .drain_id(drain_id),
    .drain_why(drain_why),
    .drain_ready(drain_ready)
);
