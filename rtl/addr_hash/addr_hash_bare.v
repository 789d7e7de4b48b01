// SPDX-License-Identifier: Apache-2.0
// addr_hash without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.
`default_nettype none

module addr_hash_bare #(
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
    input  wire clk,
    input  wire rst,
    input  wire acc_valid,
    input  wire [ADDR_W-1:0] acc_line,
    output wire out_valid,
    output wire [(SETS < 2 ? 1 : $clog2(SETS))-1:0] out_set,
    output wire [(PARTITIONS < 2 ? 1 : $clog2(PARTITIONS))-1:0] out_part,
    output wire [ADDR_W-1:0] out_rest
);
    addr_hash #(
        .ADDR_W(ADDR_W),
        .SETS(SETS),
        .INDEX(INDEX),
        .PARTITIONS(PARTITIONS),
        .MAP(MAP),
        .INTERLEAVE(INTERLEAVE),
        .LATENCY(LATENCY),
        .OBSERVE(0)
    ) u_block (
        .clk(clk),
        .rst(rst),
        .acc_valid(acc_valid),
        .acc_line(acc_line),
        .out_valid(out_valid),
        .out_set(out_set),
        .out_part(out_part),
        .out_rest(out_rest)
    );
endmodule

`default_nettype wire
