// SPDX-License-Identifier: Apache-2.0
// hir without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.
`default_nettype none

module hir_bare #(
    // sets, 1..1024, a power of two
    parameter SETS = 128,
    // entries of a set, 1..16
    parameter WAYS = 8,
    // bits of a page-set number, 4..48, at least log2(SETS) + 1
    parameter SET_W = 48,
    // pages of a page set, 2..32, a power of two
    parameter PAGES = 16,
    // bits of a counter, 1..4; PAGES * COUNT_W at most 64
    parameter COUNT_W = 2,
    // bits of the counter of lost hits, 1..16
    parameter LOST_W = 16
) (
    input  wire clk,
    input  wire rst,
    input  wire hit_valid,
    input  wire [SET_W-1:0] hit_set,
    input  wire [$clog2(PAGES)-1:0] hit_page,
    output wire hit_ready,
    input  wire flush,
    output wire busy,
    output wire out_valid,
    output wire [SET_W-1:0] out_set,
    output wire [(PAGES*COUNT_W)-1:0] out_counts,
    output wire out_last,
    input  wire out_ready,
    output wire [LOST_W-1:0] lost
);
    wire st_look;
    wire [(SETS < 2 ? 1 : $clog2(SETS))-1:0] st_row;
    wire st_found;
    wire st_lose;
    wire [(WAYS < 2 ? 1 : $clog2(WAYS))-1:0] st_way;
    wire [($clog2(SETS*WAYS+1))-1:0] st_count;
    wire unused_state = &{1'b0, st_look, st_row, st_found, st_lose, st_way, st_count};

    hir #(
        .SETS(SETS),
        .WAYS(WAYS),
        .SET_W(SET_W),
        .PAGES(PAGES),
        .COUNT_W(COUNT_W),
        .LOST_W(LOST_W),
        .OBSERVE(0)
    ) u_block (
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
        .lost(lost),
        .st_look(st_look),
        .st_row(st_row),
        .st_found(st_found),
        .st_lose(st_lose),
        .st_way(st_way),
        .st_count(st_count)
    );
endmodule

`default_nettype wire
