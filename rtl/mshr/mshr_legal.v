// SPDX-License-Identifier: Apache-2.0
// Checks the parameters that the MSHRs share. An illegal value instantiates a missing module, which stops
// elaboration in every tool.
`default_nettype none

module mshr_legal #(
    parameter SLOTS = 2,
    parameter ADDR_W = 25,
    parameter OFF_W = 7,
    parameter ID_W = 8,
    parameter DATA_W = 0,
    parameter PAYLOAD_W = 0,
    parameter ADDR_OUT = 0
) ();
    generate
        if (SLOTS < 1 || SLOTS > 64) begin : gen_bad_slots
            ILLEGAL_SLOTS_must_be_1_to_64 u_illegal ();
        end
        if (ADDR_W < 1 || ADDR_W > 64) begin : gen_bad_addr_w
            ILLEGAL_ADDR_W_must_be_1_to_64 u_illegal ();
        end
        if (OFF_W < 1 || OFF_W > 16) begin : gen_bad_off_w
            ILLEGAL_OFF_W_must_be_1_to_16 u_illegal ();
        end
        if (ID_W < 1 || ID_W > 32) begin : gen_bad_id_w
            ILLEGAL_ID_W_must_be_1_to_32 u_illegal ();
        end
        if (DATA_W < 0 || DATA_W > 1024) begin : gen_bad_data_w
            ILLEGAL_DATA_W_must_be_0_to_1024 u_illegal ();
        end
        if (DATA_W % 8 != 0) begin : gen_bad_data_bytes
            ILLEGAL_DATA_W_must_be_a_multiple_of_8 u_illegal ();
        end
        if (PAYLOAD_W < 0 || PAYLOAD_W > 1024) begin : gen_bad_payload_w
            ILLEGAL_PAYLOAD_W_must_be_0_to_1024 u_illegal ();
        end
        if (ADDR_OUT < 0 || ADDR_OUT > 1) begin : gen_bad_addr_out
            ILLEGAL_ADDR_OUT_must_be_0_or_1 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
