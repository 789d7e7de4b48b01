// SPDX-License-Identifier: Apache-2.0
// Stores and compares the block addresses of an MSHR block: one tag and one comparator per entry. Each entry has an
// enable, which synthesis turns into a clock gate or enable flip-flops.
`default_nettype none

module mshr_cam #(
    // number of entries
    parameter N = 128,
    // block address width
    parameter ADDR_W = 25,
    // 1: `out` is the address of the entry `sel`; 0: it is tied to 0
    parameter OUT = 0
) (
    input  wire              clk,
    input  wire [N-1:0]      matchable,
    input  wire [ADDR_W-1:0] sought,
    output wire [N-1:0]      match,      // matchable and equal to the sought address
    input  wire [N-1:0]      store,      // entries that store the address at the clock edge
    input  wire [ADDR_W-1:0] addr,
    input  wire [N-1:0]      sel,        // OUT=1: entry to read, one-hot or none
    output wire [ADDR_W-1:0] out
);
    genvar e;
    generate
        for (e = 0; e < N; e = e + 1) begin : gen_entry
            reg [ADDR_W-1:0] tag;
            assign match[e] = matchable[e] && tag == sought;
            always @(posedge clk) if (store[e]) tag <= addr;
        end
        if (OUT != 0) begin : gen_out
            wire [N*ADDR_W-1:0] tags;
            for (e = 0; e < N; e = e + 1) begin : gen_tag
                assign tags[e*ADDR_W+:ADDR_W] = gen_entry[e].tag;
            end
            mt_onehot_mux #(
                .N(N),
                .W(ADDR_W)
            ) u_out (
                .sel  (sel),
                .words(tags),
                .word (out)
            );
        end else begin : gen_no_out
            wire unused_sel = &{1'b0, sel};
            assign out = {ADDR_W{1'b0}};
        end
    endgenerate

`ifdef FORMAL
`include "mshr_cam_contract.vh"
`endif
endmodule

`default_nettype wire
