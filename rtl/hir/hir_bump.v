// SPDX-License-Identifier: Apache-2.0
// Computes the counters of an entry after a touch: the touched page's counter is incremented and saturates.
// Combinational.
`default_nettype none

module hir_bump #(
    // number of pages per page set, and so of counters
    parameter PAGES = 16,
    // counter width
    parameter COUNT_W = 2
) (
    input  wire [PAGES-1:0]         touched,  // one-hot: the touched page
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
