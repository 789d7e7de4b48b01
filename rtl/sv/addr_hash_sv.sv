// SPDX-License-Identifier: Apache-2.0
// addr_hash behind its interface. Made by `make cores` from the port list.
module addr_hash_sv #(
    // bits of a line number, 1..48
    parameter ADDR_W = 40,
    // sets of the L1D, 1..4096, a power of two
    parameter SETS = 32,
    // set-index function of the L1D: 0 bmod, 1 bxor, 2 fermi, 3 xor, 4 pmod, 5 a_prime, 6 d_prime, 7 ipoly, 8 ipoly_sum
    parameter INDEX = 1,
    // memory partitions, 1..256
    parameter PARTITIONS = 16,
    // partition map: 0 modulo, 1 xor, 2 xor_next, 3 prime, 4 a_prime, 5 d_prime, 6 ipoly
    parameter MAP = 0,
    // log2 of the consecutive lines in one partition, 0..10
    parameter INTERLEAVE = 1,
    // cycles from an access to its outputs, 1 or 2
    parameter LATENCY = 1
) (
    addr_hash_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.ADDR_W != ADDR_W) $error("addr_hash_sv: ADDR_W is %0d, and %0d in its interface", ADDR_W, bus.ADDR_W);
    if (bus.SETS != SETS) $error("addr_hash_sv: SETS is %0d, and %0d in its interface", SETS, bus.SETS);
    if (bus.PARTITIONS != PARTITIONS) $error("addr_hash_sv: PARTITIONS is %0d, and %0d in its interface", PARTITIONS, bus.PARTITIONS);
`endif
    addr_hash_bare #(
        .ADDR_W(ADDR_W),
        .SETS(SETS),
        .INDEX(INDEX),
        .PARTITIONS(PARTITIONS),
        .MAP(MAP),
        .INTERLEAVE(INTERLEAVE),
        .LATENCY(LATENCY)
    ) u_bare (
        .clk(bus.clk),
        .rst(bus.rst),
        .acc_valid(bus.acc_valid),
        .acc_line(bus.acc_line),
        .out_valid(bus.out_valid),
        .out_set(bus.out_set),
        .out_part(bus.out_part),
        .out_rest(bus.out_rest)
    );
endmodule
