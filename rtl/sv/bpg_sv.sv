// SPDX-License-Identifier: Apache-2.0
// bpg behind its interface. Made by `make cores` from the port list.
module bpg_sv #(
    // bits of a line number, 1..48
    parameter ADDR_W = 40,
    // bits of a user's number, 1..8
    parameter ID_W = 5,
    // sets of the L1D, 1..4096, a power of two
    parameter SETS = 32,
    // ways of the L1D, 1..16
    parameter WAYS = 4,
    // set-index function of the L1D: 0 bmod, 1 bxor, 2 fermi, 3 xor, 6 d_prime, 7 ipoly
    parameter INDEX = 1,
    // sets that are sampled, 1..64, a power of two, at most SETS
    parameter SAMPLED = 4,
    // bits kept of a tag, 1..48, at most ADDR_W - log2(SETS)
    parameter TAG_W = 32,
    // calculators of Adjusted Hits, 1..16
    parameter CALCULATORS = 8,
    // accesses from a decision to the next, 4..1048575, at least CALCULATORS + 4
    parameter INTERVAL = 1000,
    // bits of a hit counter, 2..16
    parameter HIT_W = 10,
    // bits of the failure counter, 2..16
    parameter FAIL_W = 12,
    // bits that the hits are shifted to the left before failures are taken from them, 0..7
    parameter HIT_SCALE = 3
) (
    bpg_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.ADDR_W != ADDR_W) $error("bpg_sv: ADDR_W is %0d, and %0d in its interface", ADDR_W, bus.ADDR_W);
    if (bus.ID_W != ID_W) $error("bpg_sv: ID_W is %0d, and %0d in its interface", ID_W, bus.ID_W);
    if (bus.CALCULATORS != CALCULATORS) $error("bpg_sv: CALCULATORS is %0d, and %0d in its interface", CALCULATORS, bus.CALCULATORS);
`endif
    bpg_bare #(
        .ADDR_W(ADDR_W),
        .ID_W(ID_W),
        .SETS(SETS),
        .WAYS(WAYS),
        .INDEX(INDEX),
        .SAMPLED(SAMPLED),
        .TAG_W(TAG_W),
        .CALCULATORS(CALCULATORS),
        .INTERVAL(INTERVAL),
        .HIT_W(HIT_W),
        .FAIL_W(FAIL_W),
        .HIT_SCALE(HIT_SCALE)
    ) u_bare (
        .clk(bus.clk),
        .rst(bus.rst),
        .launch(bus.launch),
        .cube_valid(bus.cube_valid),
        .cube_index(bus.cube_index),
        .cube_value(bus.cube_value),
        .ask_id(bus.ask_id),
        .ask_past(bus.ask_past),
        .lmax(bus.lmax),
        .update(bus.update),
        .acc_valid(bus.acc_valid),
        .acc_op(bus.acc_op),
        .acc_addr(bus.acc_addr),
        .acc_id(bus.acc_id),
        .fail(bus.fail)
    );
endmodule
