// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of cache_example. An illegal value instantiates a missing module, which stops elaboration in
// every tool.
`default_nettype none

module cache_legal #(
    parameter LINE_BYTES = 64,
    parameter SETS = 64,
    parameter WAYS = 4,
    parameter DATA_W = 128,
    parameter ADDR_W = 32,
    parameter ID_W = 8,
    parameter MSHR_SETS = 16,
    parameter MSHR_SLOTS = 2,
    parameter EVICTS = 2
) ();
    generate
        if (LINE_BYTES < 32 || LINE_BYTES > 128) begin : gen_bad_line
            ILLEGAL_LINE_BYTES_must_be_32_to_128 u_illegal ();
        end else if ((LINE_BYTES & (LINE_BYTES - 1)) != 0) begin : gen_odd_line
            ILLEGAL_LINE_BYTES_must_be_a_power_of_two u_illegal ();
        end
        if (SETS < 2 || SETS > 256) begin : gen_bad_sets
            ILLEGAL_SETS_must_be_2_to_256 u_illegal ();
        end else if ((SETS & (SETS - 1)) != 0) begin : gen_odd_sets
            ILLEGAL_SETS_must_be_a_power_of_two u_illegal ();
        end
        if (WAYS < 1 || WAYS > 8) begin : gen_bad_ways
            ILLEGAL_WAYS_must_be_1_to_8 u_illegal ();
        end
        if (DATA_W < 64 || DATA_W > 256) begin : gen_bad_data_w
            ILLEGAL_DATA_W_must_be_64_to_256 u_illegal ();
        end else if ((DATA_W & (DATA_W - 1)) != 0) begin : gen_odd_data_w
            ILLEGAL_DATA_W_must_be_a_power_of_two u_illegal ();
        end
        if (ADDR_W < 16 || ADDR_W > 48) begin : gen_bad_addr_w
            ILLEGAL_ADDR_W_must_be_16_to_48 u_illegal ();
        end
        if (ID_W < 1 || ID_W > 16) begin : gen_bad_id_w
            ILLEGAL_ID_W_must_be_1_to_16 u_illegal ();
        end
        if (MSHR_SETS < 2 || MSHR_SETS > 64) begin : gen_bad_mshr_sets
            ILLEGAL_MSHR_SETS_must_be_2_to_64 u_illegal ();
        end
        if (MSHR_SLOTS < 1 || MSHR_SLOTS > 16) begin : gen_bad_mshr_slots
            ILLEGAL_MSHR_SLOTS_must_be_1_to_16 u_illegal ();
        end
        if (EVICTS < 1 || EVICTS > 8) begin : gen_bad_evicts
            ILLEGAL_EVICTS_must_be_1_to_8 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
