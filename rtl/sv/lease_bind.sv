// SPDX-License-Identifier: Apache-2.0
// Port assertions beside every lease of a design. Made by `make cores`.
bind lease lease_checks #(
    .LANES(LANES),
    .ENTRIES(ENTRIES),
    .BLOCK_W(BLOCK_W),
    .COUNT_W(COUNT_W),
    .PAGES(PAGES),
    .GROUPS(GROUPS),
    .DUTY(DUTY),
    .PERIOD(PERIOD),
    .LIFE_W(LIFE_W)
) u_checks (
    .clk(clk),
    .rst(rst),
    .quota_valid(quota_valid),
    .quota_group(quota_group),
    .quota(quota),
    .acc_valid(acc_valid),
    .acc_block(acc_block),
    .acc_page(acc_page),
    .acc_group(acc_group),
    .upd_valid(upd_valid),
    .upd_group(upd_group),
    .upd_lease(upd_lease),
    .duty(duty)
);
