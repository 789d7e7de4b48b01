// SPDX-License-Identifier: Apache-2.0
// The ports of dl_mshr as an interface. Made by `make cores` from the port list.
interface dl_mshr_if #(
    // slot sets, 2..256
    parameter SETS = 64,
    // slots of a set, 1..64
    parameter SLOTS = 4,
    // bits of a block address, 1..48
    parameter ADDR_W = 25,
    // bits of the offset in a block, 1..16
    parameter OFF_W = 7,
    // bits of a requester id, 1..32
    parameter ID_W = 8,
    // bits of write data a slot, 0 for none, or a multiple of 8 up to 1024
    parameter DATA_W = 0,
    // bits of payload a slot, which leave as they came; 0 for none, up to 512
    parameter PAYLOAD_W = 0
) (
    input logic clk,
    input logic rst
);
    // A design need not read every output.
    /* verilator lint_off UNUSEDSIGNAL */
    logic look;
    logic [ADDR_W-1:0] look_addr;
    logic req_valid;
    logic [ADDR_W-1:0] req_addr;
    logic [OFF_W-1:0] req_off;
    logic [ID_W-1:0] req_id;
    logic req_write;
    logic [(DATA_W > 0 ? DATA_W : 1)-1:0] req_data;
    logic [(DATA_W >= 8 ? DATA_W/8 : 1)-1:0] req_mask;
    logic [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0] req_payload;
    logic req_ready;
    logic [1:0] req_refuse;
    logic req_primary;
    logic [$clog2(SETS)-1:0] req_head;
    logic [($clog2(SETS*SLOTS))-1:0] req_slot;
    logic ret_valid;
    logic [$clog2(SETS)-1:0] ret_head;
    logic ret_ready;
    logic rsp_valid;
    logic rsp_ready;
    logic rsp_last;
    logic [OFF_W-1:0] rsp_off;
    logic [ID_W-1:0] rsp_id;
    logic rsp_write;
    logic [(DATA_W > 0 ? DATA_W : 1)-1:0] rsp_data;
    logic [(DATA_W >= 8 ? DATA_W/8 : 1)-1:0] rsp_mask;
    logic [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0] rsp_payload;
    logic [($clog2(SETS*SLOTS))-1:0] rsp_slot;
    logic [ADDR_W-1:0] rsp_addr;
    logic [1:0] err;
    /* verilator lint_on UNUSEDSIGNAL */

    // the block, what drives it, what looks on
    modport block (
        input clk, rst,
        input look, look_addr, req_valid, req_addr, req_off, req_id, req_write, req_data, req_mask, req_payload, ret_valid, ret_head, rsp_ready,
        output req_ready, req_refuse, req_primary, req_head, req_slot, ret_ready, rsp_valid, rsp_last, rsp_off, rsp_id, rsp_write, rsp_data, rsp_mask, rsp_payload, rsp_slot, rsp_addr, err
    );
    modport user (
        input clk, rst,
        output look, look_addr, req_valid, req_addr, req_off, req_id, req_write, req_data, req_mask, req_payload, ret_valid, ret_head, rsp_ready,
        input req_ready, req_refuse, req_primary, req_head, req_slot, ret_ready, rsp_valid, rsp_last, rsp_off, rsp_id, rsp_write, rsp_data, rsp_mask, rsp_payload, rsp_slot, rsp_addr, err
    );
    modport monitor (
        input clk, rst, look, look_addr, req_valid, req_addr, req_off, req_id, req_write, req_data, req_mask, req_payload, ret_valid, ret_head, rsp_ready, req_ready, req_refuse, req_primary, req_head, req_slot, ret_ready, rsp_valid, rsp_last, rsp_off, rsp_id, rsp_write, rsp_data, rsp_mask, rsp_payload, rsp_slot, rsp_addr, err
    );
endinterface
