// SPDX-License-Identifier: Apache-2.0
// Contract of hir_order for one position in the order, chosen by the solver. f_kept: the entry at that position. f_out:
// position of the entry at the output; f_shown: its number. f_since: number of cycles that `busy` has been 1, at most
// 3.
(* anyconst *) reg [COUNT_W-1:0] f_place;
reg  [ENTRY_W-1:0] f_kept, f_shown;
reg                f_run, f_stood, f_stood_last;
reg  [1:0]         f_since;
localparam [COUNT_W-1:0] F_ENTRIES = ENTRIES;
wire [COUNT_W-1:0] f_next = place - ONE;
wire [COUNT_W-1:0] f_out = place - ONE - {{COUNT_W - 1{1'b0}}, next_valid};
(* hierconn *) wire [ENTRIES*ENTRY_W-1:0] \u_order.f_mem ;
wire [ENTRIES*ENTRY_W-1:0] f_mem = \u_order.f_mem ;
wire f_running = f_run;           // a wire, because `hierconn` to a register would drop its initial value
wire f_at_last = out_valid && out_last;  // no further entry has been read

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run        <= 1'b1;
    f_stood      <= out_valid && !out_ready && !rst;
    f_stood_last <= out_last;
    f_since      <= rst || !busy ? 2'd0 : &f_since ? f_since : f_since + 2'd1;
    if (enter && count == f_place) f_kept <= enter_entry;
    if (re) f_shown <= entry;
end

always @* begin
    r_chosen: assume (f_place < F_ENTRIES);
    if (!f_run) r_reset: `RULE_hir_order (rst);
    if (f_run) begin
        r_enter: `RULE_hir_order (!enter || (!send && count < F_ENTRIES));
        r_flush: `RULE_hir_order (!enter || !busy || f_since == 2'd0);

        // sending
        sent_in_order:  assert (!(out_valid && f_out == f_place) || f_shown == f_kept);
        sent_last:      assert (!out_valid || out_last == (f_out == count - ONE));
        sent_all:       assert (!done || count == {COUNT_W{1'b0}} || f_out == count - ONE);
        stands:         assert (!f_stood || (out_valid && out_last == f_stood_last));
        from_t4_on:     assert (!(busy && f_since == 2'd3) || out_valid);
        not_before:     assert (!out_valid || (busy && f_since == 2'd3));
        nothing_short:  assert (!(busy && count == {COUNT_W{1'b0}}) || f_since <= 2'd1);
        // the order, and the number of entries read
        kept:           assert (f_place >= count || f_mem[f_place*ENTRY_W+:ENTRY_W] == f_kept);
        count_in_range: assert (count <= F_ENTRIES && place <= count);
        read_next:      assert (!(next_valid && f_next == f_place) || entry == f_kept);
        read_none:      assert (send ? busy : !next_valid && !out_valid && !all_read && place == {COUNT_W{1'b0}});
        read_all:       assert (all_read == (place == count && place != {COUNT_W{1'b0}}));
        read_ahead:     assert (place >= {{COUNT_W - 1{1'b0}}, next_valid} + {{COUNT_W - 1{1'b0}}, out_valid});
        read_first:     assert (!busy || f_since == 2'd3 || place == {{COUNT_W - 1{1'b0}}, f_since == 2'd2});
        read_steps:     assert (!busy || (send == (f_since != 2'd0) && next_valid == (f_since >= 2'd2 && !f_at_last)));

        c_last:   cover (out_valid && out_last && f_out == f_place && (f_place != {COUNT_W{1'b0}} || ENTRIES < 2));
        c_stands: cover (f_stood && (next_valid || ENTRIES < 2));
        c_none:   cover (done && count == {COUNT_W{1'b0}});
    end
end
