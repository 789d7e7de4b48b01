// SPDX-License-Identifier: Apache-2.0
// Port assertions beside every cart of a design. Made by `make cores`.
bind cart cart_checks #(
    .ADDR_W(ADDR_W),
    .ID_W(ID_W),
    .DEPTH(DEPTH),
    .BANKS(BANKS),
    .ROWS(ROWS),
    .COLS(COLS),
    .POLICY(POLICY),
    .AGE_LIMIT(AGE_LIMIT),
    .HOLD(HOLD)
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
