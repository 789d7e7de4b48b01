// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of addr_hash that mt_set_index and mt_part_map do not check. An illegal value instantiates a
// missing module, which stops elaboration in every tool.
`default_nettype none

module addr_hash_legal #(
    parameter INDEX = 1,
    parameter LATENCY = 1
) ();
    generate
        if (INDEX < 0 || INDEX > 8) begin : gen_bad_index
            ILLEGAL_INDEX_must_be_0_to_8 u_illegal ();
        end
        if (LATENCY < 1 || LATENCY > 2) begin : gen_bad_latency
            ILLEGAL_LATENCY_must_be_1_or_2 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
