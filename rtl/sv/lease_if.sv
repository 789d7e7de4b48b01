// SPDX-License-Identifier: Apache-2.0
// The ports of lease as an interface. Made by `make cores` from the port list.
interface lease_if #(
    // accesses in a cycle, 1..32
    parameter LANES = 1,
    // blocks that are sampled in a window, 1..32
    parameter ENTRIES = 16,
    // bits of a block's number, 2..20
    parameter BLOCK_W = 16,
    // pages of a block, 2..32, a power of two
    parameter PAGES = 16,
    // groups of pages, 1..64
    parameter GROUPS = 32,
    // bits of a lease, 2..16
    parameter LIFE_W = 10
) (
    input logic clk,
    input logic rst
);
    // A design need not read every output.
    /* verilator lint_off UNUSEDSIGNAL */
    logic quota_valid;
    logic [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] quota_group;
    logic [$clog2(ENTRIES+1)-1:0] quota;
    logic [LANES-1:0] acc_valid;
    logic [(LANES*BLOCK_W)-1:0] acc_block;
    logic [(LANES*$clog2(PAGES))-1:0] acc_page;
    logic [(LANES*(GROUPS < 2 ? 1 : $clog2(GROUPS)))-1:0] acc_group;
    logic upd_valid;
    logic [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] upd_group;
    logic [LIFE_W-1:0] upd_lease;
    logic duty;
    /* verilator lint_on UNUSEDSIGNAL */

    // the block, what drives it, what looks on
    modport block (
        input clk, rst,
        input quota_valid, quota_group, quota, acc_valid, acc_block, acc_page, acc_group,
        output upd_valid, upd_group, upd_lease, duty
    );
    modport user (
        input clk, rst,
        output quota_valid, quota_group, quota, acc_valid, acc_block, acc_page, acc_group,
        input upd_valid, upd_group, upd_lease, duty
    );
    modport monitor (
        input clk, rst, quota_valid, quota_group, quota, acc_valid, acc_block, acc_page, acc_group, upd_valid, upd_group, upd_lease, duty
    );
endinterface
