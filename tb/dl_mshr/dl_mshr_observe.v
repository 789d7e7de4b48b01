// SPDX-License-Identifier: Apache-2.0
// Observer of dl_mshr: the block with the st_ ports, for verification.
`default_nettype none
`include "mt_reset.vh"
`include "mshr_defs.vh"

module dl_mshr_observe #(
    parameter SETS = 64,
    parameter SLOTS = 4,
    parameter ADDR_W = 25,
    parameter PAYLOAD_W = 16,
    parameter ADDR_OUT = 0,
    parameter HEADS = SETS < 4 ? 2 : SETS * 5 / 8
) (
    input  wire                                       clk,
    input  wire                                       rst,
    input  wire                                       look,
    input  wire [ADDR_W-1:0]                          look_addr,
    input  wire                                       req_valid,
    input  wire [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0] req_payload,
    output wire                                       req_ready,
    output wire [1:0]                                 req_refuse,
    output wire                                       req_primary,
    output wire [$clog2(SETS)-1:0]                    req_head,
    output wire [$clog2(SETS*SLOTS)-1:0]              req_slot,
    output wire [$clog2(SETS+1)-1:0]                  room,
    output wire                                       empty,
    input  wire                                       ret_valid,
    input  wire [$clog2(SETS)-1:0]                    ret_head,
    output wire                                       ret_ready,
    output wire [ADDR_W-1:0]                          ret_addr,
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
    dl_mshr #(
        .SETS     (SETS),
        .SLOTS    (SLOTS),
        .ADDR_W   (ADDR_W),
        .PAYLOAD_W(PAYLOAD_W),
        .ADDR_OUT (ADDR_OUT),
        .HEADS    (HEADS)
    ) u_block (
        .clk        (clk),
        .rst        (rst),
        .look       (look),
        .look_addr  (look_addr),
        .req_valid  (req_valid),
        .req_payload(req_payload),
        .req_ready  (req_ready),
        .req_refuse (req_refuse),
        .req_primary(req_primary),
        .req_head   (req_head),
        .req_slot   (req_slot),
        .room       (room),
        .empty      (empty),
        .ret_valid  (ret_valid),
        .ret_head   (ret_head),
        .ret_ready  (ret_ready),
        .ret_addr   (ret_addr),
        .rsp_valid  (rsp_valid),
        .rsp_ready  (rsp_ready),
        .rsp_last   (rsp_last),
        .rsp_payload(rsp_payload),
        .rsp_slot   (rsp_slot),
        .err        (err)
    );

    localparam SET_W = $clog2(SETS);
    localparam SLOT_W = (SLOTS < 2) ? 1 : $clog2(SLOTS);
    localparam ATTACHED_N = SETS - HEADS;
    localparam HEAD_W = $clog2(HEADS);
    localparam [SLOT_W-1:0] FULL = SLOTS[SLOT_W-1:0];

`ifdef YOSYS
    localparam CNT_W = $clog2(SETS + 1);
    (* hierconn *) wire \u_block.live ;
    (* hierconn *) wire \u_block.hit ;
    (* hierconn *) wire \u_block.linked ;
    (* hierconn *) wire \u_block.fault ;
    (* hierconn *) wire \u_block.active ;
    (* hierconn *) wire \u_block.at_head ;
    (* hierconn *) wire \u_block.to_head ;
    (* hierconn *) wire [HEAD_W-1:0] \u_block.id ;
    (* hierconn *) wire [HEAD_W-1:0] \u_block.u_heads.drain_head ;
    (* hierconn *) wire [SLOT_W-1:0] \u_block.drain_fill_low ;
    (* hierconn *) wire [HEADS-1:0] \u_block.u_heads.used ;
    (* hierconn *) wire [ATTACHED_N-1:0] \u_block.u_attached.used ;
    (* hierconn *) wire [HEADS-1:0] \u_block.u_heads.taken ;
    (* hierconn *) wire [HEADS*SLOT_W-1:0] \u_block.u_heads.fill_lows ;
    (* hierconn *) wire [ATTACHED_N-1:0] \u_block.u_attached.taken ;
    (* hierconn *) wire [ATTACHED_N-1:0] \u_block.u_attached.tail_at ;
    (* hierconn *) wire [ATTACHED_N-1:0] \u_block.u_attached.at_cur ;
    (* hierconn *) wire [ATTACHED_N-1:0] \u_block.u_attached.in_drain ;
    (* hierconn *) wire [ATTACHED_N-1:0] \u_block.u_attached.is_last ;
    (* hierconn *) wire [CNT_W-1:0] \u_block.u_room.heads_out ;
    (* hierconn *) wire [CNT_W-1:0] \u_block.u_room.attached_out ;
    (* hierconn *) wire [ATTACHED_N*HEAD_W-1:0] \u_block.u_attached.owners ;
`endif
    wire                         live           = u_block.live;
    wire                         hit            = u_block.hit;
    wire                         linked         = u_block.linked;
    wire                         fault          = u_block.fault;
    wire                         active         = u_block.active;
    wire                         at_head        = u_block.at_head;
    wire                         to_head        = u_block.to_head;
    wire [HEAD_W-1:0]            id             = u_block.id;
    wire [HEAD_W-1:0]            drain_head     = u_block.u_heads.drain_head;
    wire [SLOT_W-1:0]            drain_fill_low = u_block.drain_fill_low;
    wire [HEADS-1:0]             head_used      = u_block.u_heads.used;
    wire [ATTACHED_N-1:0]        attached_used  = u_block.u_attached.used;
    wire [HEADS-1:0]             head_taken     = u_block.u_heads.taken;
    wire [HEADS*SLOT_W-1:0]      fill_lows      = u_block.u_heads.fill_lows;
    wire [ATTACHED_N-1:0]        taken          = u_block.u_attached.taken;
    wire [ATTACHED_N-1:0]        tail_at        = u_block.u_attached.tail_at;
    wire [ATTACHED_N-1:0]        at_cur         = u_block.u_attached.at_cur;
    wire [ATTACHED_N-1:0]        in_drain       = u_block.u_attached.in_drain;
    wire [ATTACHED_N-1:0]        is_last        = u_block.u_attached.is_last;
    wire [ATTACHED_N*HEAD_W-1:0] owners         = u_block.u_attached.owners;
`include "tb/dl_mshr/dl_mshr_state.vh"

    assign st_free_heads  = u_block.u_room.heads_out;
    assign st_free_shared = u_block.u_room.attached_out;
    assign st_state       = f_state;
endmodule

`default_nettype wire
