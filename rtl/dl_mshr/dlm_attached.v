// SPDX-License-Identifier: Apache-2.0
// Manages the attached sets, which have no address and no comparator. Each set stores its head, the next set, and
// whether it is the first or the last set attached to that head. A head stores no pointer: is_first and is_last of the
// attached sets replace it.
`default_nettype none
`include "mt_reset.vh"

module dlm_attached #(
    // number of sets
    parameter N = 24,
    // number of the first set
    parameter BASE = 40,
    // widths of a set number and a head number
    parameter SET_W = 6,
    parameter HEAD_W = 6
) (
    input  wire              clk,
    input  wire              rst,
    // request
    input  wire [HEAD_W-1:0] head,     // head of the request's super-entry, if it has one
    output wire              linked,   // that super-entry has attached sets
    output wire [SET_W-1:0]  last_id,  // last attached set; 0 if there is none
    output wire              any_free,
    output wire [SET_W-1:0]  free_id,  // 0 if no set is free
    input  wire              link,     // attach the free set to `head`
    input  wire              late,     // `head` is under drain
    // RET and drain
    input  wire [HEAD_W-1:0] ret_head,
    input  wire              ret_hit,  // ret_head equals `head`
    input  wire              to_head,  // ret_head is the head under drain after this edge, if any head is
    input  wire [SET_W-1:0]  cur,
    output wire              at_head,  // `cur` is a head
    output wire              cur_linked,
    output wire [SET_W-1:0]  cur_successor,
    input  wire              all_done  // the drain ends, which frees its sets
);
    localparam LOW_W = (N < 3) ? 1 : $clog2(N);
    localparam HIGH = (BASE >> LOW_W) << LOW_W;

    // The low bits of a set number identify an attached set, so only they are stored. Returns the full number.
    function [SET_W-1:0] number(input [LOW_W-1:0] low_bits);
        reg [31:0] n;
        begin
            n      = HIGH + {{(32 - LOW_W) {1'b0}}, low_bits};
            n      = (n < BASE) ? n + (1 << LOW_W) : n;
            number = n[SET_W-1:0];
        end
    endfunction

    reg  [N-1:0]        used, is_first, is_last;
    reg  [N-1:0]        in_drain;   // attached sets of the super-entry under drain
    wire [N-1:0]        taken;      // one-hot: the set allocated in this cycle
    wire [N-1:0]        tail_at;    // one-hot: the last set attached to `head`
    wire [N-1:0]        at_cur;     // one-hot or 0: the set with the low bits of `cur`, even if `cur` is a head
    wire [N*HEAD_W-1:0] owners;     // head of each set
    wire [N*LOW_W-1:0] successors;      // low bits of the number of the next set
    wire [N-1:0]        of_head;    // the set is attached to `head`
    wire [N-1:0]        of_ret;     // the set is attached to ret_head
    wire [N-1:0]        free;       // one-hot: the set that can be allocated
    genvar              g;
    generate
        for (g = 0; g < N; g = g + 1) begin : gen_set
            localparam integer NUMBER = BASE + g;
            // Both fields of a free set, and the successor of a last set, are don't-care.
            reg [HEAD_W-1:0] owner;
            reg [LOW_W-1:0] successor;
            assign owners[g*HEAD_W+:HEAD_W] = owner;
            assign of_head[g] = owners[g*HEAD_W+:HEAD_W] == head;
            assign of_ret[g]  = owners[g*HEAD_W+:HEAD_W] == ret_head;
            assign at_cur[g]  = cur[LOW_W-1:0] == NUMBER[LOW_W-1:0];
            assign successors[g*LOW_W+:LOW_W]  = successor;
            always @(posedge clk) begin
                if (free[g]) owner <= head;
                if (tail_at[g]) successor <= free_id[LOW_W-1:0];
            end
        end
    endgenerate

    assign tail_at = used & is_last & of_head;
    assign linked  = |tail_at;
    assign taken   = free & {N{link}};

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
    wire [N-1:0]      drain_first = in_drain & is_first;
    wire [SET_W-1:0]  first_id;
    wire [LOW_W-1:0] successor_low;
    assign at_head       = {{(32 - SET_W) {1'b0}}, cur} < BASE;
    assign cur_linked    = at_head ? |in_drain : !(|(at_cur & is_last));
    assign cur_successor = at_head ? first_id : number(successor_low);

    mt_onehot_mux #(
        .N(N),
        .W(LOW_W)
    ) u_successor (
        .sel  (at_cur),
        .words(successors),
        .word (successor_low)
    );

    // numbers of the sets that are selected one-hot
    wire [BASE+N-1:0] last_all = {tail_at, {BASE{1'b0}}};
    wire [BASE+N-1:0] first_all = {drain_first, {BASE{1'b0}}};
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

    // ---- clock edge
    wire grows = link && (to_head ? ret_hit : late);  // the super-entry under drain gets the free set
    always @(posedge clk `MT_OR_RST)
        if (rst) used <= {N{1'b0}};
        else used <= (used & ~(in_drain & {N{all_done}})) | taken;
    always @(posedge clk) begin
        is_first <= (is_first & ~free) | (free & {N{!linked}});
        is_last  <= (is_last & ~(tail_at & {N{link}})) | free;
        in_drain <= (to_head ? used & of_ret : in_drain) | (free & {N{grows}});
    end
endmodule

`default_nettype wire
