// SPDX-License-Identifier: Apache-2.0
// States of the sets in the paper's Figure 8, for the contract and for the observer. The including module has the
// parameters and wires of dl_mshr_paper, of dau (live, walking) and of dlm_sets (l, is_full, at_cur, freed) that are
// read here.
reg     [SETS-1:0]   f_is_head, f_waits;  // the set is a head; a merge into it was refused
reg     [SETS-1:0]   f_seen_sets;         // sets that the drain has visited and that are not free
reg     [SET_W-1:0]  f_bad;               // set that the error refers to
reg     [4*SETS-1:0] f_state;
integer              f_i_set;
wire    [SETS-1:0]   f_releasing = (EARLY_FREE != 0 ? {SETS{1'b0}} : f_seen_sets) | (at_cur & {SETS{active}});
wire                 f_refused = live && !req_ready && hit && !walking;

always @(posedge clk `MT_OR_RST) begin
    if (rst) begin
        f_is_head   <= {SETS{1'b0}};
        f_waits     <= {SETS{1'b0}};
        f_seen_sets <= {SETS{1'b0}};
        f_bad       <= {SET_W{1'b0}};
    end else begin
        f_is_head   <= (f_is_head & ~take) | (take & {SETS{!hit}});
        f_waits     <= (f_waits & ~take) | (tail & {SETS{f_refused}});
        f_seen_sets <= f_releasing & ~freed;
        if (!stop) f_bad <= (ret_start && !ret_known) ? ret_head : take_id;
    end
end
always @*
    for (f_i_set = 0; f_i_set < SETS; f_i_set = f_i_set + 1)
        f_state[4*f_i_set+:4] =
            ((err == `MSHR_ERR_RETURN || err == `MSHR_ERR_ATTACH) && f_bad == f_i_set[SET_W-1:0]) ? `MSHR_SERR
            : is_free[f_i_set] ? `MSHR_S0
            : (f_is_head[f_i_set] ? `MSHR_S0 : `MSHR_S5)
              + (f_releasing[f_i_set] ? `MSHR_S5 : l[f_i_set] ? `MSHR_S3 : f_waits[f_i_set] ? `MSHR_S4
                 : is_full[f_i_set] ? `MSHR_S2 : `MSHR_S1);
