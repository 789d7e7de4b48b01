// SPDX-License-Identifier: Apache-2.0
// Contract of static_mshr: what its ports guarantee (mshr_contract.vh), and that a response returns the request's words
// unchanged (mshr_word_contract.vh). The invariants of the entries are in static_one_contract.vh (LOOKUP=1) and
// static_two_contract.vh (LOOKUP=2), which drive these wires.
localparam F_SETS = ENTRIES;
localparam F_HEADS = ENTRIES;
localparam F_RESERVED = ENTRIES;
localparam F_LINKS = 0;
localparam F_WALK = 0;
localparam F_SPLIT = 0;
localparam F_LOOKS = LOOKUP == 2;
localparam CNT_W = $clog2(ENTRIES + 1);
wire f_look = look;
wire [ADDR_W-1:0] f_look_addr = look_addr;
wire [ADDR_W-1:0] f_req_addr = req_addr;
wire [ENTRIES-1:0] f_is_free, f_is_full, f_at_cur;
(* hierconn *) wire \u_drain.gap ;
wire f_drain_gap = \u_drain.gap ;
`include "tb/static_mshr/static_state.vh"
wire [4*ENTRIES-1:0] st_state = f_state;
wire [CNT_W-1:0]     st_free_heads = f_n_free;
wire [CNT_W-1:0]     st_free_shared = {CNT_W{1'b0}};
`include "mshr_contract.vh"

wire [ENTRIES*FILL_W-1:0] f_rows;
wire [ENTRIES-1:0]  f_live_at, f_drain_at;
`include "mshr_word_contract.vh"
// true of the block that the solver chose, so of every block
always @* begin
    if (f_run) begin
        p_ret_addr: assert (f_err || ret_addr == 0 || ADDR_OUT != 0);
        p_ret_x:    assert (f_err || ADDR_OUT == 0 || !(f_live && ret_head == f_head) || ret_addr == f_x);
    end
end
