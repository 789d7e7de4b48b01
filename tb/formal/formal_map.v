// SPDX-License-Identifier: Apache-2.0
// For `techmap`: maps each assertion to a cell whose only input is 1 when the assertion is violated, and each cover to
// a cell whose only input is 1 when the cover is reached. contract.bash makes these inputs outputs of the model, named
// after the assertions' labels, so each assertion needs a label.
`default_nettype none

(* techmap_celltype = "$assert" *)
module formal_map_assert (
    input wire A,
    input wire EN
);
    formal_bad bad (.is(EN && !A));
`ifdef STEP
    // all assertions hold in the first cycle, whose state is arbitrary
    wire first;
    \$initstate first_cycle (.Y(first));
    \$assume holds (.A(!(EN && !A)), .EN(first));
`endif
endmodule

(* techmap_celltype = "$cover" *)
module formal_map_cover (
    input wire A,
    input wire EN
);
    formal_reached reached (.is(EN && A));
endmodule

`default_nettype wire
