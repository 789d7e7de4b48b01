// SPDX-License-Identifier: Apache-2.0
// Rotates the branches (POLICY=0): chooses the output branch one cycle ahead, so that the drain starts from a
// register.
// The inputs of the choice change in only three ways: a request enters a branch, a request leaves the output branch,
// and that branch becomes empty. So the next branch is searched for among the other branches. The branch of the fill
// replaces it if it comes first. If there is no other branch, the output branch stays. If the tree was empty, the first
// branch that gets a request is next, whatever the previous branch was.
`default_nettype none
`include "mt_reset.vh"

module cart_rotate #(
    // number of branches
    parameter BANKS = 16,
    // 1: the output is stable until it is accepted
    parameter HOLD = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [BANKS-1:0] at_fill,  // one-hot: the branch of the fill
    input  wire             fill,     // a request enters that branch at the edge
    input  wire             ready,    // the output is accepted
    input  wire             single,   // the output is the only request of its branch
    output reg  [BANKS-1:0] bank,     // one-hot; 0 if the tree is empty
    output wire [BANKS-1:0] bank_next // bank in the next cycle, unless there is a reset
);
    localparam LEVELS = $clog2(BANKS);

    // Registers: the branches with requests; the output branch and all branches above it.
    reg  [BANKS-1:0] used, from_bank;
    wire [BANKS-1:0] others = used & ~bank;
    // prefix OR of the other branches, of the branches above `bank`, and of the fill's branch
    reg  [BANKS-1:0] seen, above, from_fill;
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
    wire [BANKS-1:0] other = from & ~(from << 1);  // the next branch, if it is among the others

    // The branch of the fill comes first if no other branch is between the output branch and it in cyclic order.
    wire             wrap = !(|(at_fill & from_bank));
    wire [BANKS-1:0] upto_fill = ~(from_fill << 1);
    wire [BANKS-1:0] between = (from_bank & upto_fill) | ((from_bank | upto_fill) & {BANKS{wrap}});
    wire             fill_first = !(|(at_fill & bank)) && !(|(others & between));

    wire             stays = HOLD != 0 && |bank && !ready;
    wire             empties = ready && single && !(fill && |(at_fill & bank));

    assign bank_next = stays ? bank : fill && fill_first ? at_fill : any ? other : bank & {BANKS{!empties}};

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
