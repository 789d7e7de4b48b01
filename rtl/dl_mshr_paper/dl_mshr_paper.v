// SPDX-License-Identifier: Apache-2.0
// dl_mshr_paper: the DL-MSHR of Gu and Chen (ICS 2019), with its options. Any slot set outside the reserved ones can be
// a head or be attached, and a lookup takes one cycle. Cycle-by-cycle contract: docs/understand/dl_mshr_paper.md;
// ports: rtl/dl_mshr_paper/ports.md.
//   req  valid/ready; req_ready, req_refuse, req_primary and req_head are valid in the cycle of the request
//   ret  valid/ready; the first response is valid in the next cycle
//   rsp  valid/ready; stable until ready; the slot data come from a RAM's output register
`default_nettype none
`ifdef FORMAL
`include "mshr_defs.vh"
`include "mt_reset.vh"
`endif

module dl_mshr_paper #(
    // number of slot sets, 2..256
    parameter SETS = 128,
    // number of slots per set, 1..64
    parameter SLOTS = 2,
    // block address width, 1..64 bits
    parameter ADDR_W = 25,
    // payload width per slot, 0 (none) to 2048 bits; the response returns the payload unchanged
    parameter PAYLOAD_W = 16,
    // number of sets, from set 0, that can only be heads: 0..SETS-1 (optimization 4)
    parameter RESERVED_HEADS = SETS / 2,
    // how the tail is found (optimization 3): 0 walk, 1 pointer in the head, 2 ring
    parameter TAIL = 2,
    // 1: a comparator's inputs are 0 unless its set can match (optimization 2)
    parameter GATE = 1,
    // 1: a set is freed when its last request leaves; 0: all sets of a super-entry are freed together
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
    output wire                                       err
);
    // clamped so that an illegal value reaches its ILLEGAL_ message
    localparam SETS_N = SETS < 2 ? 2 : SETS > 256 ? 256 : SETS;
    localparam RESERVED = (RESERVED_HEADS < 0 || RESERVED_HEADS >= SETS_N) ? 0 : RESERVED_HEADS;
    localparam SET_W = $clog2(SETS_N);
    localparam CNT_W = $clog2(SETS_N + 1);
    localparam SLOT_W = (SLOTS < 2) ? 1 : $clog2(SLOTS);

    // Illegal parameters instantiate a missing module, which stops elaboration. mshr_legal checks the other parameters.
    generate
        if (SETS < 2 || SETS > 256) begin : gen_bad_sets
            ILLEGAL_SETS_must_be_2_to_256 u_illegal ();
        end
        if (RESERVED_HEADS < 0 || RESERVED_HEADS >= SETS) begin : gen_bad_reserved
            ILLEGAL_RESERVED_HEADS_must_be_below_SETS u_illegal ();
        end
        if (TAIL < 0 || TAIL > 2) begin : gen_bad_tail
            ILLEGAL_TAIL_must_be_0_to_2 u_illegal ();
        end
        if (GATE < 0 || GATE > 1) begin : gen_bad_gate
            ILLEGAL_GATE_must_be_0_or_1 u_illegal ();
        end
        if (EARLY_FREE < 0 || EARLY_FREE > 1) begin : gen_bad_early_free
            ILLEGAL_EARLY_FREE_must_be_0_or_1 u_illegal ();
        end
    endgenerate

    mshr_legal #(
        .SLOTS    (SLOTS),
        .ADDR_W   (ADDR_W),
        .PAYLOAD_W(PAYLOAD_W)
    ) u_legal ();

    wire              stop, hit, live;
    wire [SET_W-1:0]  cur, cur_successor;
    wire              active, cur_linked, to_head, to_successor, set_done, all_done, ret_known;
    wire              ret_start = ret_valid && ret_ready;
    wire              slot_we, slot_re;
    wire [SET_W-1:0]  slot_wset, slot_rset;
    wire [SLOT_W-1:0] cur_fill_low, cur_slot, slot_wslot, slot_rslot;
    wire              unused_active = active;

    wire [SETS-1:0]   match, tail, roomy, is_free, is_head, at_last_slot, offer, take, link;
    wire [SET_W-1:0]  match_ptr, tail_successor, id_shared;

    dlm_sets #(
        .SETS          (SETS_N),
        .SLOTS         (SLOTS),
        .ADDR_W        (ADDR_W),
        .RESERVED_HEADS(RESERVED),
        .TAIL          (TAIL),
        .GATE          (GATE),
        .SET_W         (SET_W),
        .SLOT_W        (SLOT_W)
    ) u_sets (
        .clk           (clk),
        .rst           (rst),
        .req_addr      (req_addr),
        .match         (match),
        .hit           (hit),
        .match_ptr     (match_ptr),
        .tail          (tail),
        .tail_successor(tail_successor),
        .is_free       (is_free),
        .is_head       (is_head),
        .at_last_slot  (at_last_slot),
        .offer         (offer),
        .take          (take),
        .live          (live),
        .roomy         (roomy),
        .link          (link),
        .id_shared     (id_shared),
        .roomy_slot    (slot_wslot),
        .ret_start     (ret_start),
        .ret_head      (ret_head),
        .cur_fill_low  (cur_fill_low),
        .cur_successor (cur_successor),
        .to_head       (to_head),
        .to_successor  (to_successor)
    );

    dau #(
        .SETS          (SETS_N),
        .RESERVED_HEADS(RESERVED),
        .SLOTS         (SLOTS),
        .TAIL          (TAIL),
        .EARLY_FREE    (EARLY_FREE),
        .SET_W         (SET_W),
        .CNT_W         (CNT_W)
    ) u_dau (
        .clk           (clk),
        .rst           (rst),
        .req_valid     (req_valid),
        .req_ready     (req_ready),
        .req_refuse    (req_refuse),
        .req_primary   (req_primary),
        .req_head      (req_head),
        .slot_we       (slot_we),
        .slot_wset     (slot_wset),
        .hit           (hit),
        .match         (match),
        .match_ptr     (match_ptr),
        .tail          (tail),
        .tail_successor(tail_successor),
        .is_free       (is_free),
        .is_head       (is_head),
        .at_last_slot  (at_last_slot),
        .offer         (offer),
        .take          (take),
        .live          (live),
        .roomy         (roomy),
        .link          (link),
        .id_shared     (id_shared),
        .ret_start     (ret_start),
        .ret_head      (ret_head),
        .ret_known     (ret_known),
        .cur           (cur),
        .cur_successor (cur_successor),
        .to_head       (to_head),
        .to_successor  (to_successor),
        .set_done      (set_done),
        .all_done      (all_done),
        .cur_linked    (cur_linked),
        .stop          (stop),
        .err           (err)
    );

    mshr_drain #(
        .SET_W (SET_W),
        .SLOT_W(SLOT_W)
    ) u_drain (
        .clk          (clk),
        .rst          (rst),
        .stop         (stop),
        .ret_valid    (ret_valid),
        .ret_ready    (ret_ready),
        .ret_head     (ret_head),
        .ret_known    (ret_known),
        .rsp_valid    (rsp_valid),
        .rsp_ready    (rsp_ready),
        .rsp_last     (rsp_last),
        .late         (1'b0),
        .grow         (1'b0),
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
        .SETS      (SETS_N),
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
`include "dl_mshr_paper_contract.vh"
`endif
endmodule

`default_nettype wire
