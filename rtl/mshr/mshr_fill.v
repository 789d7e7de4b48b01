// Fill counts of the sets of an MSHR block, 0 (free) to SLOTS (full), in columns: bit b of all counts is fill[b*N +: N]. Its users read
// the bits of a slot number: the next slot of a set that is not full, and they tell 1..SLOTS apart.
`default_nettype none

module mshr_fill #(
    // sets
    parameter N = 128,
    // slots of a set, 1..64
    parameter SLOTS = 2,
    // bits of a count, at least log2(SLOTS + 1), and of a slot number
    parameter FILL_W = 2,
    parameter SLOT_W = 1
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [N-1:0]        take,    // free sets that get their first request at the edge
    input  wire [N-1:0]        add,     // used sets that get one more
    input  wire [N-1:0]        clear,   // sets that become free
    output reg  [N-1:0]        is_free,
    output reg  [N-1:0]        is_full,
    output wire [N*SLOT_W-1:0] low
);
    reg [N*FILL_W-1:0] fill;
    assign low = fill[N*SLOT_W-1:0];

    // A count never passes SLOTS, so it equals SLOTS when all bits that are 1 in SLOTS are 1 in it.
    integer b;
    always @* begin
        is_free = {N{1'b1}};
        is_full = {N{1'b1}};
        for (b = 0; b < FILL_W; b = b + 1) begin
            is_free = is_free & ~fill[b*N+:N];
            if (((SLOTS >> b) & 1) != 0) is_full = is_full & fill[b*N+:N];
        end
    end

    reg     [N*FILL_W-1:0] fill_next;
    reg     [N-1:0]        carry;
    integer                c;
    always @* begin
        carry = add;
        for (c = 0; c < FILL_W; c = c + 1) begin
            fill_next[c*N+:N] = (c == FILL_W - 1 ? fill[c*N+:N] | carry : fill[c*N+:N] ^ carry) & ~clear;
            carry             = carry & fill[c*N+:N];
        end
        fill_next[N-1:0] = fill_next[N-1:0] | take;
    end

    always @(posedge clk)
        if (rst) fill <= {(N * FILL_W) {1'b0}};
        else fill <= fill_next;

`ifdef FORMAL
`include "mshr_fill_contract.vh"
`endif
endmodule

`default_nettype wire
