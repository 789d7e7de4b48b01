// SPDX-License-Identifier: Apache-2.0
// Contract of static_mshr with LOOKUP=2: the state invariants from which the guarantees of its ports follow
// (static_mshr_contract.vh).
// Wires with `hierconn` connect by name to registers of submodules; a missing name stops the run.
(* hierconn *) wire [ENTRIES*ADDR_W-1:0] \u_heads.u_cam.f_tags ;
(* hierconn *) wire [ADDR_W-1:0] \u_heads.addr ;
(* hierconn *) wire [ENTRIES-1:0] \u_heads.match ;
(* hierconn *) wire [ENTRIES-1:0] \u_heads.used ;
wire [ENTRIES-1:0]  used = \u_heads.used ;
(* hierconn *) wire [ENTRIES*SLOT_W-1:0] \u_heads.fill_lows ;
(* hierconn *) wire [SET_W-1:0] \u_heads.drain_head ;
wire [SET_W-1:0]    drain_head = \u_heads.drain_head ;
wire [ENTRIES*SLOT_W-1:0] fill_lows = \u_heads.fill_lows ;
wire [ENTRIES-1:0]  at_cur = (ENTRY0 << drain_head) & {ENTRIES{active}};
wire [ENTRIES-1:0]  f_can_match = used & ~at_cur;
assign f_is_free = ~used;
assign f_at_cur  = at_cur;
wire [ADDR_W-1:0]   f_kept_addr = \u_heads.addr ;

// Returns the number of requests, decoded from the low bits of a count.
function [FILL_W-1:0] f_count_of(input [SLOT_W-1:0] low_bits);
    f_count_of = (SLOTS == 1 || low_bits == 0) ? F_SLOTS : {{(FILL_W - SLOT_W) {1'b0}}, low_bits};
endfunction
function f_is_count(input [SLOT_W-1:0] low_bits);
    f_is_count = low_bits == SLOTS[SLOT_W-1:0] || (low_bits != 0 && low_bits < SLOTS);
endfunction

wire [ENTRIES-1:0]  i_low, i_tag, i_heads, i_block, i_found, i_state;
genvar              g, h;
for (g = 0; g < ENTRIES; g = g + 1) begin : f_of_entry
    wire [ADDR_W-1:0]  tag = \u_heads.u_cam.f_tags [g*ADDR_W+:ADDR_W];
    wire [SLOT_W-1:0]  low = fill_lows[g*SLOT_W+:SLOT_W];
    wire [ENTRIES-1:0] same_tag;
    wire [3:0]         st = st_state[4*g+:4];
    wire [FILL_W-1:0]  fill = f_count_of(low);
    wire               in_live = f_can_match[g] && f_live && f_head == g;
    for (h = 0; h < ENTRIES; h = h + 1) begin : f_to
        assign same_tag[h] = f_can_match[h] && f_of_entry[h].tag == tag && h != g;
    end
    assign f_is_full[g]  = low == SLOTS[SLOT_W-1:0];
    assign f_rows[g*FILL_W+:FILL_W] = used[g] ? fill : {FILL_W{1'b0}};
    assign f_live_at[g]  = in_live && f_kset == 0;
    assign f_drain_at[g] = at_cur[g] && f_drain && f_kset == 0;

    assign i_low[g]   = !used[g] || (f_is_count(low) && (!at_cur[g] || low == cur_fill_low));
    assign i_tag[g]   = !f_can_match[g] || same_tag == 0;
    assign i_heads[g] = f_heads[g] == f_can_match[g];
    assign i_block[g] = (used[g] && at_cur[g]) ? (tag == f_x) == f_drain :
        !f_can_match[g] || ((tag == f_x) == in_live && (!in_live || fill == f_fill));
    // the lookup register equals the result of a comparison in this cycle
    assign i_found[g] = (hit && hit_id == g) ? used[g] && late == at_cur[g] && tag == f_kept_addr && low == hit_fill_low
        : !f_can_match[g] || !f_looked_up || tag != f_kept_addr;
    assign i_state[g] = st == (!used[g] ? `MSHR_S0 : at_cur[g] ? `MSHR_S5 : fill == F_SLOTS ? `MSHR_S2 : `MSHR_S1)
        || (st == `MSHR_S4 && f_can_match[g] && fill == F_SLOTS);
end

always @* begin
    if (f_run) begin
        a_low:     assert (&i_low);
        a_tag:     assert (&i_tag);
        a_heads:   assert (&i_heads);
        a_one_hot: assert ((\u_heads.match & (\u_heads.match - 1'b1)) == 0);
        a_block:   assert (&i_block);
        a_looked:  assert (f_looked_up ? f_kept_addr == f_looked : used == 0 && !hit);
        a_found:   assert (&i_found && (!hit || hit_id < ENTRIES));
        a_state:   assert (f_err || &i_state);
        a_late:    assert (f_err || !f_looked_up || (f_here ? late == f_late && stale == f_stale : !(stale && hit)));
        a_gap:     assert (!f_drain || f_drain_gap == f_gap);
        a_live:    assert (!f_live ||
                           (|(f_can_match & (ENTRY0 << f_head)) && f_set == 0 && f_fill != 0 && f_fill <= F_SLOTS));

        // the drain
        a_busy:    assert (active == f_busy);
        a_cur:     assert (!active ||
                           (cur == drain_head && |(used & at_cur) && f_is_count(cur_fill_low) &&
                           f_slot < f_count_of(cur_fill_low)));
        a_drain:   assert (!f_drain ||
                           (active && f_dset == 0 && f_end_set == 0 && f_slot == f_dslot &&
                           f_end_fill == f_count_of(cur_fill_low)));

        c_word:    cover (f_out_word && f_rsp && f_kset == 0 && f_kslot == SLOTS - 1);
        c_same:    cover (req_valid && req_ready && look && look_addr == f_looked);
    end
end
