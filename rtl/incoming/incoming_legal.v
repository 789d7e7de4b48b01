// SPDX-License-Identifier: Apache-2.0
// Checks the parameters that in_fifo, bank_queues and cart share.
// An illegal value instantiates a missing module, which stops elaboration in every tool.
`default_nettype none

module incoming_legal #(
    parameter ADDR_W = 21,
    parameter ID_W = 24
) ();
    generate
        if (ADDR_W < 1 || ADDR_W > 48) begin : gen_bad_addr_w
            ILLEGAL_ADDR_W_must_be_1_to_48 u_illegal ();
        end
        if (ID_W < 1 || ID_W > 32) begin : gen_bad_id_w
            ILLEGAL_ID_W_must_be_1_to_32 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
