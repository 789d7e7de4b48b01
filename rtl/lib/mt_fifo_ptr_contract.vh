// SPDX-License-Identifier: Apache-2.0
// Contract of mt_fifo_ptr. f_count: number of words in the queue.
reg [PTR_W:0] f_count;
reg           f_run;  // reset has been applied
localparam [PTR_W:0] F_DEPTH = DEPTH;
wire [PTR_W:0] f_tail = {1'b0, head} + f_count;

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run   <= 1'b1;
    f_count <= rst ? {(PTR_W + 1) {1'b0}} : f_count + {{PTR_W{1'b0}}, push} - {{PTR_W{1'b0}}, pop};
end

always @* begin
    if (!f_run) r_reset: `RULE_mt_fifo_ptr (rst);
    if (f_run) begin
        r_push: `RULE_mt_fifo_ptr (!(push && full));
        r_pop:  `RULE_mt_fifo_ptr (!(pop && !used));

        count_in_range: assert (f_count <= F_DEPTH && head <= LAST);
        used_if_count:  assert (used == (f_count != 0));
        full_if_count:  assert (full == (f_count == F_DEPTH));
        last_if_one:    assert (!used || last == (f_count == 1));
        tail_behind:    assert ({1'b0, tail} == (f_tail >= F_DEPTH ? f_tail - F_DEPTH : f_tail));

        c_full: cover (full && pop);
        c_wrap: cover (head == LAST && used && last && pop);
    end
end
