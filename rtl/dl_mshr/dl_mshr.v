// SPDX-License-Identifier: Apache-2.0
// dl_mshr: dynamically linked MSHRs with two pools of slot sets, heads and attached sets. Sets 0 to HEADS-1 can
// only be heads (mshr_heads.v), and the others can only be attached to a head (dlm_attached.v). A lookup takes two
// cycles, so a request is classified from registers alone. Cycle-by-cycle contract: docs/understand/dl_mshr.md; ports:
// rtl/dl_mshr/ports.md.
//   look look_addr is the block address of the requests from the next cycle on
//   room the number of requests that cannot be refused, except with code 3 and after err; empty: no request is tracked
//   req  valid/ready; req_ready, req_refuse, req_primary and req_head are valid in the cycle of the request
//   ret  valid/ready; the first response is valid in the next cycle
//   rsp  valid/ready; stable until ready, except that rsp_last falls if a request merges; the slot data come from a
//        RAM's output register
`default_nettype none
`include "mshr_defs.vh"
`include "mt_reset.vh"

module dl_mshr #(
    // number of slot sets, 3..256
    parameter SETS = 64,
    // number of slots per set, 1..64
    parameter SLOTS = 4,
    // block address width, 1..64 bits
    parameter ADDR_W = 25,
    // payload width per slot, 0 (none) to 2048 bits; the response returns the payload unchanged
    parameter PAYLOAD_W = 16,
    // 1: ret_addr is the block address of ret_head; 0: it is tied to 0
    parameter ADDR_OUT = 0,
    // number of sets that can be heads, 2..SETS-1; req_head and ret_head are set numbers below it
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
    output wire                                       err
);
    // clamped so that an illegal value reaches its ILLEGAL_ message
    localparam SETS_N = SETS < 3 ? 3 : SETS > 256 ? 256 : SETS;
    localparam HEADS_N = (HEADS < 2 || HEADS >= SETS_N) ? 2 : HEADS;
    localparam ATTACHED_N = SETS_N - HEADS_N;
    localparam SET_W = $clog2(SETS_N);
    localparam CNT_W = $clog2(SETS_N + 1);
    localparam SLOT_W = (SLOTS < 2) ? 1 : $clog2(SLOTS);
    localparam HEAD_W = $clog2(HEADS_N);
    localparam [SLOT_W-1:0] FULL = SLOTS[SLOT_W-1:0];

    // Illegal parameters instantiate a missing module, which stops elaboration. mshr_legal checks the other parameters.
    generate
        if (SETS < 3 || SETS > 256) begin : gen_bad_sets
            ILLEGAL_SETS_must_be_3_to_256 u_illegal ();
        end
        if (HEADS < 2) begin : gen_few_heads
            ILLEGAL_HEADS_must_be_at_least_2 u_illegal ();
        end
        if (SETS >= 3 && HEADS >= SETS) begin : gen_many_heads
            ILLEGAL_HEADS_must_be_below_SETS u_illegal ();
        end
    endgenerate

    mshr_legal #(
        .SLOTS    (SLOTS),
        .ADDR_W   (ADDR_W),
        .PAYLOAD_W(PAYLOAD_W),
        .ADDR_OUT (ADDR_OUT)
    ) u_legal ();

    wire [SET_W-1:0]        cur, cur_successor;
    wire                    active, cur_linked, to_head, to_successor, set_done, all_done, ret_known;
    wire                    ret_start = ret_valid && ret_ready;
    wire                    unused_drain = to_successor;
    wire [SLOT_W-1:0]       cur_fill_low, cur_slot, slot_rslot, slot_wslot;
    wire [SET_W-1:0]        slot_wset, slot_rset;
    wire                    slot_we, slot_re;
    wire                    hit, late, stale, full, linked, any_head, any_attached, at_head, ret_hit;
    wire [HEAD_W-1:0]       id, head_free;
    wire [SLOT_W-1:0]       fill_low, drain_fill_low;
    wire [SET_W-1:0]        last_id, attached_free;

    // ---- classification
    reg  fault;  // RET named a head that has no fetch in flight
    wire live = req_valid && !fault && !stale;
    wire take = live && !hit && any_head;
    wire add = live && hit && !full;
    wire link = live && hit && full && any_attached;

    assign req_ready   = !fault && !stale && (hit ? !full || any_attached : any_head);
    assign req_primary = !hit;
    assign req_refuse  = (fault || req_ready) ? `MSHR_REFUSE_NONE : stale ? `MSHR_REFUSE_STALE :
        hit ? `MSHR_REFUSE_MERGE_FULL : `MSHR_REFUSE_ENTRY_FULL;
    assign req_head    = {{(SET_W - HEAD_W) {1'b0}}, head_free};

    assign slot_we    = req_valid && req_ready;
    assign slot_wset  = !hit ? req_head : full ? attached_free : linked ? last_id : {{(SET_W - HEAD_W) {1'b0}}, id};
    assign slot_wslot = (hit && !full) ? fill_low : {SLOT_W{1'b0}};

    always @(posedge clk `MT_OR_RST)
        if (rst) fault <= 1'b0;
        else fault <= fault || (ret_start && !ret_known);
    assign err = fault;

    // ---- sets
    mshr_heads #(
        .N       (HEADS_N),
        .SLOTS   (SLOTS),
        .ADDR_W  (ADDR_W),
        .ADDR_OUT(ADDR_OUT),
        .W       (HEAD_W),
        .SET_W   (SET_W),
        .SLOT_W  (SLOT_W)
    ) u_heads (
        .clk           (clk),
        .rst           (rst),
        .look          (look),
        .look_addr     (look_addr),
        .hit           (hit),
        .late          (late),
        .stale         (stale),
        .id            (id),
        .fill_low      (fill_low),
        .full          (full),
        .any_free      (any_head),
        .free_id       (head_free),
        .take          (take),
        .add           (add),
        .link          (link),
        .ret_head      (ret_head),
        .ret_known     (ret_known),
        .ret_addr      (ret_addr),
        .ret_hit       (ret_hit),
        .to_head       (to_head),
        .draining      (active),
        .drain_fill_low(drain_fill_low),
        .all_done      (all_done)
    );
    dlm_attached #(
        .N     (ATTACHED_N),
        .BASE  (HEADS_N),
        .SET_W (SET_W),
        .HEAD_W(HEAD_W)
    ) u_attached (
        .clk          (clk),
        .rst          (rst),
        .head         (id),
        .linked       (linked),
        .last_id      (last_id),
        .any_free     (any_attached),
        .free_id      (attached_free),
        .link         (link),
        .late         (late),
        .ret_head     (ret_head[HEAD_W-1:0]),
        .ret_hit      (ret_hit),
        .to_head      (to_head),
        .cur          (cur),
        .at_head      (at_head),
        .cur_linked   (cur_linked),
        .cur_successor(cur_successor),
        .all_done     (all_done)
    );
    dlm_room #(
        .HEADS   (HEADS_N),
        .ATTACHED(ATTACHED_N),
        .CNT_W   (CNT_W)
    ) u_room (
        .clk     (clk),
        .rst     (rst),
        .take    (take),
        .link    (link),
        .at_head (at_head),
        .set_done(set_done),
        .all_done(all_done),
        .room    (room),
        .empty   (empty)
    );
    // A set with a successor is full.
    assign cur_fill_low = cur_linked ? FULL : drain_fill_low;

    // ---- drain and slots
    mshr_drain #(
        .SET_W (SET_W),
        .SLOT_W(SLOT_W)
    ) u_drain (
        .clk          (clk),
        .rst          (rst),
        .stop         (fault),
        .ret_valid    (ret_valid),
        .ret_ready    (ret_ready),
        .ret_head     (ret_head),
        .ret_known    (ret_known),
        .rsp_valid    (rsp_valid),
        .rsp_ready    (rsp_ready),
        .rsp_last     (rsp_last),
        .late         (late),
        .grow         (late && slot_we),
        .active       (active),
        .cur          (cur),
        .cur_fill_low (cur_fill_low),
        .cur_linked   (cur_linked),
        .cur_successor(cur_successor),
        .to_head      (to_head),
        .to_successor (to_successor),
        .set_done     (set_done),
        .all_done     (all_done),
        .slot_re      (slot_re),
        .slot_rset    (slot_rset),
        .slot_rslot   (slot_rslot),
        .slot         (cur_slot)
    );

    mshr_slots #(
        .SETS      (SETS),
        .SLOTS     (SLOTS),
        .PAYLOAD_W (PAYLOAD_W),
        .SET_W     (SET_W),
        .SLOT_W    (SLOT_W),
        .PAYLOAD_PW(PAYLOAD_W > 0 ? PAYLOAD_W : 1),
        .NUM_W     ($clog2(SETS * SLOTS))
    ) u_slots (
        .clk  (clk),
        .we   (slot_we),
        .wset (slot_wset),
        .wslot(slot_wslot),
        .wnum (req_slot),
        .wdata(req_payload),
        .re   (slot_re),
        .rset (slot_rset),
        .rslot(slot_rslot),
        .rdata(rsp_payload),
        .set  (cur),
        .slot (cur_slot),
        .num  (rsp_slot)
    );

`ifdef FORMAL
`include "dl_mshr_contract.vh"
`endif
endmodule

`default_nettype wire
