// SPDX-License-Identifier: Apache-2.0
// dl_mshr behind its interface. Made by `make cores` from the port list.
module dl_mshr_sv #(
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
    dl_mshr_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.SETS != SETS) $error("dl_mshr_sv: SETS is %0d, and %0d in its interface", SETS, bus.SETS);
    if (bus.SLOTS != SLOTS) $error("dl_mshr_sv: SLOTS is %0d, and %0d in its interface", SLOTS, bus.SLOTS);
    if (bus.ADDR_W != ADDR_W) $error("dl_mshr_sv: ADDR_W is %0d, and %0d in its interface", ADDR_W, bus.ADDR_W);
    if (bus.OFF_W != OFF_W) $error("dl_mshr_sv: OFF_W is %0d, and %0d in its interface", OFF_W, bus.OFF_W);
    if (bus.ID_W != ID_W) $error("dl_mshr_sv: ID_W is %0d, and %0d in its interface", ID_W, bus.ID_W);
    if (bus.DATA_W != DATA_W) $error("dl_mshr_sv: DATA_W is %0d, and %0d in its interface", DATA_W, bus.DATA_W);
    if (bus.PAYLOAD_W != PAYLOAD_W) $error("dl_mshr_sv: PAYLOAD_W is %0d, and %0d in its interface", PAYLOAD_W, bus.PAYLOAD_W);
`endif
    dl_mshr_bare #(
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
        .EARLY_FREE(EARLY_FREE)
    ) u_bare (
        .clk(bus.clk),
        .rst(bus.rst),
        .look(bus.look),
        .look_addr(bus.look_addr),
        .req_valid(bus.req_valid),
        .req_addr(bus.req_addr),
        .req_off(bus.req_off),
        .req_id(bus.req_id),
        .req_write(bus.req_write),
        .req_data(bus.req_data),
        .req_mask(bus.req_mask),
        .req_payload(bus.req_payload),
        .req_ready(bus.req_ready),
        .req_refuse(bus.req_refuse),
        .req_primary(bus.req_primary),
        .req_head(bus.req_head),
        .req_slot(bus.req_slot),
        .ret_valid(bus.ret_valid),
        .ret_head(bus.ret_head),
        .ret_ready(bus.ret_ready),
        .rsp_valid(bus.rsp_valid),
        .rsp_ready(bus.rsp_ready),
        .rsp_last(bus.rsp_last),
        .rsp_off(bus.rsp_off),
        .rsp_id(bus.rsp_id),
        .rsp_write(bus.rsp_write),
        .rsp_data(bus.rsp_data),
        .rsp_mask(bus.rsp_mask),
        .rsp_payload(bus.rsp_payload),
        .rsp_slot(bus.rsp_slot),
        .rsp_addr(bus.rsp_addr),
        .err(bus.err)
    );
endmodule
