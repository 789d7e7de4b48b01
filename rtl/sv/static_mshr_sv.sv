// SPDX-License-Identifier: Apache-2.0
// static_mshr behind its interface. Made by `make cores` from the port list.
module static_mshr_sv #(
    // entries, 2..256
    parameter ENTRIES = 32,
    // slots of an entry, 1..64
    parameter SLOTS = 8,
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
    // cycles of a lookup, 1 or 2
    parameter LOOKUP = 1
) (
    static_mshr_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.ENTRIES != ENTRIES) $error("static_mshr_sv: ENTRIES is %0d, and %0d in its interface", ENTRIES, bus.ENTRIES);
    if (bus.SLOTS != SLOTS) $error("static_mshr_sv: SLOTS is %0d, and %0d in its interface", SLOTS, bus.SLOTS);
    if (bus.ADDR_W != ADDR_W) $error("static_mshr_sv: ADDR_W is %0d, and %0d in its interface", ADDR_W, bus.ADDR_W);
    if (bus.OFF_W != OFF_W) $error("static_mshr_sv: OFF_W is %0d, and %0d in its interface", OFF_W, bus.OFF_W);
    if (bus.ID_W != ID_W) $error("static_mshr_sv: ID_W is %0d, and %0d in its interface", ID_W, bus.ID_W);
    if (bus.DATA_W != DATA_W) $error("static_mshr_sv: DATA_W is %0d, and %0d in its interface", DATA_W, bus.DATA_W);
    if (bus.PAYLOAD_W != PAYLOAD_W) $error("static_mshr_sv: PAYLOAD_W is %0d, and %0d in its interface", PAYLOAD_W, bus.PAYLOAD_W);
`endif
    static_mshr_bare #(
        .ENTRIES(ENTRIES),
        .SLOTS(SLOTS),
        .ADDR_W(ADDR_W),
        .OFF_W(OFF_W),
        .ID_W(ID_W),
        .DATA_W(DATA_W),
        .PAYLOAD_W(PAYLOAD_W),
        .ADDR_OUT(ADDR_OUT),
        .LOOKUP(LOOKUP)
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
