// SPDX-License-Identifier: Apache-2.0
// Port assertions beside every mil of a design. Made by `make cores`.
bind mil mil_checks #(
    .KERNELS(KERNELS),
    .SCHEDULERS(SCHEDULERS),
    .INTERVAL_W(INTERVAL_W),
    .INFLIGHT_W(INFLIGHT_W),
    .LIMIT(LIMIT),
    .ORDER(ORDER)
) u_checks (
    .clk(clk),
    .rst(rst),
    .set_valid(set_valid),
    .set_kernel(set_kernel),
    .set_limit(set_limit),
    .live(live),
    .start(start),
    .want(want),
    .go(go),
    .room(room),
    .iss(iss),
    .done(done),
    .acc_valid(acc_valid),
    .acc_kernel(acc_kernel),
    .fail_valid(fail_valid),
    .fail_kernel(fail_kernel),
    .limit(limit),
    .update(update),
    .err(err)
);
