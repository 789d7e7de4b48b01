// SPDX-License-Identifier: Apache-2.0
// Slot sets of a DL-MSHR with attach-only sets: heads (mshr_heads.v) and sets that are attached to them (dlm_attached.v); and the judgement of
// the request, from registers alone. What the drain and the slots ask is answered as dlm_sets.v and dau.v answer it for sets of one kind.
`default_nettype none
`include "mshr_defs.vh"
`include "mt_reset.vh"

module dlm_split #(
    // slot sets, 3..256
    parameter SETS = 64,
    // sets 0..HEADS-1 can only be heads, the others only be attached
    parameter HEADS = 52,
    // slots of a set, 1..64
    parameter SLOTS = 4,
    // bits of a block address
    parameter ADDR_W = 25,
    // 1: a set is free as it empties, 0: all sets of a super-entry together
    parameter EARLY_FREE = 0,
    // 1: the state is shown; 0: the st_ ports are 0
    parameter OBSERVE = 1,
    // bits of a set number, a free count, a slot number (given by the block)
    parameter SET_W = 6,
    parameter CNT_W = 7,
    parameter SLOT_W = 2
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              look,
    input  wire [ADDR_W-1:0] look_addr,
    output wire [ADDR_W-1:0] sought,      // that was looked up last
    // request
    input  wire              req_valid,
    output wire              req_ready,
    output wire [1:0]        req_refuse,
    output wire              req_primary,
    output wire [SET_W-1:0]  req_head,
    // where it is stored
    output wire              slot_we,
    output wire [SET_W-1:0]  slot_wset,
    output wire [SLOT_W-1:0] slot_wslot,
    // return and drain
    input  wire              ret_start,
    input  wire [SET_W-1:0]  ret_head,
    output wire              ret_known,
    input  wire              active,
    input  wire [SET_W-1:0]  cur,
    output wire [SLOT_W-1:0] cur_slots,
    output wire              cur_linked,
    output wire [SET_W-1:0]  cur_next,
    input  wire              to_head,
    input  wire              set_done,
    input  wire              all_done,
    // errors and what is observed
    output wire              stop,
    output wire [1:0]        err,
    output wire [CNT_W-1:0]  free_heads,
    output wire [CNT_W-1:0]  free_shared,
    output wire [4*SETS-1:0] st_state
);
    localparam N = SETS - HEADS;
    localparam HEAD_W = $clog2(HEADS);
    localparam [SLOT_W-1:0] FULL = SLOTS[SLOT_W-1:0];

    wire                    hit, full, linked, any_head, any_shared, at_head, ret_hit;
    wire [HEAD_W-1:0]       id, head_free, gone;
    wire [SLOT_W-1:0]       low, gone_low;
    wire [SET_W-1:0]        last_id, shared_free;
    wire [HEADS-1:0]        head_used, head_taken;
    wire [HEADS*SLOT_W-1:0] lows;
    wire [N-1:0]            used, taken, ours, at_cur, in_drain, last;
    wire [N*HEAD_W-1:0]     owner;

    // ---- judgement
    reg  fault;  // RET named no returnable head
    wire live = req_valid && !fault;
    wire take = live && !hit && any_head;
    wire add = live && hit && !full;
    wire link = live && hit && full && any_shared;

    assign stop        = fault;
    assign req_ready   = !fault && (hit ? !full || any_shared : any_head);
    assign req_primary = !hit;
    assign req_refuse  = (fault || req_ready) ? `MSHR_REFUSE_NONE : hit ? `MSHR_REFUSE_MERGE_FULL : `MSHR_REFUSE_ENTRY_FULL;
    assign req_head    = {{(SET_W - HEAD_W) {1'b0}}, head_free};

    assign slot_we    = req_valid && req_ready;
    assign slot_wset  = !hit ? req_head : full ? shared_free : linked ? last_id : {{(SET_W - HEAD_W) {1'b0}}, id};
    assign slot_wslot = (hit && !full) ? low : {SLOT_W{1'b0}};

    always @(posedge clk `MT_OR_RST)
        if (rst) fault <= 1'b0;
        else fault <= fault || (ret_start && !ret_known);
    assign err = fault ? `MSHR_ERR_RETURN : `MSHR_OK;

    // ---- sets
    wire draining = active && (EARLY_FREE == 0 || at_head);

    mshr_heads #(
        .N     (HEADS),
        .SLOTS (SLOTS),
        .ADDR_W(ADDR_W),
        .W     (HEAD_W),
        .SET_W (SET_W),
        .SLOT_W(SLOT_W)
    ) u_heads (
        .clk       (clk),
        .rst       (rst),
        .look      (look),
        .look_addr (look_addr),
        .addr      (sought),
        .hit       (hit),
        .id        (id),
        .low       (low),
        .full      (full),
        .any_free  (any_head),
        .free_id   (head_free),
        .take      (take),
        .add       (add),
        .link      (link),
        .ret_head  (ret_head),
        .ret_known (ret_known),
        .ret_hit   (ret_hit),
        .to_head   (to_head),
        .draining  (draining),
        .gone      (gone),
        .gone_low  (gone_low),
        .release_it(EARLY_FREE != 0 ? set_done && at_head : all_done),
        .used      (head_used),
        .taken     (head_taken),
        .lows      (lows)
    );
    dlm_attached #(
        .N         (N),
        .BASE      (HEADS),
        .EARLY_FREE(EARLY_FREE),
        .SET_W     (SET_W),
        .HEAD_W    (HEAD_W)
    ) u_attached (
        .clk       (clk),
        .rst       (rst),
        .head      (id),
        .linked    (linked),
        .last_id   (last_id),
        .any_free  (any_shared),
        .free_id   (shared_free),
        .link      (link),
        .ret_head  (ret_head),
        .ret_hit   (ret_hit),
        .to_head   (to_head),
        .active    (active),
        .cur       (cur),
        .at_head   (at_head),
        .cur_linked(cur_linked),
        .cur_next  (cur_next),
        .set_done  (set_done),
        .all_done  (all_done),
        .used      (used),
        .taken     (taken),
        .ours      (ours),
        .at_cur    (at_cur),
        .gone      (in_drain),
        .last      (last),
        .owner     (owner)
    );
    // A set with one behind it is full.
    assign cur_slots = cur_linked ? FULL : gone_low;

    // ---- the state of the paper's Figure 8, and the free counts
    generate
        if (OBSERVE != 0) begin : gen_observe
            reg  [SETS-1:0]   waits;    // the last request for it was refused
            reg  [N-1:0]      seen;     // attached sets that the drain has been at
            reg  [SET_W-1:0]  bad_set;  // the set that the error names
            reg  [HEADS-1:0]  has_sets;
            reg  [4*SETS-1:0] state;
            reg  [CNT_W-1:0]  n_heads, n_shared;
            reg  [SLOT_W-1:0] tail_low;
            integer           s, b, of;

            wire [N-1:0]      releasing = in_drain & {N{active}} & (seen | (at_cur & {N{!at_head}}));
            wire              refuse = live && hit && !req_ready;
            wire [SETS-1:0]   refused = linked ? {ours, {HEADS{1'b0}}} : {{N{1'b0}}, {{(HEADS - 1) {1'b0}}, 1'b1} << id};

            always @(posedge clk `MT_OR_RST)
                if (rst) waits <= {SETS{1'b0}};
                else waits <= (waits & ~{taken, head_taken}) | (refused & {SETS{refuse}});
            always @(posedge clk) begin
                seen <= to_head ? {N{1'b0}} : releasing;
                if (!fault) bad_set <= ret_head;
            end
            always @* begin
                has_sets = {HEADS{1'b0}};
                n_heads  = {CNT_W{1'b0}};
                n_shared = {CNT_W{1'b0}};
                tail_low = {SLOT_W{1'b0}};
                of       = 0;
                for (s = 0; s < N; s = s + 1) begin
                    for (b = 0; b < HEAD_W; b = b + 1) of[b] = owner[b*N+s];
                    for (b = 0; b < SLOT_W; b = b + 1) tail_low[b] = (in_drain[s] && active) ? gone_low[b] : lows[b*HEADS+of];
                    if (used[s] && !(in_drain[s] && active)) has_sets[of] = 1'b1;
                    if (!used[s]) n_shared = n_shared + 1'b1;
                    state[4*(HEADS+s)+:4] = (fault && bad_set == s[SET_W-1:0] + HEADS[SET_W-1:0]) ? `MSHR_SERR
                        : !used[s] ? `MSHR_S0
                        : releasing[s] ? `MSHR_S10
                        : !last[s] ? `MSHR_S8
                        : waits[HEADS+s] ? `MSHR_S9
                        : tail_low == FULL ? `MSHR_S7 : `MSHR_S6;
                end
                for (s = 0; s < HEADS; s = s + 1) begin
                    for (b = 0; b < SLOT_W; b = b + 1) tail_low[b] = lows[b*HEADS+s];
                    if (!head_used[s]) n_heads = n_heads + 1'b1;
                    state[4*s+:4] = (fault && bad_set == s[SET_W-1:0]) ? `MSHR_SERR
                        : !head_used[s] ? `MSHR_S0
                        : (draining && gone == s[HEAD_W-1:0]) ? `MSHR_S5
                        : has_sets[s] ? `MSHR_S3
                        : waits[s] ? `MSHR_S4
                        : tail_low == FULL ? `MSHR_S2 : `MSHR_S1;
                end
            end
            assign st_state    = state;
            assign free_heads  = n_heads;
            assign free_shared = n_shared;
        end else begin : gen_no_observe
            wire unused_state = &{1'b0, head_used, head_taken, lows, used, taken, ours, at_cur, in_drain, last, owner, gone};
            assign st_state    = {4 * SETS{1'b0}};
            assign free_heads  = {CNT_W{1'b0}};
            assign free_shared = {CNT_W{1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
