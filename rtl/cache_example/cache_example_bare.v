// SPDX-License-Identifier: Apache-2.0
// cache_example without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.
`default_nettype none

module cache_example_bare #(
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
    input  wire clk,
    input  wire rst,
    input  wire req_valid,
    output wire req_ready,
    input  wire [ADDR_W-1:0] req_addr,
    input  wire req_write,
    input  wire [ID_W-1:0] req_id,
    input  wire [DATA_W-1:0] req_data,
    input  wire [(DATA_W/8)-1:0] req_mask,
    output wire rsp_valid,
    input  wire rsp_ready,
    output wire [ID_W-1:0] rsp_id,
    output wire rsp_write,
    output wire rsp_err,
    output wire [DATA_W-1:0] rsp_data,
    output wire m_arvalid,
    input  wire m_arready,
    output wire [$clog2(MSHR_SETS)-1:0] m_arid,
    output wire [ADDR_W-1:0] m_araddr,
    output wire [7:0] m_arlen,
    output wire [2:0] m_arsize,
    output wire [1:0] m_arburst,
    input  wire m_rvalid,
    output wire m_rready,
    input  wire [$clog2(MSHR_SETS)-1:0] m_rid,
    input  wire [DATA_W-1:0] m_rdata,
    input  wire [1:0] m_rresp,
    input  wire m_rlast,
    output wire m_awvalid,
    input  wire m_awready,
    output wire [ADDR_W-1:0] m_awaddr,
    output wire [7:0] m_awlen,
    output wire [2:0] m_awsize,
    output wire [1:0] m_awburst,
    output wire m_wvalid,
    input  wire m_wready,
    output wire [DATA_W-1:0] m_wdata,
    output wire [(DATA_W/8)-1:0] m_wstrb,
    output wire m_wlast,
    input  wire m_bvalid,
    output wire m_bready,
    input  wire [1:0] m_bresp,
    output wire fail,
    output wire [ADDR_W-1:0] fail_addr,
    output wire [1:0] err
);
    wire [3:0] st_wait;
    wire unused_state = &{1'b0, st_wait};

    cache_example #(
        .LINE_BYTES(LINE_BYTES),
        .SETS(SETS),
        .WAYS(WAYS),
        .DATA_W(DATA_W),
        .ADDR_W(ADDR_W),
        .ID_W(ID_W),
        .MSHR_SETS(MSHR_SETS),
        .MSHR_SLOTS(MSHR_SLOTS),
        .EVICTS(EVICTS),
        .OBSERVE(0)
    ) u_block (
        .clk(clk),
        .rst(rst),
        .req_valid(req_valid),
        .req_ready(req_ready),
        .req_addr(req_addr),
        .req_write(req_write),
        .req_id(req_id),
        .req_data(req_data),
        .req_mask(req_mask),
        .rsp_valid(rsp_valid),
        .rsp_ready(rsp_ready),
        .rsp_id(rsp_id),
        .rsp_write(rsp_write),
        .rsp_err(rsp_err),
        .rsp_data(rsp_data),
        .m_arvalid(m_arvalid),
        .m_arready(m_arready),
        .m_arid(m_arid),
        .m_araddr(m_araddr),
        .m_arlen(m_arlen),
        .m_arsize(m_arsize),
        .m_arburst(m_arburst),
        .m_rvalid(m_rvalid),
        .m_rready(m_rready),
        .m_rid(m_rid),
        .m_rdata(m_rdata),
        .m_rresp(m_rresp),
        .m_rlast(m_rlast),
        .m_awvalid(m_awvalid),
        .m_awready(m_awready),
        .m_awaddr(m_awaddr),
        .m_awlen(m_awlen),
        .m_awsize(m_awsize),
        .m_awburst(m_awburst),
        .m_wvalid(m_wvalid),
        .m_wready(m_wready),
        .m_wdata(m_wdata),
        .m_wstrb(m_wstrb),
        .m_wlast(m_wlast),
        .m_bvalid(m_bvalid),
        .m_bready(m_bready),
        .m_bresp(m_bresp),
        .fail(fail),
        .fail_addr(fail_addr),
        .err(err),
        .st_wait(st_wait)
    );
endmodule

`default_nettype wire
