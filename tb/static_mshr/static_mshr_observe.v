// SPDX-License-Identifier: Apache-2.0
// Observer of static_mshr: the block with the st_ ports, for verification.
`default_nettype none
`include "mt_reset.vh"
`include "mshr_defs.vh"

module static_mshr_observe #(
    parameter ENTRIES = 32,
    parameter SLOTS = 8,
    parameter ADDR_W = 25,
    parameter PAYLOAD_W = 16,
    parameter ADDR_OUT = 0,
    parameter LOOKUP = 1
) (
    input  wire                                                       clk,
    input  wire                                                       rst,
    input  wire                                                       look,
    input  wire [ADDR_W-1:0]                                          look_addr,
    input  wire                                                       req_valid,
    input  wire [ADDR_W-1:0]                                          req_addr,
    input  wire [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0]                 req_payload,
    output wire                                                       req_ready,
    output wire [1:0]                                                 req_refuse,
    output wire                                                       req_primary,
    output wire [(ENTRIES < 2 ? 1 : $clog2(ENTRIES))-1:0]             req_head,
    output wire [(ENTRIES*SLOTS < 2 ? 1 : $clog2(ENTRIES*SLOTS))-1:0] req_slot,
    input  wire                                                       ret_valid,
    input  wire [(ENTRIES < 2 ? 1 : $clog2(ENTRIES))-1:0]             ret_head,
    output wire                                                       ret_ready,
    output wire [ADDR_W-1:0]                                          ret_addr,
    output wire                                                       rsp_valid,
    input  wire                                                       rsp_ready,
    output wire                                                       rsp_last,
    output wire [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0]                 rsp_payload,
    output wire [(ENTRIES*SLOTS < 2 ? 1 : $clog2(ENTRIES*SLOTS))-1:0] rsp_slot,
    output wire                                                       err,
    output wire [$clog2(ENTRIES+1)-1:0]                               st_free_heads,
    output wire [$clog2(ENTRIES+1)-1:0]                               st_free_shared,
    output wire [4*ENTRIES-1:0]                                       st_state
);
    static_mshr #(
        .ENTRIES  (ENTRIES),
        .SLOTS    (SLOTS),
        .ADDR_W   (ADDR_W),
        .PAYLOAD_W(PAYLOAD_W),
        .ADDR_OUT (ADDR_OUT),
        .LOOKUP   (LOOKUP)
    ) u_block (
        .clk        (clk),
        .rst        (rst),
        .look       (look),
        .look_addr  (look_addr),
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
        .ret_addr   (ret_addr),
        .rsp_valid  (rsp_valid),
        .rsp_ready  (rsp_ready),
        .rsp_last   (rsp_last),
        .rsp_payload(rsp_payload),
        .rsp_slot   (rsp_slot),
        .err        (err)
    );

    localparam SET_W = (ENTRIES < 2) ? 1 : $clog2(ENTRIES);
    localparam CNT_W = $clog2(ENTRIES + 1);
    localparam SLOT_W = (SLOTS < 2) ? 1 : $clog2(SLOTS);

`ifdef YOSYS
    (* hierconn *) wire \u_block.stop ;
    (* hierconn *) wire \u_block.live ;
    (* hierconn *) wire \u_block.take ;
    (* hierconn *) wire \u_block.hit ;
    (* hierconn *) wire \u_block.hit_full ;
    (* hierconn *) wire [SET_W-1:0] \u_block.hit_id ;
    (* hierconn *) wire [SET_W-1:0] \u_block.free_id ;
    (* hierconn *) wire \u_block.active ;
    (* hierconn *) wire [ENTRIES-1:0] \u_block.gen_one.is_free ;
    (* hierconn *) wire [ENTRIES-1:0] \u_block.gen_one.at_cur ;
    (* hierconn *) wire [ENTRIES-1:0] \u_block.gen_two.u_heads.used ;
    (* hierconn *) wire [SET_W-1:0] \u_block.gen_two.u_heads.drain_head ;
    (* hierconn *) wire [ENTRIES-1:0] \u_block.gen_one.is_full ;
    (* hierconn *) wire [ENTRIES*SLOT_W-1:0] \u_block.gen_two.u_heads.fill_lows ;
`endif
    wire               stop      = u_block.stop;
    wire               live      = u_block.live;
    wire               take      = u_block.take;
    wire               hit       = u_block.hit;
    wire               hit_full  = u_block.hit_full;
    wire [SET_W-1:0]   hit_id    = u_block.hit_id;
    wire [SET_W-1:0]   free_id   = u_block.free_id;
    wire [ENTRIES-1:0] f_is_free, f_is_full, f_at_cur;
`include "tb/static_mshr/static_state.vh"

    generate
        if (LOOKUP == 1) begin : gen_one
            assign f_is_free = u_block.gen_one.is_free;
            assign f_is_full = u_block.gen_one.is_full;
            assign f_at_cur  = u_block.gen_one.at_cur;
        end else begin : gen_two
            wire [ENTRIES-1:0]        used = u_block.gen_two.u_heads.used;
            wire [ENTRIES*SLOT_W-1:0] fill_lows = u_block.gen_two.u_heads.fill_lows;
            genvar e;
            for (e = 0; e < ENTRIES; e = e + 1) begin : gen_full
                assign f_is_full[e] = fill_lows[e*SLOT_W+:SLOT_W] == SLOTS[SLOT_W-1:0];
            end
            assign f_is_free = ~used;
            assign f_at_cur  = ({{ENTRIES - 1{1'b0}}, 1'b1} << u_block.gen_two.u_heads.drain_head) &
                {ENTRIES{u_block.active}};
        end
    endgenerate
    assign st_free_heads  = f_n_free;
    assign st_free_shared = {CNT_W{1'b0}};
    assign st_state       = f_state;
endmodule

`default_nettype wire
