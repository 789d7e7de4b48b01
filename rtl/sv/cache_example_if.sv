// SPDX-License-Identifier: Apache-2.0
// The ports of cache_example as an interface. Made by `make cores` from the port list.
interface cache_example_if #(
    // bits of a word: of a request, and of a beat; 64, 128 or 256
    parameter DATA_W = 128,
    // bits of an address in bytes, 16..48
    parameter ADDR_W = 32,
    // bits of a requester's id, 1..16
    parameter ID_W = 8,
    // slot sets of the MSHR, the most fetches in flight, 2..64
    parameter MSHR_SETS = 16
) (
    input logic clk,
    input logic rst
);
    // A design need not read every output.
    /* verilator lint_off UNUSEDSIGNAL */
    logic req_valid;
    logic req_ready;
    logic [ADDR_W-1:0] req_addr;
    logic req_write;
    logic [ID_W-1:0] req_id;
    logic [DATA_W-1:0] req_data;
    logic [(DATA_W/8)-1:0] req_mask;
    logic rsp_valid;
    logic rsp_ready;
    logic [ID_W-1:0] rsp_id;
    logic rsp_write;
    logic rsp_err;
    logic [DATA_W-1:0] rsp_data;
    logic m_arvalid;
    logic m_arready;
    logic [$clog2(MSHR_SETS)-1:0] m_arid;
    logic [ADDR_W-1:0] m_araddr;
    logic [7:0] m_arlen;
    logic [2:0] m_arsize;
    logic [1:0] m_arburst;
    logic m_rvalid;
    logic m_rready;
    logic [$clog2(MSHR_SETS)-1:0] m_rid;
    logic [DATA_W-1:0] m_rdata;
    logic [1:0] m_rresp;
    logic m_rlast;
    logic m_awvalid;
    logic m_awready;
    logic [ADDR_W-1:0] m_awaddr;
    logic [7:0] m_awlen;
    logic [2:0] m_awsize;
    logic [1:0] m_awburst;
    logic m_wvalid;
    logic m_wready;
    logic [DATA_W-1:0] m_wdata;
    logic [(DATA_W/8)-1:0] m_wstrb;
    logic m_wlast;
    logic m_bvalid;
    logic m_bready;
    logic [1:0] m_bresp;
    logic fail;
    logic [ADDR_W-1:0] fail_addr;
    logic [1:0] err;
    /* verilator lint_on UNUSEDSIGNAL */

    // the block, what drives it, what looks on
    modport block (
        input clk, rst,
        input req_valid, req_addr, req_write, req_id, req_data, req_mask, rsp_ready, m_arready, m_rvalid, m_rid, m_rdata, m_rresp, m_rlast, m_awready, m_wready, m_bvalid, m_bresp,
        output req_ready, rsp_valid, rsp_id, rsp_write, rsp_err, rsp_data, m_arvalid, m_arid, m_araddr, m_arlen, m_arsize, m_arburst, m_rready, m_awvalid, m_awaddr, m_awlen, m_awsize, m_awburst, m_wvalid, m_wdata, m_wstrb, m_wlast, m_bready, fail, fail_addr, err
    );
    modport user (
        input clk, rst,
        output req_valid, req_addr, req_write, req_id, req_data, req_mask, rsp_ready, m_arready, m_rvalid, m_rid, m_rdata, m_rresp, m_rlast, m_awready, m_wready, m_bvalid, m_bresp,
        input req_ready, rsp_valid, rsp_id, rsp_write, rsp_err, rsp_data, m_arvalid, m_arid, m_araddr, m_arlen, m_arsize, m_arburst, m_rready, m_awvalid, m_awaddr, m_awlen, m_awsize, m_awburst, m_wvalid, m_wdata, m_wstrb, m_wlast, m_bready, fail, fail_addr, err
    );
    modport monitor (
        input clk, rst, req_valid, req_addr, req_write, req_id, req_data, req_mask, rsp_ready, m_arready, m_rvalid, m_rid, m_rdata, m_rresp, m_rlast, m_awready, m_wready, m_bvalid, m_bresp, req_ready, rsp_valid, rsp_id, rsp_write, rsp_err, rsp_data, m_arvalid, m_arid, m_araddr, m_arlen, m_arsize, m_arburst, m_rready, m_awvalid, m_awaddr, m_awlen, m_awsize, m_awburst, m_wvalid, m_wdata, m_wstrb, m_wlast, m_bready, fail, fail_addr, err
    );
endinterface
