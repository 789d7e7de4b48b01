// SPDX-License-Identifier: Apache-2.0
// Port assertions beside every cap of a design. Made by `make cores`.
bind cap cap_checks #(
    .GROUPS(GROUPS),
    .AVAIL_W(AVAIL_W),
    .SIZE_W(SIZE_W),
    .C_NUM(C_NUM),
    .C_DEN(C_DEN),
    .OVER(OVER)
) u_checks (
    .clk(clk),
    .rst(rst),
    .set_valid(set_valid),
    .set_group(set_group),
    .set_req(set_req),
    .agg_valid(agg_valid),
    .agg(agg),
    .ask_valid(ask_valid),
    .ask_group(ask_group),
    .ask_avail(ask_avail),
    .ask_full(ask_full),
    .ans_valid(ans_valid),
    .ans_size(ans_size)
);
