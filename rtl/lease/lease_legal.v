// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of lease. An illegal value instantiates a missing module, which stops elaboration in every
// tool. A check that depends on an illegal parameter is skipped.
// The parameters are those of lease, which documents them.
`default_nettype none

module lease_legal #(
    parameter LANES = 1,
    parameter ENTRIES = 16,
    parameter BLOCK_W = 16,
    parameter COUNT_W = 10,
    parameter PAGES = 16,
    parameter GROUPS = 32,
    parameter DUTY = 1000,
    parameter PERIOD = 6000,
    parameter LIFE_W = 10,
    parameter WEIGHT = 1
) ();
    localparam ENTRIES_LEGAL = ENTRIES >= 1 && ENTRIES <= 32;
    localparam COUNT_LEGAL = COUNT_W >= 2 && COUNT_W <= 16;
    localparam GROUPS_LEGAL = GROUPS >= 1 && GROUPS <= 64;
    localparam DUTY_LEGAL = DUTY >= 1 && DUTY <= 1048576;

    generate
        if (LANES < 1 || LANES > 32) begin : gen_bad_lanes
            ILLEGAL_LANES_must_be_1_to_32 u_illegal ();
        end
        if (!ENTRIES_LEGAL) begin : gen_bad_entries
            ILLEGAL_ENTRIES_must_be_1_to_32 u_illegal ();
        end
        if (BLOCK_W < 2 || BLOCK_W > 20) begin : gen_bad_block_w
            ILLEGAL_BLOCK_W_must_be_2_to_20 u_illegal ();
        end
        if (!COUNT_LEGAL) begin : gen_bad_count_w
            ILLEGAL_COUNT_W_must_be_2_to_16 u_illegal ();
        end
        if (PAGES < 2 || PAGES > 32) begin : gen_bad_pages
            ILLEGAL_PAGES_must_be_2_to_32 u_illegal ();
        end else if ((PAGES & (PAGES - 1)) != 0) begin : gen_odd_pages
            ILLEGAL_PAGES_must_be_a_power_of_two u_illegal ();
        end
        if (!GROUPS_LEGAL) begin : gen_bad_groups
            ILLEGAL_GROUPS_must_be_1_to_64 u_illegal ();
        end
        if (!DUTY_LEGAL) begin : gen_bad_duty
            ILLEGAL_DUTY_must_be_1_to_1048576 u_illegal ();
        end
        if (PERIOD < 28 || PERIOD > 4194304) begin : gen_bad_period
            ILLEGAL_PERIOD_must_be_28_to_4194304 u_illegal ();
        end else if (ENTRIES_LEGAL && COUNT_LEGAL && GROUPS_LEGAL && DUTY_LEGAL &&
                     PERIOD - DUTY <= ENTRIES * (COUNT_W + 8) + GROUPS * (COUNT_W + 14)) begin : gen_short_period
            ILLEGAL_PERIOD_less_DUTY_must_leave_time_for_all_entries_and_groups u_illegal ();
        end
        if (LIFE_W < 2 || LIFE_W > 16) begin : gen_bad_life_w
            ILLEGAL_LIFE_W_must_be_2_to_16 u_illegal ();
        end
        if (WEIGHT < 0 || WEIGHT > 7) begin : gen_bad_weight
            ILLEGAL_WEIGHT_must_be_0_to_7 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
