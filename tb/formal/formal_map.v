// SPDX-License-Identifier: Apache-2.0
// For `techmap`: maps the cells of formal_checks.v to those of one model. contract.bash makes their inputs outputs of the
// model, named after the assertions' labels.
`default_nettype none

(* techmap_celltype = "formal_assert" *)
module formal_map_assert (
    input wire is
);
    formal_bad bad (.is(is));
`ifdef STEP
    // all assertions hold in the first cycle, whose state is arbitrary
    wire first;
    \$initstate first_cycle (.Y(first));
    \$assume holds (.A(!is), .EN(first));
`endif
endmodule

(* techmap_celltype = "formal_cover" *)
module formal_map_cover (
    input wire is
);
    formal_reached reached (.is(is));
endmodule

`default_nettype wire
