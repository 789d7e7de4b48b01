// SPDX-License-Identifier: Apache-2.0
// Sets that can only be attached: no address and no comparator. Each holds the head that it belongs to, whether it is the first or the last
// set behind that head, and the next set. A head holds no pointer: its first and last set are those that say so.
`default_nettype none
`include "mt_reset.vh"

module dlm_attached #(
    // sets
    parameter N = 12,
    // number of the first of them
    parameter BASE = 52,
    // 1: a set is free as it empties, 0: all sets of a super-entry together
    parameter EARLY_FREE = 0,
    // bits of a set's number, of a head's
    parameter SET_W = 6,
    parameter HEAD_W = 6
) (
    input  wire              clk,
    input  wire              rst,
    // request
    input  wire [HEAD_W-1:0] head,         // of its super-entry, if there is one
    output wire              linked,       // that has sets here
    output wire [SET_W-1:0]  last_id,      // the last of them; 0 if there is none
    output wire              any_free,
    output wire [SET_W-1:0]  free_id,      // 0 if there is none
    input  wire              link,         // the free set is attached behind `head`
    // RET and drain
    input  wire [SET_W-1:0]  ret_head,
    input  wire              ret_hit,      // ret_head is `head`
    input  wire              to_head,      // after this edge ret_head is under drain, if any is
    input  wire              active,       // the drain stands on set `cur`
    input  wire [SET_W-1:0]  cur,
    output wire              at_head,      // that is a head
    output wire              cur_linked,
    output wire [SET_W-1:0]  cur_next,
    input  wire              set_done,
    input  wire              all_done,
    // for those who observe
    output reg  [N-1:0]      used,
    output wire [N-1:0]      taken,        // one-hot: this one is taken
    output wire [N-1:0]      ours,         // one-hot: the last set behind `head`
    output wire [N-1:0]      at_cur,
    output reg  [N-1:0]      gone,         // sets of the super-entry under drain
    output reg  [N-1:0]      last,
    output reg  [N*HEAD_W-1:0] owner       // in columns
);
    localparam NEXT_W = (N < 3) ? 1 : $clog2(N);
    localparam HIGH = (BASE >> NEXT_W) << NEXT_W;

    // The low bits of their numbers tell these sets apart, and are all that is stored.
    function [SET_W-1:0] number(input [NEXT_W-1:0] low_bits);
        reg [31:0] n;
        begin
            n      = HIGH + {{(32 - NEXT_W) {1'b0}}, low_bits};
            n      = (n < BASE) ? n + (1 << NEXT_W) : n;
            number = n[SET_W-1:0];
        end
    endfunction

    reg  [N-1:0]        first;
    reg  [N*NEXT_W-1:0] next;
    reg  [N-1:0]        other, ret_other;  // sets of other heads than that of the request, than ret_head
    integer             b;
    always @* begin
        other     = {N{1'b0}};
        ret_other = {N{1'b0}};
        for (b = 0; b < HEAD_W; b = b + 1) begin
            other     = other | (owner[b*N+:N] ^ {N{head[b]}});
            ret_other = ret_other | (owner[b*N+:N] ^ {N{ret_head[b]}});
        end
    end

    // With EARLY_FREE a new super-entry may have the head whose attached sets are still under drain.
    wire [N-1:0] live = EARLY_FREE != 0 ? used & ~(gone & {N{active}}) : used;
    wire [N-1:0] free;
    assign ours   = live & last & ~other;
    assign linked = |ours;
    assign taken  = free & {N{link}};

    mt_first_id #(
        .N   (N),
        .BASE(BASE),
        .W   (SET_W)
    ) u_free (
        .in   (~used),
        .first(free),
        .any  (any_free),
        .id   (free_id)
    );

    // ---- drain
    wire [N-1:0]      first_gone = gone & first;
    wire [N-1:0]      ret_last = live & last & ~ret_other;
    wire [SET_W-1:0]  first_id, ret_last_id;
    wire [NEXT_W-1:0] next_low;
    reg  [SET_W-1:0]  final_set;  // of the super-entry under drain; its head, if it has no other
    assign at_head    = {{(32 - SET_W) {1'b0}}, cur} < BASE;
    assign cur_linked = cur != final_set;
    assign cur_next   = at_head ? first_id : number(next_low);

    genvar g;
    generate
        for (g = 0; g < N; g = g + 1) begin : gen_at_cur
            localparam integer NUMBER = BASE + g;
            assign at_cur[g] = cur[NEXT_W-1:0] == NUMBER[NEXT_W-1:0];
        end
    endgenerate
    mt_onehot_mux #(
        .N(N),
        .W(NEXT_W)
    ) u_next (
        .sel (at_cur),
        .cols(next),
        .word(next_low)
    );

    // numbers of one-hot sets
    wire [BASE+N-1:0] last_all = {ours, {BASE{1'b0}}};
    wire [BASE+N-1:0] first_all = {first_gone, {BASE{1'b0}}};
    wire [BASE+N-1:0] ret_last_all = {ret_last, {BASE{1'b0}}};
    mt_onehot_enc #(
        .N(BASE + N),
        .W(SET_W)
    ) u_last_id (
        .onehot(last_all),
        .bin   (last_id)
    );
    mt_onehot_enc #(
        .N(BASE + N),
        .W(SET_W)
    ) u_first_id (
        .onehot(first_all),
        .bin   (first_id)
    );
    mt_onehot_enc #(
        .N(BASE + N),
        .W(SET_W)
    ) u_ret_last_id (
        .onehot(ret_last_all),
        .bin   (ret_last_id)
    );

    // ---- at the edge. What a free set holds means nothing, nor what is next to a last one: these are written without asking.
    wire [N-1:0] freed = EARLY_FREE != 0 ? at_cur & {N{set_done && !at_head}} : gone & {N{all_done}};
    integer      c;
    always @(posedge clk `MT_OR_RST)
        if (rst) used <= {N{1'b0}};
        else used <= (used & ~freed) | taken;
    always @(posedge clk) begin
        if (to_head) final_set <= (link && ret_hit) ? free_id : |ret_last ? ret_last_id : ret_head;
        first <= (first & ~free) | (free & {N{!linked}});
        last  <= (last & ~(ours & {N{link}})) | free;
        if (to_head) gone <= (live & ~ret_other) | (free & {N{link && ret_hit}});
        else if (EARLY_FREE != 0) gone <= gone & ~freed;
        for (c = 0; c < HEAD_W; c = c + 1) owner[c*N+:N] <= (owner[c*N+:N] & ~free) | (free & {N{head[c]}});
        for (c = 0; c < NEXT_W; c = c + 1) next[c*N+:N] <= (next[c*N+:N] & ~ours) | (ours & {N{free_id[c]}});
    end
endmodule

`default_nettype wire
