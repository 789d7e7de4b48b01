// SPDX-License-Identifier: Apache-2.0
// The counters of an entry after a touch: that of the page grows by one, unless it is at its greatest value. Combinational.
`default_nettype none

module hir_bump #(
    // pages of a page set: counters
    parameter PAGES = 16,
    // bits of a counter
    parameter COUNT_W = 2
) (
    input  wire [PAGES-1:0]         touched,  // one-hot: the page
    input  wire [PAGES*COUNT_W-1:0] counts,
    output wire [PAGES*COUNT_W-1:0] next
);
    localparam [COUNT_W-1:0] ONE = 1;

    genvar i;
    generate
        for (i = 0; i < PAGES; i = i + 1) begin : gen_page
            wire [COUNT_W-1:0] count = counts[i*COUNT_W+:COUNT_W];
            assign next[i*COUNT_W+:COUNT_W] = (touched[i] && !(&count)) ? count + ONE : count;
        end
    endgenerate
endmodule

`default_nettype wire
