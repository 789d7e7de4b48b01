// SPDX-License-Identifier: Apache-2.0
// Port assertions of cache_example: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/cache_example.rules.
module cache_example_checks #(
    // bits of a word: of a request, and of a beat; 64, 128 or 256
    parameter DATA_W = 128,
    // bits of an address in bytes, 16..48
    parameter ADDR_W = 32,
    // bits of a requester's id, 1..16
    parameter ID_W = 8,
    // slot sets of the MSHR, the most fetches in flight, 2..64
    parameter MSHR_SETS = 16
) (
    input  logic clk,
    input  logic rst,
    input  logic req_valid,
    input  logic req_ready,
    input  logic [ADDR_W-1:0] req_addr,
    input  logic req_write,
    input  logic [ID_W-1:0] req_id,
    input  logic [DATA_W-1:0] req_data,
    input  logic [(DATA_W/8)-1:0] req_mask,
    input  logic rsp_valid,
    input  logic rsp_ready,
    input  logic [ID_W-1:0] rsp_id,
    input  logic rsp_write,
    input  logic rsp_err,
    input  logic [DATA_W-1:0] rsp_data,
    input  logic m_arvalid,
    input  logic m_arready,
    input  logic [$clog2(MSHR_SETS)-1:0] m_arid,
    input  logic [ADDR_W-1:0] m_araddr,
    input  logic [7:0] m_arlen,
    input  logic [2:0] m_arsize,
    input  logic [1:0] m_arburst,
    input  logic m_rvalid,
    input  logic m_rready,
    input  logic [$clog2(MSHR_SETS)-1:0] m_rid,
    input  logic [DATA_W-1:0] m_rdata,
    input  logic [1:0] m_rresp,
    input  logic m_rlast,
    input  logic m_awvalid,
    input  logic m_awready,
    input  logic [ADDR_W-1:0] m_awaddr,
    input  logic [7:0] m_awlen,
    input  logic [2:0] m_awsize,
    input  logic [1:0] m_awburst,
    input  logic m_wvalid,
    input  logic m_wready,
    input  logic [DATA_W-1:0] m_wdata,
    input  logic [(DATA_W/8)-1:0] m_wstrb,
    input  logic m_wlast,
    input  logic m_bvalid,
    input  logic m_bready,
    input  logic [1:0] m_bresp,
    input  logic fail,
    input  logic [ADDR_W-1:0] fail_addr,
    input  logic [1:0] err
);
    // From the first reset on, but in cycles of reset.
    logic seen_reset = 1'b0;
    always @(posedge clk) if (rst) seen_reset <= 1'b1;
    wire on = seen_reset && !rst;


    // ---- what the user owes the block
    owed_known_req_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(req_valid)))
        else $error("cache_example: owed_known_req_valid: req_valid is known in every cycle");
    owed_known_req_addr:
        assert property (@(posedge clk) on && (req_valid) |-> (!$isunknown(req_addr)))
        else $error("cache_example: owed_known_req_addr: req_addr is known where it means something");
    owed_known_req_write:
        assert property (@(posedge clk) on && (req_valid) |-> (!$isunknown(req_write)))
        else $error("cache_example: owed_known_req_write: req_write is known where it means something");
    owed_known_req_id:
        assert property (@(posedge clk) on && (req_valid) |-> (!$isunknown(req_id)))
        else $error("cache_example: owed_known_req_id: req_id is known where it means something");
    owed_known_req_data:
        assert property (@(posedge clk) on && (req_valid && req_write) |-> (!$isunknown(req_data)))
        else $error("cache_example: owed_known_req_data: req_data is known where it means something");
    owed_known_req_mask:
        assert property (@(posedge clk) on && (req_valid && req_write) |-> (!$isunknown(req_mask)))
        else $error("cache_example: owed_known_req_mask: req_mask is known where it means something");
    owed_known_rsp_ready:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_ready)))
        else $error("cache_example: owed_known_rsp_ready: rsp_ready is known where it means something");
    owed_known_m_arready:
        assert property (@(posedge clk) on && (m_arvalid) |-> (!$isunknown(m_arready)))
        else $error("cache_example: owed_known_m_arready: m_arready is known where it means something");
    owed_known_m_rvalid:
        assert property (@(posedge clk) on |-> (!$isunknown(m_rvalid)))
        else $error("cache_example: owed_known_m_rvalid: m_rvalid is known in every cycle");
    owed_known_m_rid:
        assert property (@(posedge clk) on && (m_rvalid) |-> (!$isunknown(m_rid)))
        else $error("cache_example: owed_known_m_rid: m_rid is known where it means something");
    owed_known_m_rdata:
        assert property (@(posedge clk) on && (m_rvalid) |-> (!$isunknown(m_rdata)))
        else $error("cache_example: owed_known_m_rdata: m_rdata is known where it means something");
    owed_known_m_rresp:
        assert property (@(posedge clk) on && (m_rvalid) |-> (!$isunknown(m_rresp)))
        else $error("cache_example: owed_known_m_rresp: m_rresp is known where it means something");
    owed_known_m_rlast:
        assert property (@(posedge clk) on && (m_rvalid) |-> (!$isunknown(m_rlast)))
        else $error("cache_example: owed_known_m_rlast: m_rlast is known where it means something");
    owed_known_m_awready:
        assert property (@(posedge clk) on && (m_awvalid) |-> (!$isunknown(m_awready)))
        else $error("cache_example: owed_known_m_awready: m_awready is known where it means something");
    owed_known_m_wready:
        assert property (@(posedge clk) on && (m_wvalid) |-> (!$isunknown(m_wready)))
        else $error("cache_example: owed_known_m_wready: m_wready is known where it means something");
    owed_known_m_bvalid:
        assert property (@(posedge clk) on |-> (!$isunknown(m_bvalid)))
        else $error("cache_example: owed_known_m_bvalid: m_bvalid is known in every cycle");
    owed_known_m_bresp:
        assert property (@(posedge clk) on && (m_bvalid) |-> (!$isunknown(m_bresp)))
        else $error("cache_example: owed_known_m_bresp: m_bresp is known where it means something");

    // ---- what the block keeps
    check_known_req_ready:
        assert property (@(posedge clk) on |-> (!$isunknown(req_ready)))
        else $error("cache_example: check_known_req_ready: req_ready is known");
    check_known_rsp_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(rsp_valid)))
        else $error("cache_example: check_known_rsp_valid: rsp_valid is known");
    check_known_rsp_id:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_id)))
        else $error("cache_example: check_known_rsp_id: rsp_id is known where it means something");
    check_known_rsp_write:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_write)))
        else $error("cache_example: check_known_rsp_write: rsp_write is known where it means something");
    check_known_rsp_err:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_err)))
        else $error("cache_example: check_known_rsp_err: rsp_err is known where it means something");
    check_known_rsp_data:
        assert property (@(posedge clk) on && (rsp_valid && !rsp_write && !rsp_err) |-> (!$isunknown(rsp_data)))
        else $error("cache_example: check_known_rsp_data: rsp_data is known where it means something");
    check_known_m_arvalid:
        assert property (@(posedge clk) on |-> (!$isunknown(m_arvalid)))
        else $error("cache_example: check_known_m_arvalid: m_arvalid is known");
    check_known_m_arid:
        assert property (@(posedge clk) on && (m_arvalid) |-> (!$isunknown(m_arid)))
        else $error("cache_example: check_known_m_arid: m_arid is known where it means something");
    check_known_m_araddr:
        assert property (@(posedge clk) on && (m_arvalid) |-> (!$isunknown(m_araddr)))
        else $error("cache_example: check_known_m_araddr: m_araddr is known where it means something");
    check_known_m_arlen:
        assert property (@(posedge clk) on |-> (!$isunknown(m_arlen)))
        else $error("cache_example: check_known_m_arlen: m_arlen is known");
    check_known_m_arsize:
        assert property (@(posedge clk) on |-> (!$isunknown(m_arsize)))
        else $error("cache_example: check_known_m_arsize: m_arsize is known");
    check_known_m_arburst:
        assert property (@(posedge clk) on |-> (!$isunknown(m_arburst)))
        else $error("cache_example: check_known_m_arburst: m_arburst is known");
    check_known_m_rready:
        assert property (@(posedge clk) on |-> (!$isunknown(m_rready)))
        else $error("cache_example: check_known_m_rready: m_rready is known");
    check_known_m_awvalid:
        assert property (@(posedge clk) on |-> (!$isunknown(m_awvalid)))
        else $error("cache_example: check_known_m_awvalid: m_awvalid is known");
    check_known_m_awaddr:
        assert property (@(posedge clk) on && (m_awvalid) |-> (!$isunknown(m_awaddr)))
        else $error("cache_example: check_known_m_awaddr: m_awaddr is known where it means something");
    check_known_m_awlen:
        assert property (@(posedge clk) on |-> (!$isunknown(m_awlen)))
        else $error("cache_example: check_known_m_awlen: m_awlen is known");
    check_known_m_awsize:
        assert property (@(posedge clk) on |-> (!$isunknown(m_awsize)))
        else $error("cache_example: check_known_m_awsize: m_awsize is known");
    check_known_m_awburst:
        assert property (@(posedge clk) on |-> (!$isunknown(m_awburst)))
        else $error("cache_example: check_known_m_awburst: m_awburst is known");
    check_known_m_wvalid:
        assert property (@(posedge clk) on |-> (!$isunknown(m_wvalid)))
        else $error("cache_example: check_known_m_wvalid: m_wvalid is known");
    check_known_m_wdata:
        assert property (@(posedge clk) on && (m_wvalid) |-> (!$isunknown(m_wdata)))
        else $error("cache_example: check_known_m_wdata: m_wdata is known where it means something");
    check_known_m_wstrb:
        assert property (@(posedge clk) on |-> (!$isunknown(m_wstrb)))
        else $error("cache_example: check_known_m_wstrb: m_wstrb is known");
    check_known_m_wlast:
        assert property (@(posedge clk) on && (m_wvalid) |-> (!$isunknown(m_wlast)))
        else $error("cache_example: check_known_m_wlast: m_wlast is known where it means something");
    check_known_m_bready:
        assert property (@(posedge clk) on |-> (!$isunknown(m_bready)))
        else $error("cache_example: check_known_m_bready: m_bready is known");
    check_known_fail:
        assert property (@(posedge clk) on |-> (!$isunknown(fail)))
        else $error("cache_example: check_known_fail: fail is known");
    check_known_fail_addr:
        assert property (@(posedge clk) on && (fail) |-> (!$isunknown(fail_addr)))
        else $error("cache_example: check_known_fail_addr: fail_addr is known where it means something");
    check_known_err:
        assert property (@(posedge clk) on |-> (!$isunknown(err)))
        else $error("cache_example: check_known_err: err is known");
endmodule
