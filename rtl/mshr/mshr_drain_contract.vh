// SPDX-License-Identifier: Apache-2.0
// Contract of mshr_drain. It assumes only an initial reset; what the environment must guarantee is part of the block's
// contract.
reg              f_run;  // reset has been applied
reg              f_idle_before, f_waits, f_more, f_end, f_start;
reg [SET_W-1:0]  f_cur, f_next, f_head, f_read_set;
reg [SLOT_W-1:0] f_slot, f_read_slot;

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run         <= 1'b1;
    f_idle_before <= rst || !(active && !all_done);
    f_waits       <= !rst && active && !step;
    f_more        <= !rst && step && !at_end;
    f_end         <= end_of_set;
    f_start       <= !rst && start && ret_known;
    f_cur         <= cur;
    f_slot        <= slot;
    f_next        <= cur_successor;
    f_head        <= ret_head;
    if (slot_re) begin
        f_read_set  <= slot_rset;
        f_read_slot <= slot_rslot;
    end
end

always @* begin
    if (!f_run) r_reset: `RULE_mshr_drain (rst);
    if (f_run) begin
        a_ready: assert (ret_ready == (!stop && (!active || (all_done && !late))));
        // a request that merges with the last response makes the drain longer
        r_late:  `RULE_mshr_drain (!grow || late);
        r_grown: `RULE_mshr_drain (!gap || (active && !at_end));
        a_valid: assert (rsp_valid == (active && !gap && !stop));
        a_last:  assert (all_done == (set_done && !cur_linked) && all_done == (rsp_valid && rsp_ready && rsp_last));
        a_end:   assert (set_done == (step && cur_fill_low == slot + ONE));
        // position: unchanged if the response was not accepted, or if a request merged with the last one; else the next
        // slot, the first slot of the next set, or the first slot of the head
        a_stays: assert (!f_waits || (active && cur == f_cur && slot == f_slot));
        a_next:  assert (!f_more ||
                         (active && (f_end ? cur == f_next && slot == 0 : cur == f_cur && slot == f_slot + 1'b1)));
        a_start: assert (!f_start || (active && cur == f_head && slot == 0));
        a_idle:  assert (!active || !f_idle_before || f_start);
        // the slot of the current response has been read
        a_read:  assert (!active || (f_read_set == cur && f_read_slot == slot));
        c_next:  cover (f_more && f_end && rsp_valid && rsp_last);
        c_chain: cover (f_start && f_idle_before && active && f_cur != cur);
        c_waits: cover (f_waits && slot != 0);
        c_gap:   cover (gap && rsp_ready);
    end
end
