// SPDX-License-Identifier: Apache-2.0
// Rotation of the branches (POLICY=0): the branch that is offered, chosen one cycle ahead, so that the drain begins with a register.
// What the choice is made of changes in three ways only: a request enters a branch, one leaves the branch that is offered, and that
// branch runs empty. So the next one is looked for among the others; the branch of the fill takes its place if it comes before it; if there
// is none, the branch stays. When the tree was empty the first branch that gets a request is next, whatever was offered before.
`default_nettype none
`include "mt_reset.vh"

module cart_rotate #(
    // branches
    parameter BANKS = 16,
    // 1: a request that is not taken stays on offer
    parameter HOLD = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [BANKS-1:0] at_fill,  // the branch of the fill, one-hot
    input  wire             fill,     // a request enters it at the edge
    input  wire             ready,    // what is offered is taken
    input  wire             single,   // it is the only request of its branch
    output reg  [BANKS-1:0] bank,     // one-hot; 0: the tree is empty
    output wire [BANKS-1:0] bank_next // the same in the next cycle, if there is no reset
);
    localparam LEVELS = $clog2(BANKS);

    // Registers, as bank is: the branches with requests; the bank and all above it.
    reg  [BANKS-1:0] used, from_bank;
    wire [BANKS-1:0] others = used & ~bank;
    reg  [BANKS-1:0] seen, above, from_fill;  // prefix OR of the others, of those above the bank, of the branch of the fill
    integer          k;
    always @* begin
        seen      = others;
        above     = others & from_bank;
        from_fill = at_fill;
        for (k = 0; k < LEVELS; k = k + 1) begin
            seen      = seen | (seen << (1 << k));
            above     = above | (above << (1 << k));
            from_fill = from_fill | (from_fill << (1 << k));
        end
    end

    wire             any = seen[BANKS-1];
    wire             any_above = above[BANKS-1];
    wire [BANKS-1:0] from = any_above ? above : seen;
    wire [BANKS-1:0] next = from & ~(from << 1);

    // The branch of the fill comes first if none of the others is behind the bank and up to it; at the end of the tree that goes on at 0.
    wire             wrap = !(|(at_fill & from_bank));
    wire [BANKS-1:0] upto_fill = ~(from_fill << 1);
    wire [BANKS-1:0] between = (from_bank & upto_fill) | ((from_bank | upto_fill) & {BANKS{wrap}});
    wire             fill_first = !(|(at_fill & bank)) && !(|(others & between));

    wire             stays = HOLD != 0 && |bank && !ready;
    wire             empties = ready && single && !(fill && |(at_fill & bank));

    assign bank_next = stays ? bank : fill && fill_first ? at_fill : any ? next : bank & {BANKS{!empties}};

    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            used      <= {BANKS{1'b0}};
            bank      <= {BANKS{1'b0}};
            from_bank <= {BANKS{1'b0}};
        end else begin
            used <= (used | (at_fill & {BANKS{fill}})) & ~(bank & {BANKS{empties}});
            bank <= bank_next;
            if (!stays) from_bank <= fill && fill_first ? from_fill : any ? from : from_bank & {BANKS{!empties}};
        end
    end
endmodule

`default_nettype wire
