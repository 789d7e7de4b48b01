// SPDX-License-Identifier: Apache-2.0
// Dynamic Allocation Unit: classifies the request, chooses its slot set, counts the free sets, walks the links
// (TAIL=0), and stops the block if an impossible event occurs.
//
// The free set is chosen from registers, in parallel with the address match. The counts show whether a free set exists.
`default_nettype none
`include "mshr_defs.vh"
`include "mt_reset.vh"

module dau #(
    // number of slot sets, 2..256
    parameter SETS = 128,
    // sets 0..RESERVED_HEADS-1 can only be heads
    parameter RESERVED_HEADS = 64,
    // number of slots per set
    parameter SLOTS = 2,
    // how the tail is found, 0..2
    parameter TAIL = 2,
    // 1: a set is freed when its last request leaves; 0: all sets of a super-entry are freed together
    parameter EARLY_FREE = 0,
    // widths of a set number, a free count and a slot number (set by the block)
    parameter SET_W = 7,
    parameter CNT_W = 8,
    parameter SLOT_W = 1
) (
    input  wire              clk,
    input  wire              rst,
    // request
    input  wire              req_valid,
    output wire              req_ready,
    output wire [1:0]        req_refuse,
    output wire              req_primary,
    output wire [SET_W-1:0]  req_head,
    // write address of the slot
    output wire              slot_we,
    output wire [SET_W-1:0]  slot_wset,
    output wire [SLOT_W-1:0] slot_wslot,
    // state of the slot sets
    input  wire [SETS-1:0]   match,
    input  wire [SETS-1:0]   roomy,
    input  wire              fresh_hit,
    input  wire              hit,
    input  wire [SET_W-1:0]  match_ptr,
    input  wire [SETS-1:0]   is_free,
    output wire [SETS-1:0]   tail,
    input  wire [SLOT_W-1:0] tail_slot,
    input  wire              tail_full,
    input  wire              tail_linked,
    input  wire [SET_W-1:0]  tail_next,
    output wire [SETS-1:0]   offer,
    output wire              take_reserved,
    output wire              take_shared,
    output wire [SETS-1:0]   take,
    output wire [SET_W-1:0]  take_id,
    output reg  [SET_W-1:0]  was_shared,   // shared set that could be allocated in the previous cycle
    output reg               was_hit,      // the request of the previous cycle hit
    output wire              may_add,
    output wire              may_link,
    // return and drain
    input  wire              ret_start,
    input  wire              ret_known,
    input  wire [SET_W-1:0]  cur,
    input  wire              set_done,
    input  wire              all_done,
    // errors and counts
    output wire              stop,
    output reg  [1:0]        err
);
    localparam [SETS-1:0] SET0 = 1;
    localparam [SETS-1:0] SHARED = {SETS{1'b1}} << RESERVED_HEADS;
    localparam NOT_RESERVED = SETS - RESERVED_HEADS;

    // ---- classification
    wire              any_head, any_shared;  // a free set exists
    wire              walking;   // TAIL=0: the walk has not reached the tail
    wire [SET_W-1:0]  tail_id;   // number of the tail if that has a free slot, else 0

    assign req_ready   = !stop && (hit ? !walking && (!tail_full || any_shared) : any_head || any_shared);
    assign req_primary = !hit;
    assign req_refuse  = (stop || req_ready) ? `MSHR_REFUSE_NONE
                       : !hit ? `MSHR_REFUSE_ENTRY_FULL
                       : walking ? `MSHR_REFUSE_WALK
                       : `MSHR_REFUSE_MERGE_FULL;

    wire live = req_valid && !stop;
    assign may_add      = live;
    assign may_link     = live && any_shared && !walking;

    // ---- choice of a free set
    wire                    found_head, found_shared;
    wire [SET_W-1:0]        id_head, id_shared;
    wire [NOT_RESERVED-1:0] pick_shared;
    assign take_reserved = live && any_head && !hit;
    assign take_shared   = live && any_shared && (tail_full && !walking || !hit && !any_head);

    mt_first_id #(
        .N   (NOT_RESERVED),
        .BASE(RESERVED_HEADS),
        .W   (SET_W)
    ) u_pick_shared (
        .in   (is_free[SETS-1:RESERVED_HEADS]),
        .first(pick_shared),
        .any  (found_shared),
        .id   (id_shared)
    );
    generate
        if (RESERVED_HEADS > 0) begin : gen_reserved
            wire [RESERVED_HEADS-1:0] pick_head;
            mt_first_id #(
                .N(RESERVED_HEADS),
                .W(SET_W)
            ) u_pick_head (
                .in   (is_free[RESERVED_HEADS-1:0]),
                .first(pick_head),
                .any  (found_head),
                .id   (id_head)
            );
            assign offer = {pick_shared, pick_head} & {SETS{req_valid}};
            assign take  = {pick_shared & {NOT_RESERVED{take_shared}}, pick_head & {RESERVED_HEADS{take_reserved}}};
        end else begin : gen_no_reserved
            assign found_head = 1'b0;
            assign id_head    = {SET_W{1'b0}};
            assign offer      = pick_shared & {SETS{req_valid}};
            assign take       = pick_shared & {SETS{take_shared}};
        end
    endgenerate

    assign take_id   = hit ? id_shared : req_head;
    assign req_head  = any_head ? id_head : id_shared;

    assign slot_we    = req_valid && req_ready;
    assign slot_wset  = tail_id | (id_shared & {SET_W{tail_full}}) | (req_head & {SET_W{!hit}});
    assign slot_wslot = tail_slot;

    always @(posedge clk) begin
        was_shared <= id_shared;
        was_hit    <= hit;
    end

    // ---- tail
    generate
        if (TAIL == 2) begin : gen_ring
            wire unused_links = &{1'b0, match_ptr, tail_next, tail_linked};
            wire [SET_W-1:0] roomy_id;
            reg  [SET_W-1:0] was_head;  // the other set that could be allocated in the previous cycle
            wire [SET_W-1:0] was_id = was_hit ? was_shared : was_head;
            assign tail    = match;
            assign walking = 1'b0;
            mt_onehot_enc #(
                .N(SETS),
                .W(SET_W)
            ) u_roomy_id (
                .onehot(roomy),
                .bin   (roomy_id)
            );
            assign tail_id = roomy_id | (was_id & {SET_W{SLOTS > 1 && fresh_hit}});
            always @(posedge clk) was_head <= req_head;
        end
        if (TAIL == 1) begin : gen_tail_ptr
            wire unused_links = &{1'b0, match, roomy, fresh_hit, tail_next, tail_linked};
            assign tail_id = match_ptr & {SET_W{!tail_full}};
            assign tail    = (SET0 << match_ptr) & {SETS{hit}};
            assign walking = 1'b0;
        end
        if (TAIL == 0) begin : gen_walk
            wire             unused_ptr = &{1'b0, match_ptr, roomy, fresh_hit};
            wire [SET_W-1:0] head_id;
            reg              on_way;            // a walk is in progress
            reg  [SET_W-1:0] way_head, way_set;  // head of the walk, and the set that it has reached

            mt_onehot_enc #(
                .N(SETS),
                .W(SET_W)
            ) u_head_id (
                .onehot(match),
                .bin   (head_id)
            );
            wire [SET_W-1:0] at = (on_way && way_head == head_id) ? way_set : head_id;
            assign tail_id = at & {SET_W{hit && !tail_full}};
            assign tail    = (SET0 << at) & {SETS{hit}};
            assign walking = tail_linked;

            always @(posedge clk `MT_OR_RST) begin
                if (rst) begin
                    on_way   <= 1'b0;
                    way_head <= {SET_W{1'b0}};
                    way_set  <= {SET_W{1'b0}};
                end else begin
                    on_way   <= req_valid && hit && !req_ready;
                    way_head <= head_id;
                    way_set  <= tail_linked ? tail_next : at;
                end
            end
        end
    endgenerate

    // ---- free counts. There are two for shared sets: `due` also counts sets that are drained but not yet free.
    wire             cur_shared = |(SHARED & (SET0 << cur));
    wire             freed_head;  // a reserved set is freed, which can only be the head
    wire [CNT_W-1:0] due;
    wire [CNT_W-1:0] free_heads, free_shared;
    wire             unused_count = &{1'b0, free_heads, free_shared};
    wire             any_due, heads_pass, due_passes;

    mt_late_count #(
        .W  (CNT_W),
        .MAX(RESERVED_HEADS)
    ) u_heads (
        .clk   (clk),
        .rst   (rst),
        .up    (freed_head),
        .down  (take_reserved),
        .count (free_heads),
        .any   (any_head),
        .passes(heads_pass)
    );
    mt_late_count #(
        .W  (CNT_W),
        .MAX(NOT_RESERVED)
    ) u_due (
        .clk   (clk),
        .rst   (rst),
        .up    (set_done && cur_shared),
        .down  (take_shared),
        .count (due),
        .any   (any_due),
        .passes(due_passes)
    );

    generate
        if (EARLY_FREE != 0) begin : gen_early
            wire unused_all_done = all_done;
            assign freed_head  = set_done && !cur_shared;
            assign free_shared = due;
            assign any_shared  = any_due;
        end else begin : gen_together
            reg              held_head;  // the head is drained but not yet free
            reg              was_done, was_taken;
            reg  [CNT_W-1:0] was_free;
            assign freed_head  = all_done && (held_head || !cur_shared);
            assign free_shared = was_done ? due : was_free - {{(CNT_W - 1) {1'b0}}, was_taken};
            assign any_shared  = was_done ? any_due : |was_free[CNT_W-1:1] || (was_free[0] && !was_taken);
            always @(posedge clk `MT_OR_RST) begin
                if (rst) begin
                    held_head <= 1'b0;
                    was_done  <= 1'b1;
                end else begin
                    if (set_done) held_head <= !all_done && (held_head || !cur_shared);
                    was_done <= all_done;
                end
            end
            always @(posedge clk) begin
                was_taken <= take_shared;
                was_free  <= free_shared;
            end
        end
    endgenerate

    // ---- errors. Internal faults are detected from registers.
    wire [1:0] fault = (ret_start && !ret_known) ? `MSHR_ERR_RETURN
                     : (any_head && !found_head || any_shared && !found_shared) ? `MSHR_ERR_ATTACH
                     : (heads_pass || due_passes) ? `MSHR_ERR_COUNT
                     : `MSHR_OK;

    assign stop = err != `MSHR_OK;

    always @(posedge clk `MT_OR_RST) begin
        if (rst) err <= `MSHR_OK;
        else if (!stop) err <= fault;
    end

`ifdef FORMAL
`include "dau_contract.vh"
`endif
endmodule

`default_nettype wire
