// SPDX-License-Identifier: Apache-2.0
// Contract of mt_regfile_sel_1r1w for one word chosen by the solver, bit f_at of part f_part: its selects return the
// word written last; if no word is selected, the output is 0.
(* anyconst *) reg [PARTS-1:0] f_part;
(* anyconst *) reg [WORDS-1:0] f_at;
reg              f_run;      // the first cycle, in which the user is reset, is over
reg              f_written;  // the word has been written
reg  [WIDTH-1:0] f_word;     // word written last
wire             f_we = |(we & f_part) && f_at[waddr];
wire             f_selected, f_any, f_one_part;
// per part: it is selected; it holds the word or is not chosen; no other part of its file is selected
wire [PARTS-1:0] f_parts, f_stored, f_alone;
genvar           f_p, f_w;

generate
    for (f_p = 0; f_p < PARTS; f_p = f_p + 1) begin : gen_f_part
        wire [WORDS-1:0] stored;
        wire [PARTS-1:0] others;
        for (f_w = 0; f_w < WORDS; f_w = f_w + 1) begin : gen_f_word
            assign stored[f_w] = !f_at[f_w] || gen_part[f_p].mem[f_w] == f_word;
        end
        for (f_w = 0; f_w < PARTS; f_w = f_w + 1) begin : gen_f_other
            assign others[f_w] = rpart[f_w] && f_w > f_p && (f_w - f_p) % FILES == 0;
        end
        assign f_parts[f_p]  = rpart[f_p] && rfile[f_p%FILES];
        assign f_stored[f_p] = !f_part[f_p] || &stored;
        assign f_alone[f_p]  = !rpart[f_p] || others == 0;
    end
endgenerate
assign f_selected = |(f_parts & f_part) && |(rsel & f_at);
assign f_any      = |f_parts && |rsel;
assign f_one_part = &f_alone;

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
    r_chosen_part: assume (f_part != 0 && (f_part & (f_part - 1'b1)) == 0);
    r_chosen_word: assume (f_at != 0 && (f_at & (f_at - 1'b1)) == 0);
    a_stored: assert (!f_written || &f_stored);
    if (f_run) begin
        r_file:   `RULE_mt_regfile_sel_1r1w ((rfile & (rfile - 1'b1)) == 0);
        r_part:   `RULE_mt_regfile_sel_1r1w (f_one_part);
        r_word:   `RULE_mt_regfile_sel_1r1w ((rsel & (rsel - 1'b1)) == 0);
        a_read:   assert (!(f_written && f_selected) || rdata == f_word);
        a_none:   assert (f_any || rdata == 0);
        c_read:   cover (f_written && f_selected && f_part[PARTS-1] && f_at[WORDS-1] && rdata != 0);
        c_again:  cover (f_written && f_selected && f_we && wdata != rdata);
    end
end
