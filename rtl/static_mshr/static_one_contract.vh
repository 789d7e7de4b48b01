// SPDX-License-Identifier: Apache-2.0
// Contract of static_mshr with LOOKUP=1: the state invariants from which the guarantees of its ports follow
// (static_mshr_contract.vh).
// Wires with `hierconn` connect by name to registers of submodules; a missing name stops the run.
(* hierconn *) wire [ENTRIES*FILL_W-1:0] \u_fill.fill ;
(* hierconn *) wire [ENTRIES*ADDR_W-1:0] \u_cam.f_tags ;

assign f_is_free = is_free;
assign f_is_full = is_full;
assign f_at_cur  = at_cur;
wire [ENTRIES-1:0]  f_drained = (ENTRY0 << cur) & {ENTRIES{active}};

wire [ENTRIES-1:0]  i_fill, i_match, i_heads, i_address, i_block, i_state;

genvar g, h;
for (g = 0; g < ENTRIES; g = g + 1) begin : f_of_entry
    wire [FILL_W-1:0]  fill = \u_fill.fill [g*FILL_W+:FILL_W];
    wire [ADDR_W-1:0]  tag = \u_cam.f_tags [g*ADDR_W+:ADDR_W];
    wire [ENTRIES-1:0] same_tag;
    wire               in_live = matchable[g] && f_live && f_head == g;
    wire               in_drain = f_drained[g] && f_drain;
    wire [3:0]         st = st_state[4*g+:4];

    for (h = 0; h < ENTRIES; h = h + 1) begin : f_to
        assign same_tag[h] = f_of_entry[h].tag == tag;
    end
    assign f_rows[g*FILL_W+:FILL_W] = fill;
    assign f_live_at[g]  = in_live && f_kset == 0;
    assign f_drain_at[g] = in_drain && f_kset == 0;

    assign i_fill[g]    = fill <= F_SLOTS && is_free[g] == (fill == 0);
    assign i_match[g]   = matchable[g] == (!is_free[g] && !f_drained[g]);
    assign i_heads[g]   = f_heads[g] == matchable[g];
    // no two matchable entries have the same address
    assign i_address[g] = !matchable[g] || (same_tag & matchable & ~(ENTRY0 << g)) == 0;
    // the chosen block: the owner of each entry; its fill
    assign i_block[g]   = (!matchable[g] || (tag == f_x) == in_live) && (!in_live || fill == f_fill) &&
        (!in_drain || fill == f_end_fill);
    // S4 is S2 after a merge was refused
    assign i_state[g]   = is_free[g] ? st == `MSHR_S0 : f_drained[g] ? st == `MSHR_S5
        : fill == F_SLOTS ? st == `MSHR_S2 || st == `MSHR_S4 : st == `MSHR_S1;
end

reg  [FILL_W-1:0] f_cur_fill;
integer           f_s;
always @* begin
    f_cur_fill = {FILL_W{1'b0}};
    for (f_s = 0; f_s < ENTRIES; f_s = f_s + 1)
        f_cur_fill = f_cur_fill | (f_rows[f_s*FILL_W+:FILL_W] & {FILL_W{cur == f_s}});
    if (f_run) begin
        a_fill:     assert (&i_fill);
        a_match:    assert (&i_match);
        a_heads:    assert (&i_heads);
        a_address:  assert (&i_address);
        a_one_hot:  assert ((match & (match - 1'b1)) == 0);
        a_block:    assert (&i_block);
        a_state:    assert (f_err || &i_state);

        // the drain
        a_busy:     assert (active == f_busy);
        a_cur:      assert (!active || (|(~is_free & (ENTRY0 << cur)) && f_slot < f_cur_fill));

        // the chosen block
        a_live:     assert (!f_live ||
                            (|(matchable & (ENTRY0 << f_head)) && f_set == 0 && f_fill != 0 && f_fill <= F_SLOTS));
        a_drain:    assert (!f_drain || (active && f_dset == 0 && f_end_set == 0 && f_slot == f_dslot));

        c_word:     cover (f_out_word && f_rsp && f_kset == 0 && f_kslot == SLOTS - 1);
    end
end
