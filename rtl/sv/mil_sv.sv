// SPDX-License-Identifier: Apache-2.0
// mil behind its interface. Made by `make cores` from the port list.
module mil_sv #(
    // kernels on the SM, 1..4
    parameter KERNELS = 2,
    // warp schedulers of the SM: most memory instructions in a cycle, 1..4
    parameter SCHEDULERS = 4,
    // log2 of the requests from a decision to the next, 4..16
    parameter INTERVAL_W = 10,
    // bits of a failure counter, 4..24, at least INTERVAL_W
    parameter RF_W = 12,
    // bits of a counter of instructions in flight, 4..10
    parameter INFLIGHT_W = 8,
    // bits of a counter of instructions, 4..16, INTERVAL_W to INTERVAL_W + 2
    parameter MINST_W = 10,
    // most requests per instruction, 2..64
    parameter RATIO_MAX = 32,
    // bits of a quota, 8..24, so that RATIO_MAX^KERNELS is at most 2^QUOTA_W
    parameter QUOTA_W = 20,
    // of instructions in flight: 0 none, 1 static, 2 dynamic
    parameter LIMIT = 2,
    // of kernels: 0 none, 1 round robin, 2 quotas
    parameter ORDER = 2,
    // LIMIT 2, too few failures: 0 open, 1 keep, 2 step
    parameter ZERO = 0
) (
    mil_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.KERNELS != KERNELS) $error("mil_sv: KERNELS is %0d, and %0d in its interface", KERNELS, bus.KERNELS);
    if (bus.SCHEDULERS != SCHEDULERS) $error("mil_sv: SCHEDULERS is %0d, and %0d in its interface", SCHEDULERS, bus.SCHEDULERS);
    if (bus.INFLIGHT_W != INFLIGHT_W) $error("mil_sv: INFLIGHT_W is %0d, and %0d in its interface", INFLIGHT_W, bus.INFLIGHT_W);
`endif
    mil_bare #(
        .KERNELS(KERNELS),
        .SCHEDULERS(SCHEDULERS),
        .INTERVAL_W(INTERVAL_W),
        .RF_W(RF_W),
        .INFLIGHT_W(INFLIGHT_W),
        .MINST_W(MINST_W),
        .RATIO_MAX(RATIO_MAX),
        .QUOTA_W(QUOTA_W),
        .LIMIT(LIMIT),
        .ORDER(ORDER),
        .ZERO(ZERO)
    ) u_bare (
        .clk(bus.clk),
        .rst(bus.rst),
        .set_valid(bus.set_valid),
        .set_kernel(bus.set_kernel),
        .set_limit(bus.set_limit),
        .live(bus.live),
        .start(bus.start),
        .want(bus.want),
        .go(bus.go),
        .room(bus.room),
        .iss(bus.iss),
        .done(bus.done),
        .acc_valid(bus.acc_valid),
        .acc_kernel(bus.acc_kernel),
        .fail_valid(bus.fail_valid),
        .fail_kernel(bus.fail_kernel),
        .limit(bus.limit),
        .update(bus.update),
        .err(bus.err)
    );
endmodule
