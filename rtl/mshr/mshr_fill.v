// SPDX-License-Identifier: Apache-2.0
// Fill of the sets of an MSHR block, 0 (free) to SLOTS (full): a bit that says whether a set is used, and the low bits of how many of its
// slots are. Those are the number of its next slot while it is not full, and they tell 1..SLOTS apart.
// In columns: bit b of all sets is low[b*N +: N].
// A free set holds 1, so that it has its first request as soon as it is used. `take` takes it at the edge; or, where that is known late,
// `taken` says in the next cycle that it was taken: it is used from that cycle on.
`default_nettype none
`include "mt_reset.vh"

module mshr_fill #(
    // sets
    parameter N = 128,
    // slots of a set, 1..64
    parameter SLOTS = 2,
    // bits of a slot number
    parameter SLOT_W = 1
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [N-1:0]        take,    // free sets that get their first request at the edge
    input  wire [N-1:0]        taken,   // free sets that got it at the edge before
    input  wire [N-1:0]        add,     // used sets that get one more
    input  wire [N-1:0]        clear,   // sets that become free
    output wire [N-1:0]        is_free,
    output reg  [N-1:0]        is_full,
    output wire [N*SLOT_W-1:0] low
);
    reg  [N-1:0] held;
    wire [N-1:0] used = held | taken;

    assign is_free = ~used;
    always @(posedge clk `MT_OR_RST)
        if (rst) held <= {N{1'b0}};
        else held <= (used & ~clear) | take;

    generate
        if (SLOTS == 1) begin : gen_one
            wire unused_add = &{1'b0, add};
            assign low = used;
            always @* is_full = used;
        end else begin : gen_count
            localparam [SLOT_W-1:0] FULL = SLOTS[SLOT_W-1:0];

            reg     [N*SLOT_W-1:0] count, next;
            reg     [N-1:0]        carry;
            integer                b, c;

            // A count never passes SLOTS: where that is no power of two, its bits that are 1 tell.
            always @* begin
                is_full = held;  // one that was just taken has room
                for (b = 0; b < SLOT_W; b = b + 1)
                    if (FULL[b]) is_full = is_full & count[b*N+:N];
                    else if (FULL == 0) is_full = is_full & ~count[b*N+:N];
            end
            always @* begin
                carry       = add;
                next[0+:N]  = (count[0+:N] ^ carry) | is_free;
                for (c = 1; c < SLOT_W; c = c + 1) begin
                    carry        = carry & count[(c-1)*N+:N];
                    next[c*N+:N] = (count[c*N+:N] ^ carry) & ~is_free;
                end
            end
            always @(posedge clk) count <= next;
            assign low = count;
        end
    endgenerate

`ifdef FORMAL
`include "mshr_fill_contract.vh"
`endif
endmodule

`default_nettype wire
