// SPDX-License-Identifier: Apache-2.0
// Port assertions beside every hir of a design. Made by `make cores`.
bind hir hir_checks #(
    .SET_W(SET_W),
    .PAGES(PAGES),
    .COUNT_W(COUNT_W),
    .LOST_W(LOST_W)
) u_checks (
    .clk(clk),
    .rst(rst),
    .hit_valid(hit_valid),
    .hit_set(hit_set),
    .hit_page(hit_page),
    .hit_ready(hit_ready),
    .flush(flush),
    .busy(busy),
    .out_valid(out_valid),
    .out_set(out_set),
    .out_counts(out_counts),
    .out_last(out_last),
    .out_ready(out_ready),
    .lost(lost)
);
