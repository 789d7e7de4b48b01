// SPDX-License-Identifier: Apache-2.0
// For `techmap`: each assertion and each cover becomes a cell whose only input is 1 when it is violated, or reached. contract.bash
// makes these inputs the outputs of the model, under the labels of the assertions. So each needs a label.
`default_nettype none

(* techmap_celltype = "$assert" *)
module formal_map_assert (
    input wire A,
    input wire EN
);
    formal_bad bad (.is(EN && !A));
`ifdef STEP
    // all hold in the first cycle, which has any state
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
