// SPDX-License-Identifier: Apache-2.0
// The ports of expiry as an interface. Made by `make cores` from the port list.
interface expiry_if #(
    // bits of a block number, 2..32
    parameter BLOCK_W = 16,
    // pages of a block, 2..32, a power of two
    parameter PAGES = 16
) (
    input logic clk,
    input logic rst
);
    // A design need not read every output.
    /* verilator lint_off UNUSEDSIGNAL */
    logic exp_valid;
    logic [BLOCK_W-1:0] exp_block;
    logic [$clog2(PAGES)-1:0] exp_page;
    logic exp_ready;
    logic rec_valid;
    logic [BLOCK_W-1:0] rec_block;
    logic rec_ready;
    logic take;
    logic out_valid;
    logic [BLOCK_W-1:0] out_block;
    logic [PAGES-1:0] out_mask;
    logic [1:0] out_why;
    logic out_last;
    logic out_ready;
    /* verilator lint_on UNUSEDSIGNAL */

    // the block, what drives it, what looks on
    modport block (
        input clk, rst,
        input exp_valid, exp_block, exp_page, rec_valid, rec_block, take, out_ready,
        output exp_ready, rec_ready, out_valid, out_block, out_mask, out_why, out_last
    );
    modport user (
        input clk, rst,
        output exp_valid, exp_block, exp_page, rec_valid, rec_block, take, out_ready,
        input exp_ready, rec_ready, out_valid, out_block, out_mask, out_why, out_last
    );
    modport monitor (
        input clk, rst, exp_valid, exp_block, exp_page, rec_valid, rec_block, take, out_ready, exp_ready, rec_ready, out_valid, out_block, out_mask, out_why, out_last
    );
endinterface
