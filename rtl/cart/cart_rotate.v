// Rotation of the branches (POLICY=0): the branch that is offered, chosen one cycle ahead, so that the drain begins with a register.
// What the choice is made of changes in three ways only: a request enters a branch, one leaves the branch that is offered, and that
// branch runs empty. So the next one is looked for among the others, with and without the branch of the fill; if there is none, the
// branch stays. When the tree was empty the first branch that gets a request is next, whatever was offered before.
`default_nettype none

module cart_rotate #(
    // branches
    parameter BANKS = 16,
    // 1: a request that is not taken stays on offer
    parameter HOLD = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [BANKS-1:0] used,     // branches with requests
    input  wire [BANKS-1:0] at_fill,  // the branch of the fill, one-hot
    input  wire             fill,     // a request enters it at the edge
    input  wire             ready,    // what is offered is taken
    input  wire             single,   // it is the only request of its branch
    output reg  [BANKS-1:0] bank      // one-hot; 0: the tree is empty
);
    wire [BANKS-1:0] next, next_fill, unused_from, unused_from_fill;
    wire             any, any_fill;
    wire [BANKS-1:0] from_bank = -bank;  // it and all above it
    wire [BANKS-1:0] others = used & ~bank;

    mt_cyclic_first #(
        .N(BANKS)
    ) u_next (
        .in   (others),
        .start(from_bank),
        .first(next),
        .any  (any),
        .from (unused_from)
    );
    mt_cyclic_first #(
        .N(BANKS)
    ) u_next_fill (
        .in   (others | (at_fill & ~bank)),
        .start(from_bank),
        .first(next_fill),
        .any  (any_fill),
        .from (unused_from_fill)
    );

    wire stays = HOLD != 0 && |bank && !ready;
    wire empties = ready && single && !(fill && |(at_fill & bank));

    always @(posedge clk)
        if (rst) bank <= {BANKS{1'b0}};
        else if (!stays) bank <= fill && any_fill ? next_fill : !fill && any ? next : bank & {BANKS{!empties}};
endmodule

`default_nettype wire
