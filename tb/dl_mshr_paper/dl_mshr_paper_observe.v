// SPDX-License-Identifier: Apache-2.0
// Observer of dl_mshr_paper: the block with the st_ ports, for verification.
`default_nettype none

module dl_mshr_paper_observe #(
    parameter SETS = 128,
    parameter SLOTS = 2,
    parameter ADDR_W = 25,
    parameter PAYLOAD_W = 16,
    parameter RESERVED_HEADS = SETS / 2,
    parameter TAIL = 2,
    parameter GATE = 1,
    parameter EARLY_FREE = 0
) (
    input  wire                                       clk,
    input  wire                                       rst,
    input  wire                                       req_valid,
    input  wire [ADDR_W-1:0]                          req_addr,
    input  wire [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0] req_payload,
    output wire                                       req_ready,
    output wire [1:0]                                 req_refuse,
    output wire                                       req_primary,
    output wire [$clog2(SETS)-1:0]                    req_head,
    output wire [$clog2(SETS*SLOTS)-1:0]              req_slot,
    input  wire                                       ret_valid,
    input  wire [$clog2(SETS)-1:0]                    ret_head,
    output wire                                       ret_ready,
    output wire                                       rsp_valid,
    input  wire                                       rsp_ready,
    output wire                                       rsp_last,
    output wire [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0] rsp_payload,
    output wire [$clog2(SETS*SLOTS)-1:0]              rsp_slot,
    output wire                                       err,
    output wire [$clog2(SETS+1)-1:0]                  st_free_heads,
    output wire [$clog2(SETS+1)-1:0]                  st_free_shared,
    output wire [4*SETS-1:0]                          st_state
);
    dl_mshr_paper #(
        .SETS          (SETS),
        .SLOTS         (SLOTS),
        .ADDR_W        (ADDR_W),
        .PAYLOAD_W     (PAYLOAD_W),
        .RESERVED_HEADS(RESERVED_HEADS),
        .TAIL          (TAIL),
        .GATE          (GATE),
        .EARLY_FREE    (EARLY_FREE)
    ) u_block (
        .clk        (clk),
        .rst        (rst),
        .req_valid  (req_valid),
        .req_addr   (req_addr),
        .req_payload(req_payload),
        .req_ready  (req_ready),
        .req_refuse (req_refuse),
        .req_primary(req_primary),
        .req_head   (req_head),
        .req_slot   (req_slot),
        .ret_valid  (ret_valid),
        .ret_head   (ret_head),
        .ret_ready  (ret_ready),
        .rsp_valid  (rsp_valid),
        .rsp_ready  (rsp_ready),
        .rsp_last   (rsp_last),
        .rsp_payload(rsp_payload),
        .rsp_slot   (rsp_slot),
        .err        (err)
    );

`ifdef YOSYS
    localparam CNT_W = $clog2(SETS + 1);
    (* hierconn *) wire [CNT_W-1:0] \u_block.u_dau.u_free.u_heads.count ;
    (* hierconn *) wire [CNT_W-1:0] \u_block.u_dau.u_free.free_shared ;
    (* hierconn *) wire [4*SETS-1:0] \u_block.u_dau.states ;
`endif
    assign st_free_heads  = u_block.u_dau.u_free.u_heads.count;
    assign st_free_shared = u_block.u_dau.u_free.free_shared;
    assign st_state       = u_block.u_dau.states;
endmodule

`default_nettype wire
