// SPDX-License-Identifier: Apache-2.0
// The ports of mil as an interface. Made by `make cores` from the port list.
interface mil_if #(
    // kernels on the SM, 1..4
    parameter KERNELS = 2,
    // warp schedulers of the SM: most memory instructions in a cycle, 1..4
    parameter SCHEDULERS = 4,
    // bits of a counter of instructions in flight, 4..10
    parameter INFLIGHT_W = 8
) (
    input logic clk,
    input logic rst
);
    // A design need not read every output.
    /* verilator lint_off UNUSEDSIGNAL */
    logic set_valid;
    logic [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] set_kernel;
    logic [INFLIGHT_W-1:0] set_limit;
    logic [KERNELS-1:0] live;
    logic [KERNELS-1:0] start;
    logic [KERNELS-1:0] want;
    logic [KERNELS-1:0] go;
    logic [(KERNELS*$clog2(SCHEDULERS+1))-1:0] room;
    logic [(KERNELS*$clog2(SCHEDULERS+1))-1:0] iss;
    logic [(KERNELS*2)-1:0] done;
    logic acc_valid;
    logic [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] acc_kernel;
    logic fail_valid;
    logic [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] fail_kernel;
    logic [(KERNELS*INFLIGHT_W)-1:0] limit;
    logic [KERNELS-1:0] update;
    logic [1:0] err;
    /* verilator lint_on UNUSEDSIGNAL */

    // the block, what drives it, what looks on
    modport block (
        input clk, rst,
        input set_valid, set_kernel, set_limit, live, start, want, iss, done, acc_valid, acc_kernel, fail_valid, fail_kernel,
        output go, room, limit, update, err
    );
    modport user (
        input clk, rst,
        output set_valid, set_kernel, set_limit, live, start, want, iss, done, acc_valid, acc_kernel, fail_valid, fail_kernel,
        input go, room, limit, update, err
    );
    modport monitor (
        input clk, rst, set_valid, set_kernel, set_limit, live, start, want, iss, done, acc_valid, acc_kernel, fail_valid, fail_kernel, go, room, limit, update, err
    );
endinterface
