// SPDX-License-Identifier: Apache-2.0
// States of the sets in the paper's Figure 8, for the contract and for the observer. The including module has the
// parameters and wires of dl_mshr, of its heads (head_used, head_taken, fill_lows, drain_head, drain_fill_low) and of
// its attached sets (attached_used, taken, tail_at, at_cur, in_drain, is_last, owners) that are read here.
reg     [SETS-1:0]   f_waits;     // a merge into the set was refused
reg     [ATTACHED_N-1:0]      f_seen;      // attached sets that the drain has visited
reg     [SET_W-1:0]  f_bad;       // set that the error refers to
reg     [HEADS-1:0]  f_has_sets;  // heads with attached sets
reg     [4*SETS-1:0] f_state;
reg     [SLOT_W-1:0] f_tail_fill;
integer              f_i_set, f_bit, f_owner;
wire    [ATTACHED_N-1:0]      f_releasing = in_drain & {ATTACHED_N{active}}
    & (f_seen | (at_cur & {ATTACHED_N{!at_head}}));
wire    [SETS-1:0]   f_refused = linked ? {tail_at, {HEADS{1'b0}}} :
    {{ATTACHED_N{1'b0}}, {{(HEADS - 1) {1'b0}}, 1'b1} << id};

always @(posedge clk `MT_OR_RST)
    if (rst) f_waits <= {SETS{1'b0}};
    else f_waits <= (f_waits & ~{taken, head_taken}) | (f_refused & {SETS{live && hit && !req_ready}});
always @(posedge clk) begin
    f_seen <= to_head ? {ATTACHED_N{1'b0}} : f_releasing;
    if (!fault) f_bad <= ret_head;
end
always @* begin
    f_has_sets  = {HEADS{1'b0}};
    f_tail_fill = {SLOT_W{1'b0}};
    f_owner     = 0;
    for (f_i_set = 0; f_i_set < ATTACHED_N; f_i_set = f_i_set + 1) begin
        for (f_bit = 0; f_bit < HEAD_W; f_bit = f_bit + 1) f_owner[f_bit] = owners[f_i_set*HEAD_W+f_bit];
        for (f_bit = 0; f_bit < SLOT_W; f_bit = f_bit + 1)
            f_tail_fill[f_bit] = (in_drain[f_i_set] && active) ? drain_fill_low[f_bit]
                : fill_lows[f_owner*SLOT_W+f_bit];
        if (attached_used[f_i_set] && !(in_drain[f_i_set] && active)) f_has_sets[f_owner] = 1'b1;
        f_state[4*(HEADS+f_i_set)+:4] = (fault && f_bad == f_i_set[SET_W-1:0] + HEADS[SET_W-1:0]) ? `MSHR_SERR
            : !attached_used[f_i_set] ? `MSHR_S0
            : f_releasing[f_i_set] ? `MSHR_S10
            : !is_last[f_i_set] ? `MSHR_S8
            : f_waits[HEADS+f_i_set] ? `MSHR_S9
            : f_tail_fill == FULL ? `MSHR_S7 : `MSHR_S6;
    end
    for (f_i_set = 0; f_i_set < HEADS; f_i_set = f_i_set + 1)
        f_state[4*f_i_set+:4] = (fault && f_bad == f_i_set[SET_W-1:0]) ? `MSHR_SERR
            : !head_used[f_i_set] ? `MSHR_S0
            : (active && drain_head == f_i_set[HEAD_W-1:0]) ? `MSHR_S5
            : f_has_sets[f_i_set] ? `MSHR_S3
            : f_waits[f_i_set] ? `MSHR_S4
            : fill_lows[f_i_set*SLOT_W+:SLOT_W] == FULL ? `MSHR_S2 : `MSHR_S1;
end
