// SPDX-License-Identifier: Apache-2.0
// The ports of hir as an interface. Made by `make cores` from the port list.
interface hir_if #(
    // bits of a page-set number, 4..48, at least log2(SETS) + 1
    parameter SET_W = 48,
    // pages of a page set, 2..32, a power of two
    parameter PAGES = 16,
    // bits of a counter, 1..4; PAGES * COUNT_W at most 64
    parameter COUNT_W = 2,
    // bits of the counter of lost hits, 1..16
    parameter LOST_W = 16
) (
    input logic clk,
    input logic rst
);
    // A design need not read every output.
    /* verilator lint_off UNUSEDSIGNAL */
    logic hit_valid;
    logic [SET_W-1:0] hit_set;
    logic [$clog2(PAGES)-1:0] hit_page;
    logic hit_ready;
    logic flush;
    logic busy;
    logic out_valid;
    logic [SET_W-1:0] out_set;
    logic [(PAGES*COUNT_W)-1:0] out_counts;
    logic out_last;
    logic out_ready;
    logic [LOST_W-1:0] lost;
    /* verilator lint_on UNUSEDSIGNAL */

    // the block, what drives it, what looks on
    modport block (
        input clk, rst,
        input hit_valid, hit_set, hit_page, flush, out_ready,
        output hit_ready, busy, out_valid, out_set, out_counts, out_last, lost
    );
    modport user (
        input clk, rst,
        output hit_valid, hit_set, hit_page, flush, out_ready,
        input hit_ready, busy, out_valid, out_set, out_counts, out_last, lost
    );
    modport monitor (
        input clk, rst, hit_valid, hit_set, hit_page, flush, out_ready, hit_ready, busy, out_valid, out_set, out_counts, out_last, lost
    );
endinterface
