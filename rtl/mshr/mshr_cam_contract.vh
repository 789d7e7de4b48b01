// SPDX-License-Identifier: Apache-2.0
// Contract of mshr_cam and dlm_cam for one entry chosen by the solver, f_at, and the address that it stored last.
(* anyconst *) reg [31:0] f_entry;
wire    [N-1:0]      f_at = {{(N - 1) {1'b0}}, 1'b1} << f_entry;
wire    [N*ADDR_W-1:0] f_tags;  // all tags, also for the contracts of users
genvar               f_e;
generate
    for (f_e = 0; f_e < N; f_e = f_e + 1) begin : gen_f_tag
        assign f_tags[f_e*ADDR_W+:ADDR_W] = gen_entry[f_e].tag;
    end
endgenerate
reg                  f_known;
reg     [ADDR_W-1:0] f_stored, f_tag;
integer              f_i;
initial f_known = 1'b0;
always @(posedge clk)
    if (|(store & f_at)) begin
        f_known  <= 1'b1;
        f_stored <= addr;
    end
always @* begin
    f_tag = {ADDR_W{1'b0}};
    for (f_i = 0; f_i < N; f_i = f_i + 1) f_tag = f_tag | (f_tags[f_i*ADDR_W+:ADDR_W] & {ADDR_W{f_at[f_i]}});
    r_entry:  assume (f_entry < N);
    a_stored: assert (!f_known || f_tag == f_stored);
    a_match:  assert (!f_known || |(match & f_at) == (|(matchable & f_at) && sought == f_stored));
    c_match:  cover (f_known && |(match & f_at) && sought != 0);
end
