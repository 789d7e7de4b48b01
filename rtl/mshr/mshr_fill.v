// SPDX-License-Identifier: Apache-2.0
// Keeps the fill counts of the sets of an MSHR block, from 0 (free) to SLOTS (full), as a used bit and the low bits of
// the count. The low bits are the number of the next slot while the set is not full, and they distinguish 1..SLOTS.
// Those of set s are fill_lows[s*SLOT_W +: SLOT_W].
// The count of a free set is kept at 1, so that the set has its first request as soon as it is used.
`default_nettype none
`include "mt_reset.vh"

module mshr_fill #(
    // number of sets
    parameter N = 128,
    // number of slots per set, 1..64
    parameter SLOTS = 2,
    // slot number width
    parameter SLOT_W = 1
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [N-1:0]        take,   // free sets that get their first request at this edge
    input  wire [N-1:0]        add,    // used sets that get one more request
    input  wire [N-1:0]        clear,  // sets that become free
    output wire [N-1:0]        is_free,
    output wire [N-1:0]        is_full,
    output wire [N*SLOT_W-1:0] fill_lows
);
    reg [N-1:0] used;

    assign is_free = ~used;
    always @(posedge clk `MT_OR_RST)
        if (rst) used <= {N{1'b0}};
        else used <= (used & ~clear) | take;

    genvar s;
    generate
        if (SLOTS == 1) begin : gen_one
            wire unused_add = &{1'b0, add};
            assign fill_lows = used;
            assign is_full  = used;
        end else begin : gen_count
            localparam [SLOT_W-1:0] FULL = SLOTS[SLOT_W-1:0];
            localparam [SLOT_W-1:0] ONE = 1;

            for (s = 0; s < N; s = s + 1) begin : gen_set
                reg  [SLOT_W-1:0] count;
                // A count never exceeds SLOTS, so the 1 bits of SLOTS alone identify SLOTS unless it is a power of two.
                wire              at_full = FULL == 0 ? count == 0 : (count & FULL) == FULL;
                always @(posedge clk) count <= is_free[s] ? ONE : add[s] ? count + ONE : count;
                assign fill_lows[s*SLOT_W+:SLOT_W] = count;
                assign is_full[s]                 = used[s] && at_full;
            end
        end
    endgenerate

`ifdef FORMAL
`include "mshr_fill_contract.vh"
`endif
endmodule

`default_nettype wire
