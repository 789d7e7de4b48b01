// SPDX-License-Identifier: Apache-2.0
// The ports of addr_hash as an interface. Made by `make cores` from the port list.
interface addr_hash_if #(
    // bits of a line number, 1..48
    parameter ADDR_W = 40,
    // sets of the L1D, 1..4096, a power of two
    parameter SETS = 32,
    // memory partitions, 1..256
    parameter PARTITIONS = 16
) (
    input logic clk,
    input logic rst
);
    // A design need not read every output.
    /* verilator lint_off UNUSEDSIGNAL */
    logic acc_valid;
    logic [ADDR_W-1:0] acc_line;
    logic out_valid;
    logic [(SETS < 2 ? 1 : $clog2(SETS))-1:0] out_set;
    logic [(PARTITIONS < 2 ? 1 : $clog2(PARTITIONS))-1:0] out_part;
    logic [ADDR_W-1:0] out_rest;
    /* verilator lint_on UNUSEDSIGNAL */

    // the block, what drives it, what looks on
    modport block (
        input clk, rst,
        input acc_valid, acc_line,
        output out_valid, out_set, out_part, out_rest
    );
    modport user (
        input clk, rst,
        output acc_valid, acc_line,
        input out_valid, out_set, out_part, out_rest
    );
    modport monitor (
        input clk, rst, acc_valid, acc_line, out_valid, out_set, out_part, out_rest
    );
endinterface
