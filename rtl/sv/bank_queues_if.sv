// SPDX-License-Identifier: Apache-2.0
// The ports of bank_queues as an interface. Made by `make cores` from the port list.
interface bank_queues_if #(
    // bits of a line number within the channel, 1..48
    parameter ADDR_W = 21,
    // bits of a request ID, 1..32
    parameter ID_W = 24
) (
    input logic clk,
    input logic rst
);
    // A design need not read every output.
    /* verilator lint_off UNUSEDSIGNAL */
    logic fill_valid;
    logic [ADDR_W-1:0] fill_addr;
    logic [ID_W-1:0] fill_id;
    logic fill_ready;
    logic [1:0] fill_refuse;
    logic drain_valid;
    logic [ADDR_W-1:0] drain_addr;
    logic [ID_W-1:0] drain_id;
    logic [2:0] drain_why;
    logic drain_ready;
    /* verilator lint_on UNUSEDSIGNAL */

    // the block, what drives it, what looks on
    modport block (
        input clk, rst,
        input fill_valid, fill_addr, fill_id, drain_ready,
        output fill_ready, fill_refuse, drain_valid, drain_addr, drain_id, drain_why
    );
    modport user (
        input clk, rst,
        output fill_valid, fill_addr, fill_id, drain_ready,
        input fill_ready, fill_refuse, drain_valid, drain_addr, drain_id, drain_why
    );
    modport monitor (
        input clk, rst, fill_valid, fill_addr, fill_id, drain_ready, fill_ready, fill_refuse, drain_valid, drain_addr, drain_id, drain_why
    );
endinterface
