// SPDX-License-Identifier: Apache-2.0
// Block addresses and comparators of an MSHR block. Bit b of all addresses is one column tag[b*N +: N]: simulators then compare all
// entries with a few wide operations; the gates are those of N comparators. Each entry has an enable, which synthesis turns into a clock gate or
// flip-flops with an enable; Verilator alone gets the store in columns too.
`default_nettype none

module mshr_cam #(
    // entries
    parameter N = 128,
    // bits of a block address
    parameter ADDR_W = 25,
    // 1: the comparator of an entry that cannot match sees zeros (an AND a bit; docs/results/silicon.md says what it costs)
    parameter GATE = 1
) (
    input  wire              clk,
    input  wire [N-1:0]      matchable,
    input  wire [N-1:0]      awake,      // GATE=1: as matchable, or more; a flip-flop of its own, for each half of the address one
    input  wire [N-1:0]      asleep,     // GATE=1: not that
    input  wire [ADDR_W-1:0] sought,
    output wire [N-1:0]      match,      // matchable and equal to sought
    input  wire [N-1:0]      store,      // entries that store addr at the edge
    input  wire [ADDR_W-1:0] addr
);
    reg [N*ADDR_W-1:0] tag;
    reg [N-1:0]        differ;
    integer            b;

    always @* begin
        differ = {N{1'b0}};
        for (b = 0; b < ADDR_W; b = b + 1)
            differ = differ | (tag[b*N+:N] ^ ({N{sought[b]}} & (GATE == 0 ? {N{1'b1}} : b[0] ? awake : ~asleep)));
    end
    assign match = matchable & ~differ;

`ifdef VERILATOR
    integer c;
    always @(posedge clk)
        for (c = 0; c < ADDR_W; c = c + 1) tag[c*N+:N] <= (tag[c*N+:N] & ~store) | (store & {N{addr[c]}});
`else
    integer c, e;
    always @(posedge clk)
        for (c = 0; c < ADDR_W; c = c + 1)
            for (e = 0; e < N; e = e + 1) if (store[e]) tag[c*N+e] <= addr[c];
`endif

`ifdef FORMAL
    // an entry that the solver chooses, and the address that it stored last
    (* anyconst *) reg [31:0] f_entry;
    wire    [N-1:0]      f_at = {{(N - 1) {1'b0}}, 1'b1} << f_entry;
    reg                  f_known;
    reg     [ADDR_W-1:0] f_stored, f_tag;
    integer              f_b;
    initial f_known = 1'b0;
    always @(posedge clk)
        if (|(store & f_at)) begin
            f_known  <= 1'b1;
            f_stored <= addr;
        end
    always @* begin
        for (f_b = 0; f_b < ADDR_W; f_b = f_b + 1) f_tag[f_b] = |(tag[f_b*N+:N] & f_at);
        r_entry:  assume (f_entry < N);
        r_awake:  `RULE_mshr_cam (GATE == 0 || !f_known || (matchable & (~awake | asleep)) == 0);
        a_stored: assert (!f_known || f_tag == f_stored);
        a_match:  assert (!f_known || |(match & f_at) == (|(matchable & f_at) && sought == f_stored));
        c_match:  cover (f_known && |(match & f_at) && sought != 0);
    end
`endif
endmodule

`default_nettype wire
