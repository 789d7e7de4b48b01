// SPDX-License-Identifier: Apache-2.0
// Contract of mt_ram_1r1w for one word chosen by the solver: a read returns the word written last. A nonexistent
// address may be read but not written.
(* anyconst *) reg [ADDR_W-1:0] f_addr;
reg             f_written;            // the word has been written
reg [WIDTH-1:0] f_word;               // word written last
reg             f_read, f_read_known;  // the output is this word; the word had been written
reg [WIDTH-1:0] f_read_word;
// a copy, because `hierconn` to a register would drop its initial value
wire f_is_written = f_written;
wire f_is_read = f_read;
localparam [ADDR_W:0] F_DEPTH = DEPTH;

reg f_run;  // the first cycle, in which the user is reset, is over

initial f_run = 1'b0;
initial f_written = 1'b0;
initial f_read = 1'b0;
always @(posedge clk) begin
    f_run <= 1'b1;
    if (we && waddr == f_addr) begin
        f_written <= 1'b1;
        f_word    <= wdata;
    end
    if (re) begin
        f_read       <= raddr == f_addr;
        f_read_known <= f_written;
        f_read_word  <= f_word;
    end
end

always @* begin
    r_chosen: assume ({1'b0, f_addr} < F_DEPTH);
    if (f_run) r_waddr: `RULE_mt_ram_1r1w (!we || {1'b0, waddr} < F_DEPTH);
    a_stored: assert (!f_written || mem[f_addr] == f_word);
    a_read:   assert (!(f_read && f_read_known) || rdata == f_read_word);
    c_again:  cover (f_read && f_read_known && f_written && f_word != f_read_word);
end

// All words, for the contracts of users.
wire [WIDTH*DEPTH-1:0] f_mem;
genvar f_i;
generate
    for (f_i = 0; f_i < DEPTH; f_i = f_i + 1) begin : gen_f_mem
        assign f_mem[f_i*WIDTH+:WIDTH] = mem[f_i];
    end
endgenerate
