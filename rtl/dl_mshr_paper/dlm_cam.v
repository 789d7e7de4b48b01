// SPDX-License-Identifier: Apache-2.0
// Stores and compares the block addresses of dl_mshr_paper, as mshr_cam does, with gated comparators (optimization 2).
`default_nettype none

module dlm_cam #(
    // number of entries
    parameter N = 128,
    // block address width
    parameter ADDR_W = 25,
    // 1: the inputs of a comparator are 0 if its entry cannot match (one AND per bit; cost: docs/results/silicon.md)
    parameter GATE = 1
) (
    input  wire              clk,
    input  wire [N-1:0]      matchable,
    input  wire [N-1:0]      matchable_next,  // `matchable` of the next cycle
    input  wire [ADDR_W-1:0] sought,
    output wire [N-1:0]      match,           // matchable and equal to the sought address
    input  wire [N-1:0]      store,           // entries that store the address at the clock edge
    input  wire [ADDR_W-1:0] addr
);
    // bits of an odd and of an even number; each half of a comparator has its own gate
    localparam [63:0] ODD = {32{2'b10}};
    wire [ADDR_W-1:0] sought_odd = sought & ODD[ADDR_W-1:0];
    wire [ADDR_W-1:0] sought_even = sought & ~ODD[ADDR_W-1:0];
    reg  [N-1:0]      awake, asleep;  // `matchable` and its complement
    always @(posedge clk) begin
        awake  <= matchable_next;
        asleep <= ~matchable_next;
    end

    genvar e;
    generate
        for (e = 0; e < N; e = e + 1) begin : gen_entry
            reg  [ADDR_W-1:0] tag;
            wire [ADDR_W-1:0] compared = GATE == 0 ? sought
                : (sought_odd & {ADDR_W{awake[e]}}) | (sought_even & ~{ADDR_W{asleep[e]}});
            assign match[e] = matchable[e] && tag == compared;
            always @(posedge clk) if (store[e]) tag <= addr;
        end
    endgenerate

`ifdef FORMAL
`include "mshr_cam_contract.vh"
    always @* r_awake: `RULE_dlm_cam (GATE == 0 || !f_known || (matchable & (~awake | asleep)) == 0);
`endif
endmodule

`default_nettype wire
