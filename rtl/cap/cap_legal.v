// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of cap. An illegal value instantiates a missing module, which stops elaboration in every tool.
// The parameters are those of cap, which documents them.
`default_nettype none

module cap_legal #(
    parameter GROUPS = 32,
    parameter AVAIL_W = 22,
    parameter SIZE_W = 18,
    parameter C_NUM = 11,
    parameter C_DEN = 10,
    parameter OVER = 3
) ();
    generate
        if (GROUPS < 1 || GROUPS > 64) begin : gen_bad_groups
            ILLEGAL_GROUPS_must_be_1_to_64 u_illegal ();
        end
        if (AVAIL_W < 4 || AVAIL_W > 28) begin : gen_bad_avail_w
            ILLEGAL_AVAIL_W_must_be_4_to_28 u_illegal ();
        end
        if (SIZE_W < 5 || SIZE_W > 24) begin : gen_bad_size_w
            ILLEGAL_SIZE_W_must_be_5_to_24 u_illegal ();
        end
        if (C_NUM < 1 || C_NUM > 255) begin : gen_bad_c_num
            ILLEGAL_C_NUM_must_be_1_to_255 u_illegal ();
        end
        if (C_DEN < 1 || C_DEN > 255) begin : gen_bad_c_den
            ILLEGAL_C_DEN_must_be_1_to_255 u_illegal ();
        end else if (C_NUM > 0 && C_NUM < C_DEN) begin : gen_bad_c
            ILLEGAL_C_NUM_must_be_at_least_C_DEN u_illegal ();
        end
        if (OVER < 0 || OVER > 4) begin : gen_bad_over
            ILLEGAL_OVER_must_be_0_to_4 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
