// SPDX-License-Identifier: Apache-2.0
// States of the entries in the paper's Figure 8, and number of free entries, for the contract and for the observer. The
// including module has the wires of static_mshr that are read here, and f_is_free, f_is_full and f_at_cur: the entries
// that are free, that are full, and that are drained.
reg     [ENTRIES-1:0]   f_waits;  // a merge was refused
reg     [SET_W-1:0]     f_bad;    // entry that the error refers to
reg     [4*ENTRIES-1:0] f_state;
reg     [CNT_W-1:0]     f_n_free;  // number of free entries
wire                    f_refused = live && hit && hit_full;
integer                 f_n;
always @(posedge clk `MT_OR_RST) begin
    if (rst) begin
        f_waits <= {ENTRIES{1'b0}};
        f_bad   <= {SET_W{1'b0}};
    end else begin
        f_waits <= (f_waits & ~(({{ENTRIES - 1{1'b0}}, 1'b1} << free_id) & {ENTRIES{take}})) |
            (({{ENTRIES - 1{1'b0}}, 1'b1} << hit_id) & {ENTRIES{f_refused}});
        if (!stop) f_bad <= ret_head;
    end
end
always @* begin
    f_n_free = {CNT_W{1'b0}};
    for (f_n = 0; f_n < ENTRIES; f_n = f_n + 1) begin
        f_n_free = f_n_free + {{(CNT_W - 1) {1'b0}}, f_is_free[f_n]};
        f_state[4*f_n+:4] = (err == `MSHR_ERR_RETURN && f_bad == f_n[SET_W-1:0]) ? `MSHR_SERR
            : f_is_free[f_n] ? `MSHR_S0
            : f_at_cur[f_n] ? `MSHR_S5
            : f_waits[f_n] ? `MSHR_S4
            : f_is_full[f_n] ? `MSHR_S2 : `MSHR_S1;
    end
end
