// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of mil. An illegal value instantiates a missing module, which stops elaboration in every tool.
// A check that depends on an illegal parameter is skipped.
// The parameters are those of mil, which documents them.
`default_nettype none

module mil_legal #(
    parameter KERNELS = 2,
    parameter SCHEDULERS = 4,
    parameter INTERVAL_W = 10,
    parameter RF_W = 12,
    parameter INFLIGHT_W = 8,
    parameter MINST_W = 10,
    parameter RATIO_MAX = 32,
    parameter QUOTA_W = 20,
    parameter LIMIT = 2,
    parameter ORDER = 2,
    parameter ZERO = 0
) ();
    localparam KERNELS_LEGAL = KERNELS >= 1 && KERNELS <= 4;
    localparam INTERVAL_LEGAL = INTERVAL_W >= 4 && INTERVAL_W <= 16;
    localparam PRODUCT =
        RATIO_MAX * (KERNELS > 1 ? RATIO_MAX : 1) * (KERNELS > 2 ? RATIO_MAX : 1) * (KERNELS > 3 ? RATIO_MAX : 1);

    generate
        if (!KERNELS_LEGAL) begin : gen_bad_kernels
            ILLEGAL_KERNELS_must_be_1_to_4 u_illegal ();
        end
        if (SCHEDULERS < 1 || SCHEDULERS > 4) begin : gen_bad_schedulers
            ILLEGAL_SCHEDULERS_must_be_1_to_4 u_illegal ();
        end
        if (!INTERVAL_LEGAL) begin : gen_bad_interval_w
            ILLEGAL_INTERVAL_W_must_be_4_to_16 u_illegal ();
        end
        if (RF_W < 4 || RF_W > 24) begin : gen_bad_rf_w
            ILLEGAL_RF_W_must_be_4_to_24 u_illegal ();
        end else if (INTERVAL_LEGAL && RF_W < INTERVAL_W) begin : gen_narrow_rf_w
            ILLEGAL_RF_W_must_be_at_least_INTERVAL_W u_illegal ();
        end
        if (INFLIGHT_W < 4 || INFLIGHT_W > 10) begin : gen_bad_inflight_w
            ILLEGAL_INFLIGHT_W_must_be_4_to_10 u_illegal ();
        end
        if (MINST_W < 4 || MINST_W > 16) begin : gen_bad_minst_w
            ILLEGAL_MINST_W_must_be_4_to_16 u_illegal ();
        end else if (INTERVAL_LEGAL && (MINST_W < INTERVAL_W || MINST_W > INTERVAL_W + 2)) begin : gen_far_minst_w
            ILLEGAL_MINST_W_must_be_INTERVAL_W_to_2_more u_illegal ();
        end
        if (RATIO_MAX < 2 || RATIO_MAX > 64) begin : gen_bad_ratio_max
            ILLEGAL_RATIO_MAX_must_be_2_to_64 u_illegal ();
        end else if (KERNELS_LEGAL && QUOTA_W >= 8 && QUOTA_W <= 24 &&
            PRODUCT > (1 << QUOTA_W)) begin : gen_narrow_quota_w
            ILLEGAL_QUOTA_W_must_hold_RATIO_MAX_to_the_power_of_KERNELS u_illegal ();
        end
        if (QUOTA_W < 8 || QUOTA_W > 24) begin : gen_bad_quota_w
            ILLEGAL_QUOTA_W_must_be_8_to_24 u_illegal ();
        end
        if (LIMIT < 0 || LIMIT > 2) begin : gen_bad_limit
            ILLEGAL_LIMIT_must_be_0_to_2 u_illegal ();
        end
        if (ORDER < 0 || ORDER > 2) begin : gen_bad_order
            ILLEGAL_ORDER_must_be_0_to_2 u_illegal ();
        end
        if (ZERO < 0 || ZERO > 2) begin : gen_bad_zero
            ILLEGAL_ZERO_must_be_0_to_2 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
