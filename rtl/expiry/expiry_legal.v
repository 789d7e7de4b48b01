// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of expiry. An illegal value instantiates a missing module, which stops elaboration in every
// tool. A check that depends on an illegal parameter is skipped.
`default_nettype none

module expiry_legal #(
    parameter ENTRIES = 256,
    parameter BLOCK_W = 16,
    parameter PAGES = 16,
    parameter TAKE = 4
) ();
    localparam ENTRIES_IN_RANGE = ENTRIES >= 2 && ENTRIES <= 1024;

    generate
        if (!ENTRIES_IN_RANGE) begin : gen_bad_entries
            ILLEGAL_ENTRIES_must_be_2_to_1024 u_illegal ();
        end
        if (BLOCK_W < 2 || BLOCK_W > 32) begin : gen_bad_block_w
            ILLEGAL_BLOCK_W_must_be_2_to_32 u_illegal ();
        end else if (ENTRIES_IN_RANGE && $clog2(ENTRIES + 1) > BLOCK_W) begin : gen_few_blocks
            ILLEGAL_ENTRIES_must_be_less_than_2_to_the_power_of_BLOCK_W u_illegal ();
        end
        if (PAGES < 2 || PAGES > 32) begin : gen_bad_pages
            ILLEGAL_PAGES_must_be_2_to_32 u_illegal ();
        end else if ((PAGES & (PAGES - 1)) != 0) begin : gen_odd_pages
            ILLEGAL_PAGES_must_be_a_power_of_two u_illegal ();
        end
        if (TAKE < 1 || TAKE > 16) begin : gen_bad_take
            ILLEGAL_TAKE_must_be_1_to_16 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
