// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of bpg; mt_set_index checks ADDR_W, SETS and INDEX. An illegal value instantiates a missing
// module, which stops elaboration in every tool. A check that depends on an illegal parameter is skipped.
`default_nettype none

module bpg_legal #(
    parameter ADDR_W = 40,
    parameter ID_W = 5,
    parameter SETS = 32,
    parameter WAYS = 4,
    parameter INDEX = 1,
    parameter SAMPLED = 4,
    parameter TAG_W = 32,
    parameter CALCULATORS = 8,
    parameter INTERVAL = 1000,
    parameter HIT_W = 10,
    parameter FAIL_W = 12,
    parameter HIT_SCALE = 3
) ();
    localparam SETS_LEGAL = SETS >= 1 && SETS <= 4096 && (SETS & (SETS - 1)) == 0;
    localparam SET_BITS = (SETS < 2) ? 0 : $clog2(SETS);

    generate
        if (ID_W < 1 || ID_W > 8) begin : gen_bad_id_w
            ILLEGAL_ID_W_must_be_1_to_8 u_illegal ();
        end
        if (WAYS < 1 || WAYS > 16) begin : gen_bad_ways
            ILLEGAL_WAYS_must_be_1_to_16 u_illegal ();
        end
        if (INDEX < 0 || INDEX > 7) begin : gen_bad_index
            ILLEGAL_INDEX_must_be_0_to_7 u_illegal ();
        end else if (INDEX == 4 || INDEX == 5) begin : gen_lossy_index
            ILLEGAL_INDEX_must_give_back_the_line_with_the_tag u_illegal ();
        end
        if (SAMPLED < 1 || SAMPLED > 64) begin : gen_bad_sampled
            ILLEGAL_SAMPLED_must_be_1_to_64 u_illegal ();
        end else if ((SAMPLED & (SAMPLED - 1)) != 0) begin : gen_odd_sampled
            ILLEGAL_SAMPLED_must_be_a_power_of_two u_illegal ();
        end else if (SETS_LEGAL && SAMPLED > SETS) begin : gen_more_sampled
            ILLEGAL_SAMPLED_must_be_at_most_SETS u_illegal ();
        end
        if (TAG_W < 1 || TAG_W > 48) begin : gen_bad_tag_w
            ILLEGAL_TAG_W_must_be_1_to_48 u_illegal ();
        end else if (SETS_LEGAL && ADDR_W >= 1 && ADDR_W <= 48 && TAG_W > ADDR_W - SET_BITS) begin : gen_wide_tag
            ILLEGAL_TAG_W_must_be_at_most_ADDR_W_less_log2_SETS u_illegal ();
        end
        if (CALCULATORS < 1 || CALCULATORS > 16) begin : gen_bad_calculators
            ILLEGAL_CALCULATORS_must_be_1_to_16 u_illegal ();
        end else if (INTERVAL >= 4 && INTERVAL < CALCULATORS + 4) begin : gen_short_interval
            ILLEGAL_INTERVAL_must_be_at_least_CALCULATORS_plus_4 u_illegal ();
        end
        if (INTERVAL < 4 || INTERVAL > 1048575) begin : gen_bad_interval
            ILLEGAL_INTERVAL_must_be_4_to_1048575 u_illegal ();
        end
        if (HIT_W < 2 || HIT_W > 16) begin : gen_bad_hit_w
            ILLEGAL_HIT_W_must_be_2_to_16 u_illegal ();
        end
        if (FAIL_W < 2 || FAIL_W > 16) begin : gen_bad_fail_w
            ILLEGAL_FAIL_W_must_be_2_to_16 u_illegal ();
        end
        if (HIT_SCALE < 0 || HIT_SCALE > 7) begin : gen_bad_hit_scale
            ILLEGAL_HIT_SCALE_must_be_0_to_7 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
