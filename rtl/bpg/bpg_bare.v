// SPDX-License-Identifier: Apache-2.0
// bpg without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.
`default_nettype none

module bpg_bare #(
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
    input  wire clk,
    input  wire rst,
    input  wire launch,
    input  wire cube_valid,
    input  wire [(CALCULATORS < 2 ? 1 : $clog2(CALCULATORS))-1:0] cube_index,
    input  wire [16:0] cube_value,
    input  wire [ID_W-1:0] ask_id,
    output wire ask_past,
    output wire [$clog2(CALCULATORS+1)-1:0] lmax,
    output wire update,
    input  wire acc_valid,
    input  wire [2:0] acc_op,
    input  wire [ADDR_W-1:0] acc_addr,
    input  wire [ID_W-1:0] acc_id,
    input  wire fail
);
    wire st_look;
    wire [(SETS < 2 ? 1 : $clog2(SETS))-1:0] st_set;
    wire st_sampled;
    wire [CALCULATORS-1:0] st_found;
    wire [19:0] st_count;
    wire [FAIL_W-1:0] st_fails;
    wire [(CALCULATORS*HIT_W)-1:0] st_hits;
    wire st_judged;
    wire [$clog2(CALCULATORS+1)-1:0] st_judged_k;
    wire [(HIT_W + HIT_SCALE > FAIL_W - 1 ? HIT_W + HIT_SCALE : FAIL_W - 1) + 1-1:0] st_adjusted;
    wire unused_state = &{1'b0, st_look, st_set, st_sampled, st_found, st_count, st_fails, st_hits, st_judged, st_judged_k, st_adjusted};

    bpg #(
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
        .HIT_SCALE(HIT_SCALE),
        .OBSERVE(0)
    ) u_block (
        .clk(clk),
        .rst(rst),
        .launch(launch),
        .cube_valid(cube_valid),
        .cube_index(cube_index),
        .cube_value(cube_value),
        .ask_id(ask_id),
        .ask_past(ask_past),
        .lmax(lmax),
        .update(update),
        .acc_valid(acc_valid),
        .acc_op(acc_op),
        .acc_addr(acc_addr),
        .acc_id(acc_id),
        .fail(fail),
        .st_look(st_look),
        .st_set(st_set),
        .st_sampled(st_sampled),
        .st_found(st_found),
        .st_count(st_count),
        .st_fails(st_fails),
        .st_hits(st_hits),
        .st_judged(st_judged),
        .st_judged_k(st_judged_k),
        .st_adjusted(st_adjusted)
    );
endmodule

`default_nettype wire
