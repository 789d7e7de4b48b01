// SPDX-License-Identifier: Apache-2.0
// Port assertions beside every expiry of a design. Made by `make cores`.
bind expiry expiry_checks #(
    .ENTRIES(ENTRIES),
    .BLOCK_W(BLOCK_W),
    .PAGES(PAGES),
    .TAKE(TAKE)
) u_checks (
    .clk(clk),
    .rst(rst),
    .exp_valid(exp_valid),
    .exp_block(exp_block),
    .exp_page(exp_page),
    .exp_ready(exp_ready),
    .rec_valid(rec_valid),
    .rec_block(rec_block),
    .rec_ready(rec_ready),
    .take(take),
    .out_valid(out_valid),
    .out_block(out_block),
    .out_mask(out_mask),
    .out_why(out_why),
    .out_last(out_last),
    .out_ready(out_ready)
);
