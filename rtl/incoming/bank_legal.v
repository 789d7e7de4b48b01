// SPDX-License-Identifier: Apache-2.0
// Checks HOLD and the DRAM bank parameters that bank_queues and cart share. An illegal value instantiates a missing
// module, which stops elaboration in every tool. Checks that depend on BANKS are skipped if BANKS is illegal, so that
// one fault gives one error.
`default_nettype none

module bank_legal #(
    parameter ADDR_W = 21,
    parameter BANKS = 16,
    parameter BANK_MASK = 450,
    parameter HOLD = 1
) ();
    function integer ones(input integer mask);
        integer i;
        begin
            ones = 0;
            for (i = 0; i < 31; i = i + 1) ones = ones + ((mask >> i) & 1);
        end
    endfunction

    generate
        if (BANKS < 2 || BANKS > 64) begin : gen_bad_banks
            ILLEGAL_BANKS_must_be_2_to_64 u_illegal ();
        end else if (ones(BANKS) != 1) begin : gen_odd_banks
            ILLEGAL_BANKS_must_be_a_power_of_two u_illegal ();
        end else if (BANK_MASK < 0 || ones(BANK_MASK) != $clog2(BANKS)) begin : gen_bad_mask
            ILLEGAL_BANK_MASK_must_have_log2_BANKS_bits u_illegal ();
        end else if (ADDR_W > 0 && ADDR_W < 31 && (BANK_MASK >> (ADDR_W & 31)) != 0) begin : gen_wide_mask
            ILLEGAL_BANK_MASK_must_lie_within_ADDR_W u_illegal ();
        end
        if (HOLD < 0 || HOLD > 1) begin : gen_bad_hold
            ILLEGAL_HOLD_must_be_0_or_1 u_illegal ();
        end
    endgenerate
endmodule

`default_nettype wire
