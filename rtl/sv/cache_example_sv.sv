// SPDX-License-Identifier: Apache-2.0
// cache_example behind its interface. Made by `make cores` from the port list.
module cache_example_sv #(
    // bytes of a line, 32, 64 or 128
    parameter LINE_BYTES = 64,
    // sets, 2..256, a power of two
    parameter SETS = 64,
    // ways of a set, 1..8
    parameter WAYS = 4,
    // bits of a word: of a request, and of a beat; 64, 128 or 256
    parameter DATA_W = 128,
    // bits of an address in bytes, 16..48
    parameter ADDR_W = 32,
    // bits of a requester's id, 1..16
    parameter ID_W = 8,
    // slot sets of the MSHR, the most fetches in flight, 2..64
    parameter MSHR_SETS = 16,
    // slots of a slot set, 1..16
    parameter MSHR_SLOTS = 2,
    // most dirty lines on their way to memory, 1..8
    parameter EVICTS = 2
) (
    cache_example_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.DATA_W != DATA_W) $error("cache_example_sv: DATA_W is %0d, and %0d in its interface", DATA_W, bus.DATA_W);
    if (bus.ADDR_W != ADDR_W) $error("cache_example_sv: ADDR_W is %0d, and %0d in its interface", ADDR_W, bus.ADDR_W);
    if (bus.ID_W != ID_W) $error("cache_example_sv: ID_W is %0d, and %0d in its interface", ID_W, bus.ID_W);
    if (bus.MSHR_SETS != MSHR_SETS) $error("cache_example_sv: MSHR_SETS is %0d, and %0d in its interface", MSHR_SETS, bus.MSHR_SETS);
`endif
    cache_example_bare #(
        .LINE_BYTES(LINE_BYTES),
        .SETS(SETS),
        .WAYS(WAYS),
        .DATA_W(DATA_W),
        .ADDR_W(ADDR_W),
        .ID_W(ID_W),
        .MSHR_SETS(MSHR_SETS),
        .MSHR_SLOTS(MSHR_SLOTS),
        .EVICTS(EVICTS)
    ) u_bare (
        .clk(bus.clk),
        .rst(bus.rst),
        .req_valid(bus.req_valid),
        .req_ready(bus.req_ready),
        .req_addr(bus.req_addr),
        .req_write(bus.req_write),
        .req_id(bus.req_id),
        .req_data(bus.req_data),
        .req_mask(bus.req_mask),
        .rsp_valid(bus.rsp_valid),
        .rsp_ready(bus.rsp_ready),
        .rsp_id(bus.rsp_id),
        .rsp_write(bus.rsp_write),
        .rsp_err(bus.rsp_err),
        .rsp_data(bus.rsp_data),
        .m_arvalid(bus.m_arvalid),
        .m_arready(bus.m_arready),
        .m_arid(bus.m_arid),
        .m_araddr(bus.m_araddr),
        .m_arlen(bus.m_arlen),
        .m_arsize(bus.m_arsize),
        .m_arburst(bus.m_arburst),
        .m_rvalid(bus.m_rvalid),
        .m_rready(bus.m_rready),
        .m_rid(bus.m_rid),
        .m_rdata(bus.m_rdata),
        .m_rresp(bus.m_rresp),
        .m_rlast(bus.m_rlast),
        .m_awvalid(bus.m_awvalid),
        .m_awready(bus.m_awready),
        .m_awaddr(bus.m_awaddr),
        .m_awlen(bus.m_awlen),
        .m_awsize(bus.m_awsize),
        .m_awburst(bus.m_awburst),
        .m_wvalid(bus.m_wvalid),
        .m_wready(bus.m_wready),
        .m_wdata(bus.m_wdata),
        .m_wstrb(bus.m_wstrb),
        .m_wlast(bus.m_wlast),
        .m_bvalid(bus.m_bvalid),
        .m_bready(bus.m_bready),
        .m_bresp(bus.m_bresp),
        .fail(bus.fail),
        .fail_addr(bus.fail_addr),
        .err(bus.err)
    );
endmodule
