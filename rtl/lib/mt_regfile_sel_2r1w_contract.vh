// SPDX-License-Identifier: Apache-2.0
// Contract of mt_regfile_sel_2r1w for one lane of one word chosen by the solver, f_lane and f_at: either select returns
// the value last written to the lane; if no word is selected, the output is 0.
(* anyconst *) reg [LANES-1:0] f_lane;
(* anyconst *) reg [DEPTH-1:0] f_at;
reg              f_run;      // the first cycle, in which the user is reset, is over
reg              f_written;  // the lane has been written
reg  [W-1:0]     f_word;     // value written last
wire [(1<<ADDR_W)-1:0] f_one = f_at;
wire             f_we = |(we & f_lane) && f_one[waddr];
wire             f_is0 = f_written && |(rsel0 & f_at);
wire             f_is1 = f_written && |(rsel1 & f_at);
reg  [W-1:0]     f_read0, f_read1;  // the lane at each read port
wire [DEPTH-1:0] f_stored;
genvar           f_d, f_l;
integer          f_i;

generate
    for (f_d = 0; f_d < DEPTH; f_d = f_d + 1) begin : gen_f_word
        wire [LANES-1:0] stored;
        for (f_l = 0; f_l < LANES; f_l = f_l + 1) begin : gen_f_lane
            assign stored[f_l] = !f_lane[f_l] || mem[f_d][f_l*W+:W] == f_word;
        end
        assign f_stored[f_d] = !f_at[f_d] || &stored;
    end
endgenerate

initial f_run = 1'b0;
initial f_written = 1'b0;
always @(posedge clk) begin
    f_run <= 1'b1;
    if (f_we) begin
        f_written <= 1'b1;
        f_word    <= wdata;
    end
end

always @* begin
    f_read0 = {W{1'b0}};
    f_read1 = {W{1'b0}};
    for (f_i = 0; f_i < LANES; f_i = f_i + 1) begin
        f_read0 = f_read0 | (rdata0[f_i*W+:W] & {W{f_lane[f_i]}});
        f_read1 = f_read1 | (rdata1[f_i*W+:W] & {W{f_lane[f_i]}});
    end
    r_chosen_lane: assume (f_lane != 0 && (f_lane & (f_lane - 1'b1)) == 0);
    r_chosen_word: assume (f_at != 0 && (f_at & (f_at - 1'b1)) == 0);
    a_stored: assert (!f_written || &f_stored);
    if (f_run) begin
        r_waddr:  `RULE_mt_regfile_sel_2r1w (we == 0 || waddr < DEPTH);
        r_sel0:   `RULE_mt_regfile_sel_2r1w ((rsel0 & (rsel0 - 1'b1)) == 0);
        r_sel1:   `RULE_mt_regfile_sel_2r1w ((rsel1 & (rsel1 - 1'b1)) == 0);
        a_read0:  assert (!f_is0 || f_read0 == f_word);
        a_read1:  assert (!f_is1 || f_read1 == f_word);
        a_none:   assert ((|rsel0 || rdata0 == 0) && (|rsel1 || rdata1 == 0));
        c_read:   cover (f_is0 && f_at[DEPTH-1] && f_lane[LANES-1] && |rsel1 && rdata1 != rdata0);
        c_again:  cover (f_is1 && f_we && wdata != f_read1);
    end
end
