// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of hir. An illegal value instantiates a missing module, which stops elaboration in every tool.
// A check that depends on an illegal parameter is skipped.
`default_nettype none

module hir_legal #(
    parameter SETS = 128,
    parameter WAYS = 8,
    parameter SET_W = 48,
    parameter PAGES = 16,
    parameter COUNT_W = 2,
    parameter LOST_W = 16
) ();
    localparam SETS_IN_RANGE = SETS >= 1 && SETS <= 1024;
    localparam SET_BITS = (SETS < 2) ? 0 : $clog2(SETS);
    localparam PAGES_IN_RANGE = PAGES >= 2 && PAGES <= 32;

    generate
        if (!SETS_IN_RANGE) begin : gen_bad_sets
            ILLEGAL_SETS_must_be_1_to_1024 u_illegal ();
        end else if ((SETS & (SETS - 1)) != 0) begin : gen_odd_sets
            ILLEGAL_SETS_must_be_a_power_of_two u_illegal ();
        end
        if (WAYS < 1 || WAYS > 16) begin : gen_bad_ways
            ILLEGAL_WAYS_must_be_1_to_16 u_illegal ();
        end
        if (SET_W < 4 || SET_W > 48) begin : gen_bad_set_w
            ILLEGAL_SET_W_must_be_4_to_48 u_illegal ();
        end else if (SETS_IN_RANGE && SET_W < SET_BITS + 1) begin : gen_narrow_set
            ILLEGAL_SET_W_must_be_at_least_log2_SETS_plus_1 u_illegal ();
        end
        if (!PAGES_IN_RANGE) begin : gen_bad_pages
            ILLEGAL_PAGES_must_be_2_to_32 u_illegal ();
        end else if ((PAGES & (PAGES - 1)) != 0) begin : gen_odd_pages
            ILLEGAL_PAGES_must_be_a_power_of_two u_illegal ();
        end
        if (COUNT_W < 1 || COUNT_W > 4) begin : gen_bad_count_w
            ILLEGAL_COUNT_W_must_be_1_to_4 u_illegal ();
        end else if (PAGES_IN_RANGE && PAGES * COUNT_W > 64) begin : gen_wide_counts
            ILLEGAL_PAGES_times_COUNT_W_must_be_at_most_64 u_illegal ();
        end
        if (LOST_W < 1 || LOST_W > 16) begin : gen_bad_lost_w
            ILLEGAL_LOST_W_must_be_1_to_16 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
