// SPDX-License-Identifier: Apache-2.0
// Port assertions beside every addr_hash of a design. Made by `make cores`.
bind addr_hash addr_hash_checks #(
    .ADDR_W(ADDR_W),
    .SETS(SETS),
    .PARTITIONS(PARTITIONS),
    .INTERLEAVE(INTERLEAVE),
    .LATENCY(LATENCY)
) u_checks (
    .clk(clk),
    .rst(rst),
    .acc_valid(acc_valid),
    .acc_line(acc_line),
    .out_valid(out_valid),
    .out_set(out_set),
    .out_part(out_part),
    .out_rest(out_rest)
);
