// SPDX-License-Identifier: Apache-2.0
// static_mshr: the conventional, explicitly addressed MSHR. It has ENTRIES entries of SLOTS slots, never linked.
// It is the reference for the DL-MSHRs: with LOOKUP=1 it has the timing of dl_mshr_paper, with LOOKUP=2 that of
// dl_mshr.
// Contract: docs/understand/static_mshr.md and
// docs/understand/dl_mshr.md.
`default_nettype none
`include "mshr_defs.vh"
`include "mt_reset.vh"

module static_mshr #(
    // number of entries, 1..256
    parameter ENTRIES = 32,
    // number of slots per entry, 1..64
    parameter SLOTS = 8,
    // block address width, 1..64 bits
    parameter ADDR_W = 25,
    // payload width per slot, 0 (none) to 2048 bits; the response returns the payload unchanged
    parameter PAYLOAD_W = 16,
    // 1: ret_addr is the block address of ret_head; 0: it is tied to 0
    parameter ADDR_OUT = 0,
    // lookup latency in cycles: 1 (look and look_addr are ignored) or 2 (req_addr is ignored)
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
    output reg                                                        err
);
    // clamped so that an illegal value reaches its ILLEGAL_ message
    localparam ENTRIES_N = ENTRIES < 1 ? 1 : ENTRIES > 256 ? 256 : ENTRIES;
    localparam SET_W = (ENTRIES_N < 2) ? 1 : $clog2(ENTRIES_N);
    localparam SLOT_W = (SLOTS < 2) ? 1 : $clog2(SLOTS);
    localparam [ENTRIES_N-1:0] ENTRY0 = 1;

    // Illegal parameters instantiate a missing module, which stops elaboration. mshr_legal checks the other parameters.
    generate
        if (ENTRIES < 1 || ENTRIES > 256) begin : gen_bad_entries
            ILLEGAL_ENTRIES_must_be_1_to_256 u_illegal ();
        end
        if (LOOKUP != 1 && LOOKUP != 2) begin : gen_bad_lookup
            ILLEGAL_LOOKUP_must_be_1_or_2 u_illegal ();
        end
    endgenerate

    mshr_legal #(
        .SLOTS    (SLOTS),
        .ADDR_W   (ADDR_W),
        .PAYLOAD_W(PAYLOAD_W),
        .ADDR_OUT (ADDR_OUT)
    ) u_legal ();

    wire               stop = err != `MSHR_OK;
    wire               late;   // the request's entry is under drain (LOOKUP=2)
    wire               stale;  // the drain of the request's entry has ended since the lookup (LOOKUP=2)
    wire               live = req_valid && !stop && !stale;
    wire               active, all_done, set_done, slot_re, to_head, to_successor;
    wire [SET_W-1:0]   cur, slot_rset;
    wire [SLOT_W-1:0]  cur_fill_low, cur_slot, slot_rslot;
    wire               unused_drain = &{1'b0, set_done, to_head, to_successor};
    wire               ret_start = ret_valid && ret_ready;
    wire               ret_known;      // ret_head is an entry whose fetch is in flight

    // ---- classification
    wire               hit, hit_full;  // an entry has the request's address; that entry is full
    wire [SET_W-1:0]   hit_id;         // number of that entry
    wire [SLOT_W-1:0]  hit_fill_low;   // next slot of that entry
    wire               any_free;
    wire [SET_W-1:0]   free_id;
    wire               take = live && any_free && !hit;

    assign req_ready   = !stop && !stale && (hit ? !hit_full : any_free);
    assign req_primary = !hit;
    assign req_refuse  = (stop || req_ready) ? `MSHR_REFUSE_NONE : stale ? `MSHR_REFUSE_STALE :
        hit ? `MSHR_REFUSE_MERGE_FULL : `MSHR_REFUSE_ENTRY_FULL;
    assign req_head    = free_id;

`ifdef FORMAL
`include "static_mshr_contract.vh"
`endif

    // ---- entries
    generate
        if (LOOKUP == 1) begin : gen_one
            wire                unused_look = &{1'b0, look, look_addr};
            wire [ENTRIES_N*SLOT_W-1:0] fill_lows;
            wire [ENTRIES_N-1:0]        match, pick, is_free, is_full, at_cur;
            wire [ENTRIES_N-1:0]        taken = pick & {ENTRIES_N{take}};
            reg  [ENTRIES_N-1:0]        matchable;
            wire [ENTRIES_N-1:0]        ret_hit = matchable & (ENTRY0 << ret_head);

            // free entry, chosen in parallel with the match
            mt_first_id #(
                .N(ENTRIES_N),
                .W(SET_W)
            ) u_pick (
                .in   (is_free),
                .first(pick),
                .any  (any_free),
                .id   (free_id)
            );
            mt_onehot_enc #(
                .N(ENTRIES_N),
                .W(SET_W)
            ) u_match_id (
                .onehot(match),
                .bin   (hit_id)
            );
            mt_onehot_mux #(
                .N(ENTRIES_N),
                .W(SLOT_W)
            ) u_match_fill_low (
                .sel  (match),
                .words(fill_lows),
                .word (hit_fill_low)
            );
            mshr_cam #(
                .N     (ENTRIES_N),
                .ADDR_W(ADDR_W),
                .OUT   (ADDR_OUT)
            ) u_cam (
                .clk      (clk),
                .matchable(matchable),
                .sought   (req_addr),
                .match    (match),
                .store    (pick & {ENTRIES_N{req_valid}}),  // the address of an entry that stays free is don't-care
                .addr     (req_addr),
                .sel      (ret_hit),
                .out      (ret_addr)
            );
            mshr_fill #(
                .N     (ENTRIES_N),
                .SLOTS (SLOTS),
                .SLOT_W(SLOT_W)
            ) u_fill (
                .clk      (clk),
                .rst      (rst),
                .take     (taken),
                .add      (match & ~is_full & {ENTRIES_N{live}}),
                .clear    (at_cur & {ENTRIES_N{all_done}}),
                .is_free  (is_free),
                .is_full  (is_full),
                .fill_lows(fill_lows)
            );
            mt_onehot_mux #(
                .N(ENTRIES_N),
                .W(SLOT_W)
            ) u_cur_fill_low (
                .sel  (at_cur),
                .words(fill_lows),
                .word (cur_fill_low)
            );
            assign late      = 1'b0;
            assign stale     = 1'b0;
            assign hit       = |match;
            assign hit_full  = |(match & is_full);
            assign at_cur    = (ENTRY0 << cur) & {ENTRIES_N{active}};
            assign ret_known = |ret_hit;

            always @(posedge clk `MT_OR_RST)
                if (rst) matchable <= {ENTRIES_N{1'b0}};
                else matchable <= (matchable & ~(ret_hit & {ENTRIES_N{ret_start}})) | taken;

`ifdef FORMAL
`include "static_one_contract.vh"
`endif
        end else begin : gen_two
            wire                      add = live && hit && !hit_full;
            wire                      ret_hit;
            wire                      unused_state = &{1'b0, req_addr, ret_hit};

            mshr_heads #(
                .N       (ENTRIES_N),
                .SLOTS   (SLOTS),
                .ADDR_W  (ADDR_W),
                .ADDR_OUT(ADDR_OUT),
                .W       (SET_W),
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
                .id            (hit_id),
                .fill_low      (hit_fill_low),
                .full          (hit_full),
                .any_free      (any_free),
                .free_id       (free_id),
                .take          (take),
                .add           (add),
                .link          (1'b0),
                .ret_head      (ret_head),
                .ret_known     (ret_known),
                .ret_addr      (ret_addr),
                .ret_hit       (ret_hit),
                .to_head       (to_head),
                .draining      (active),
                .drain_fill_low(cur_fill_low),
                .all_done      (all_done)
            );
`ifdef FORMAL
`include "static_two_contract.vh"
`endif
        end
    endgenerate

    // ---- drain
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
        .late         (late),
        .grow         (late && req_valid && req_ready),
        .active       (active),
        .cur          (cur),
        .cur_fill_low (cur_fill_low),
        .cur_linked   (1'b0),
        .cur_successor(cur),
        .to_head      (to_head),
        .to_successor (to_successor),
        .set_done     (set_done),
        .all_done     (all_done),
        .slot_re      (slot_re),
        .slot_rset    (slot_rset),
        .slot_rslot   (slot_rslot),
        .slot         (cur_slot)
    );

    // ---- slots
    mshr_slots #(
        .SETS      (ENTRIES_N),
        .SLOTS     (SLOTS),
        .PAYLOAD_W (PAYLOAD_W),
        .SET_W     (SET_W),
        .SLOT_W    (SLOT_W),
        .PAYLOAD_PW(PAYLOAD_W > 0 ? PAYLOAD_W : 1),
        .NUM_W     (ENTRIES_N * SLOTS < 2 ? 1 : $clog2(ENTRIES_N * SLOTS))
    ) u_slots (
        .clk  (clk),
        .we   (req_valid && req_ready),
        .wset (hit ? hit_id : free_id),
        .wslot(hit ? hit_fill_low : {SLOT_W{1'b0}}),
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

    // ---- errors
    always @(posedge clk `MT_OR_RST)
        if (rst) err <= `MSHR_OK;
        else if (ret_start && !ret_known) err <= `MSHR_ERR_RETURN;
endmodule

`default_nettype wire
