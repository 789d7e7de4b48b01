// SPDX-License-Identifier: Apache-2.0
// The ports of bpg as an interface. Made by `make cores` from the port list.
interface bpg_if #(
    // bits of a line number, 1..48
    parameter ADDR_W = 40,
    // bits of a user's number, 1..8
    parameter ID_W = 5,
    // calculators of Adjusted Hits, 1..16
    parameter CALCULATORS = 8
) (
    input logic clk,
    input logic rst
);
    // A design need not read every output.
    /* verilator lint_off UNUSEDSIGNAL */
    logic launch;
    logic cube_valid;
    logic [(CALCULATORS < 2 ? 1 : $clog2(CALCULATORS))-1:0] cube_index;
    logic [16:0] cube_value;
    logic [ID_W-1:0] ask_id;
    logic ask_past;
    logic [$clog2(CALCULATORS+1)-1:0] lmax;
    logic update;
    logic acc_valid;
    logic [2:0] acc_op;
    logic [ADDR_W-1:0] acc_addr;
    logic [ID_W-1:0] acc_id;
    logic fail;
    /* verilator lint_on UNUSEDSIGNAL */

    // the block, what drives it, what looks on
    modport block (
        input clk, rst,
        input launch, cube_valid, cube_index, cube_value, ask_id, acc_valid, acc_op, acc_addr, acc_id, fail,
        output ask_past, lmax, update
    );
    modport user (
        input clk, rst,
        output launch, cube_valid, cube_index, cube_value, ask_id, acc_valid, acc_op, acc_addr, acc_id, fail,
        input ask_past, lmax, update
    );
    modport monitor (
        input clk, rst, launch, cube_valid, cube_index, cube_value, ask_id, acc_valid, acc_op, acc_addr, acc_id, fail, ask_past, lmax, update
    );
endinterface
