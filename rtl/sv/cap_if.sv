// SPDX-License-Identifier: Apache-2.0
// The ports of cap as an interface. Made by `make cores` from the port list.
interface cap_if #(
    // page groups, 1..64
    parameter GROUPS = 32,
    // bits of a number of pages, 4..28
    parameter AVAIL_W = 22,
    // bits of a number of blocks, 5..24
    parameter SIZE_W = 18
) (
    input logic clk,
    input logic rst
);
    // A design need not read every output.
    /* verilator lint_off UNUSEDSIGNAL */
    logic set_valid;
    logic [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] set_group;
    logic [SIZE_W-1:0] set_req;
    logic agg_valid;
    logic [SIZE_W-1:0] agg;
    logic ask_valid;
    logic [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] ask_group;
    logic [AVAIL_W-1:0] ask_avail;
    logic ask_full;
    logic ans_valid;
    logic [2:0] ans_size;
    /* verilator lint_on UNUSEDSIGNAL */

    // the block, what drives it, what looks on
    modport block (
        input clk, rst,
        input set_valid, set_group, set_req, agg_valid, agg, ask_valid, ask_group, ask_avail, ask_full,
        output ans_valid, ans_size
    );
    modport user (
        input clk, rst,
        output set_valid, set_group, set_req, agg_valid, agg, ask_valid, ask_group, ask_avail, ask_full,
        input ans_valid, ans_size
    );
    modport monitor (
        input clk, rst, set_valid, set_group, set_req, agg_valid, agg, ask_valid, ask_group, ask_avail, ask_full, ans_valid, ans_size
    );
endinterface
