// SPDX-License-Identifier: Apache-2.0
// Target cells of formal_map.v and formal_checks.v. This file is read as a library.
`default_nettype none

module formal_assert (
    input wire is
);
endmodule

module formal_cover (
    input wire is
);
endmodule

module formal_bad (
    input wire is
);
endmodule

module formal_reached (
    input wire is
);
endmodule

`default_nettype wire
