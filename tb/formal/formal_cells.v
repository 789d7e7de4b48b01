// SPDX-License-Identifier: Apache-2.0
// What formal_map.v maps to; read as a library.
`default_nettype none

module formal_bad (
    input wire is
);
endmodule

module formal_reached (
    input wire is
);
endmodule

`default_nettype wire
