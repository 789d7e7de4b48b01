// SPDX-License-Identifier: Apache-2.0
// The set of a line, by one of the functions of addr_set (cmodel/cache/addr_map.h). Line bits from ADDR_W up count as 0. Combinational.
`default_nettype none

module mt_set_index #(
    // bits of a line number, 1..48
    parameter ADDR_W = 40,
    // sets, 1..4096, a power of two
    parameter SETS = 32,
    // 0 bmod: the low bits; 1 bxor: with the bits from 7 up XORed in; 2 fermi: with bits 6, 7, 8, 10, 12 XORed into the low five,
    // for 32 and 64 sets
    parameter INDEX = 1,
    // bits of a set number, log2(SETS), at least 1 (given by the user)
    parameter SET_W = 5
) (
    input  wire [ADDR_W-1:0] line,
    output wire [SET_W-1:0]  set
);
    // Illegal parameters stop elaboration in every tool: there is no module of these names.
    generate
        if (ADDR_W < 1 || ADDR_W > 48) begin : gen_bad_addr_w
            ILLEGAL_ADDR_W_must_be_1_to_48 u_illegal ();
        end
        if (SETS < 1 || SETS > 4096) begin : gen_bad_sets
            ILLEGAL_SETS_must_be_1_to_4096 u_illegal ();
        end else if ((SETS & (SETS - 1)) != 0) begin : gen_odd_sets
            ILLEGAL_SETS_must_be_a_power_of_two u_illegal ();
        end else if (INDEX == 2 && SETS != 32 && SETS != 64) begin : gen_fermi_sets
            ILLEGAL_INDEX_fermi_needs_32_or_64_SETS u_illegal ();
        end
        if (INDEX < 0 || INDEX > 2) begin : gen_bad_index
            ILLEGAL_INDEX_must_be_0_to_2 u_illegal ();
        end
    endgenerate

    localparam W = 19;  // bits that a function can look at
    localparam PAD = (ADDR_W < W) ? W - ADDR_W : 1;
    wire [ADDR_W+PAD-1:0] a = {{PAD{1'b0}}, line};
    wire [11:0]           fold;
    generate
        if (INDEX == 1) begin : gen_bxor
            assign fold = a[18:7];
        end else if (INDEX == 2) begin : gen_fermi
            assign fold = {7'b0, a[12], a[10], a[8:6]};
        end else begin : gen_bmod
            assign fold = 12'b0;
        end
    endgenerate

    localparam MASK = SETS - 1;
    wire [11:0] full = (a[11:0] ^ fold) & MASK[11:0];
    wire        unused_bits = &{1'b0, a, full};
    assign set = full[SET_W-1:0];
endmodule

`default_nettype wire
