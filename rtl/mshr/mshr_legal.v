// SPDX-License-Identifier: Apache-2.0
// Checks the parameters that the MSHRs share. An illegal value instantiates a missing module, which stops
// elaboration in every tool.
`default_nettype none

module mshr_legal #(
    parameter SLOTS = 2,
    parameter ADDR_W = 25,
    parameter PAYLOAD_W = 16,
    parameter ADDR_OUT = 0
) ();
    generate
        if (SLOTS < 1 || SLOTS > 64) begin : gen_bad_slots
            ILLEGAL_SLOTS_must_be_1_to_64 u_illegal ();
        end
        if (ADDR_W < 1 || ADDR_W > 64) begin : gen_bad_addr_w
            ILLEGAL_ADDR_W_must_be_1_to_64 u_illegal ();
        end
        if (PAYLOAD_W < 0 || PAYLOAD_W > 2048) begin : gen_bad_payload_w
            ILLEGAL_PAYLOAD_W_must_be_0_to_2048 u_illegal ();
        end
        if (ADDR_OUT < 0 || ADDR_OUT > 1) begin : gen_bad_addr_out
            ILLEGAL_ADDR_OUT_must_be_0_or_1 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
