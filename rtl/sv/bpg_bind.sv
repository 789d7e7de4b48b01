// SPDX-License-Identifier: Apache-2.0
// Port assertions beside every bpg of a design. Made by `make cores`.
bind bpg bpg_checks #(
    .ADDR_W(ADDR_W),
    .ID_W(ID_W),
    .CALCULATORS(CALCULATORS),
    .INTERVAL(INTERVAL)
) u_checks (
    .clk(clk),
    .rst(rst),
    .launch(launch),
    .cube_valid(cube_valid),
    .cube_index(cube_index),
    .cube_value(cube_value),
    .ask_id(ask_id),
    .ask_past(ask_past),
    .lmax(lmax),
    .update(update),
    .acc_valid(acc_valid),
    .acc_op(acc_op),
    .acc_addr(acc_addr),
    .acc_id(acc_id),
    .fail(fail)
);
