// SPDX-License-Identifier: Apache-2.0
// dl_mshr without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.
`default_nettype none

module dl_mshr_bare #(
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
    parameter PAYLOAD_W = 0,
    // 1: rsp_addr is the block address of the response, 0: it is 0; 0, 1
    parameter ADDR_OUT = 0,
    // sets that have an address and can be heads, 2..SETS; below SETS the others can only be attached, and a lookup takes two cycles; SETS: the block of the paper
    parameter HEADS = SETS < 4 ? 2 : SETS * 5 / 8,
    // cycles of a lookup: 1, or with HEADS below SETS 2
    parameter LOOKUP = HEADS < SETS ? 2 : 1,
    // sets 0..RESERVED_HEADS-1 may only be heads; 0..SETS-1; with HEADS below SETS that number
    parameter RESERVED_HEADS = HEADS < SETS ? HEADS : SETS / 2,
    // how the tail is found: 0 walk, 1 pointer in the head, 2 ring
    parameter TAIL = 2,
    // 1: a comparator sees the request only where its set can match; 0, 1
    parameter GATE = 1,
    // 1: a set is free as it empties, 0: all sets of a super-entry together
    parameter EARLY_FREE = 0
) (
    input  wire clk,
    input  wire rst,
    input  wire look,
    input  wire [ADDR_W-1:0] look_addr,
    input  wire req_valid,
    input  wire [ADDR_W-1:0] req_addr,
    input  wire [OFF_W-1:0] req_off,
    input  wire [ID_W-1:0] req_id,
    input  wire req_write,
    input  wire [(DATA_W > 0 ? DATA_W : 1)-1:0] req_data,
    input  wire [(DATA_W >= 8 ? DATA_W/8 : 1)-1:0] req_mask,
    input  wire [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0] req_payload,
    output wire req_ready,
    output wire [1:0] req_refuse,
    output wire req_primary,
    output wire [$clog2(SETS)-1:0] req_head,
    output wire [($clog2(SETS*SLOTS))-1:0] req_slot,
    input  wire ret_valid,
    input  wire [$clog2(SETS)-1:0] ret_head,
    output wire ret_ready,
    output wire rsp_valid,
    input  wire rsp_ready,
    output wire rsp_last,
    output wire [OFF_W-1:0] rsp_off,
    output wire [ID_W-1:0] rsp_id,
    output wire rsp_write,
    output wire [(DATA_W > 0 ? DATA_W : 1)-1:0] rsp_data,
    output wire [(DATA_W >= 8 ? DATA_W/8 : 1)-1:0] rsp_mask,
    output wire [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0] rsp_payload,
    output wire [($clog2(SETS*SLOTS))-1:0] rsp_slot,
    output wire [ADDR_W-1:0] rsp_addr,
    output wire [1:0] err
);
    wire [$clog2(SETS+1)-1:0] st_free_heads;
    wire [$clog2(SETS+1)-1:0] st_free_shared;
    wire [(4*SETS)-1:0] st_state;
    wire unused_state = &{1'b0, st_free_heads, st_free_shared, st_state};

    dl_mshr #(
        .SETS(SETS),
        .SLOTS(SLOTS),
        .ADDR_W(ADDR_W),
        .OFF_W(OFF_W),
        .ID_W(ID_W),
        .DATA_W(DATA_W),
        .PAYLOAD_W(PAYLOAD_W),
        .ADDR_OUT(ADDR_OUT),
        .HEADS(HEADS),
        .LOOKUP(LOOKUP),
        .RESERVED_HEADS(RESERVED_HEADS),
        .TAIL(TAIL),
        .GATE(GATE),
        .EARLY_FREE(EARLY_FREE),
        .OBSERVE(0)
    ) u_block (
        .clk(clk),
        .rst(rst),
        .look(look),
        .look_addr(look_addr),
        .req_valid(req_valid),
        .req_addr(req_addr),
        .req_off(req_off),
        .req_id(req_id),
        .req_write(req_write),
        .req_data(req_data),
        .req_mask(req_mask),
        .req_payload(req_payload),
        .req_ready(req_ready),
        .req_refuse(req_refuse),
        .req_primary(req_primary),
        .req_head(req_head),
        .req_slot(req_slot),
        .ret_valid(ret_valid),
        .ret_head(ret_head),
        .ret_ready(ret_ready),
        .rsp_valid(rsp_valid),
        .rsp_ready(rsp_ready),
        .rsp_last(rsp_last),
        .rsp_off(rsp_off),
        .rsp_id(rsp_id),
        .rsp_write(rsp_write),
        .rsp_data(rsp_data),
        .rsp_mask(rsp_mask),
        .rsp_payload(rsp_payload),
        .rsp_slot(rsp_slot),
        .rsp_addr(rsp_addr),
        .err(err),
        .st_free_heads(st_free_heads),
        .st_free_shared(st_free_shared),
        .st_state(st_state)
    );
endmodule

`default_nettype wire
