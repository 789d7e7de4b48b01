// SPDX-License-Identifier: Apache-2.0
// For `techmap`: maps each assertion to a cell whose only input is 1 when the assertion is violated, and each cover to
// a cell whose only input is 1 when the cover is reached. The cells keep the names, so each assertion needs a label.
`default_nettype none

(* techmap_celltype = "$assert" *)
module formal_checks_assert (
    input wire A,
    input wire EN
);
    formal_assert _TECHMAP_REPLACE_ (.is(EN && !A));
endmodule

(* techmap_celltype = "$cover" *)
module formal_checks_cover (
    input wire A,
    input wire EN
);
    formal_cover _TECHMAP_REPLACE_ (.is(EN && A));
endmodule

`default_nettype wire
