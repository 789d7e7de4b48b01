// SPDX-License-Identifier: Apache-2.0
// Computes the set of a line with one of the functions of addr_set (cmodel/cache/set_index.h). Line bits from ADDR_W up
// are taken as 0. Combinational, in two halves, so that a register can be placed between them: the first half computes
// `key` from `line`, and the second half computes `set` from `held_key`. The key is a sum congruent to the line for
// pmod and a_prime, and the set itself for the other functions. A user without a register connects the two.
`default_nettype none

module mt_set_index #(
    // line number width, 1..48 bits
    parameter ADDR_W = 40,
    // number of sets, 1..4096, a power of two
    parameter SETS = 32,
    // 0 bmod: the low bits; 1 bxor: the low bits with the bits from 7 up XORed in; 2 fermi: with bits 6, 7, 8, 10, 12
    // XORed into the low five, for 32 and 64 sets; 3 xor: with the next bits XORed in; 4 pmod: modulo the greatest
    // prime below SETS; 5 a_prime: modulo the least prime above SETS, then modulo SETS; 6 d_prime: the low bits and 11
    // times the upper bits; 7 ipoly: remainder of polynomials over GF(2); 8 ipoly_sum: the sum of 2^i mod 19 over the
    // bits i below 27. 4 and 5 need 4 sets or more, and 7 needs 8 or more
    parameter INDEX = 1,
    // set number width, log2(SETS), at least 1 (set by the user)
    parameter SET_W = 5,
    // key width: SET_W, or SET_W + 4 for pmod and SET_W + 5 for a_prime (set by the user)
    parameter KEY_W = 5
) (
    input  wire [ADDR_W-1:0] line,
    output wire [KEY_W-1:0]  key,
    input  wire [KEY_W-1:0]  held_key,
    output wire [SET_W-1:0]  set
);
    // Illegal parameters instantiate a missing module, which stops elaboration. The user checks INDEX.
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
        end else if ((INDEX == 4 || INDEX == 5) && SETS < 4) begin : gen_prime_sets
            ILLEGAL_INDEX_pmod_and_a_prime_need_4_SETS_or_more u_illegal ();
        end else if (INDEX == 7 && SETS < 8) begin : gen_ipoly_sets
            ILLEGAL_INDEX_ipoly_needs_8_SETS_or_more u_illegal ();
        end
    endgenerate

    localparam SET_BITS = (SETS < 2) ? 0 : $clog2(SETS);
    localparam W = 27;  // number of low line bits that a function of only some bits can use
    localparam PAD = (ADDR_W < W) ? W - ADDR_W : 1;
    wire [ADDR_W+PAD-1:0] a = {{PAD{1'b0}}, line};
    wire [11:0]           fold;
    generate
        if (INDEX == 1) begin : gen_bxor
            assign fold = a[18:7];
        end else if (INDEX == 2) begin : gen_fermi
            assign fold = {7'b0, a[12], a[10], a[8:6]};
        end else if (INDEX == 3) begin : gen_xor
            assign fold = a[SET_BITS+:12];
        end else begin : gen_bmod
            assign fold = 12'b0;
        end
    endgenerate

    // Each returns a prime: the greatest below 2^bits, or the least above it. The result is at least 1, so that an
    // illegal SETS reaches its ILLEGAL_ message.
    function integer prime_below(input integer bits);
        case (bits)
            3: prime_below = 7;
            4: prime_below = 13;
            5: prime_below = 31;
            6: prime_below = 61;
            7: prime_below = 127;
            8: prime_below = 251;
            9: prime_below = 509;
            10: prime_below = 1021;
            11: prime_below = 2039;
            12: prime_below = 4093;
            default: prime_below = 3;
        endcase
    endfunction
    function integer prime_above(input integer bits);
        case (bits)
            3: prime_above = 11;
            4: prime_above = 17;
            5: prime_above = 37;
            6: prime_above = 67;
            7: prime_above = 131;
            8: prime_above = 257;
            9: prime_above = 521;
            10: prime_above = 1031;
            11: prime_above = 2053;
            12: prime_above = 4099;
            default: prime_above = 5;
        endcase
    endfunction
    // Returns the irreducible polynomial of that degree, including its highest term.
    function integer polynomial(input integer bits);
        case (bits)
            4: polynomial = 19;
            5: polynomial = 37;
            6: polynomial = 67;
            7: polynomial = 131;
            8: polynomial = 283;
            9: polynomial = 529;
            10: polynomial = 1033;
            11: polynomial = 2053;
            12: polynomial = 4179;
            default: polynomial = 11;
        endcase
    endfunction
    // Returns 2^i mod 19 for 27 bits i, in SET_W bits each.
    function [27*SET_W-1:0] residues_19(input integer unused_zero);
        integer i, power;
        begin
            residues_19 = {27 * SET_W{1'b0}};
            power = 1;
            for (i = 0; i < 27; i = i + 1) begin
                residues_19[i*SET_W+:SET_W] = power[SET_W-1:0];
                power = (2 * power) % 19;
            end
        end
    endfunction

    // The remainder logic is not built if its parameters are illegal or if the user has rejected it with a short key,
    // so that the ILLEGAL_ message comes first.
    localparam BY_PRIME = (INDEX == 4 || INDEX == 5) && SETS >= 4 && KEY_W > SET_W;
    localparam MASK = SETS - 1;
    wire [11:0] full = (a[11:0] ^ fold) & MASK[11:0];
    wire        unused_bits = &{1'b0, a, full};
    generate
        if (BY_PRIME) begin : gen_prime
            localparam P = (INDEX == 4) ? prime_below(SET_BITS) : prime_above(SET_BITS);
            wire [$clog2(P)-1:0] residue;
            mt_mod_const #(
                .WIDTH(ADDR_W),
                .P    (P),
                .R_W  ($clog2(P)),
                .SUM_W(KEY_W)
            ) u_mod (
                .number  (line),
                .sum     (key),
                .held_sum(held_key),
                .residue (residue)
            );
            wire unused_residue = &{1'b0, residue};
            assign set = residue[SET_W-1:0];
        end else if (INDEX == 6 && SETS > 1) begin : gen_d_prime
            wire [SET_W-1:0] t = a[SET_BITS+:SET_W];
            mt_sum_rows #(
                .ROWS(4),
                .W   (SET_W)
            ) u_sum (
                .rows({t << 3, t << 1, t, a[SET_W-1:0]}),
                .sum (key)
            );
        end else if (INDEX == 7 && SETS >= 8) begin : gen_ipoly
            mt_mod_poly #(
                .WIDTH (ADDR_W),
                .DEGREE(SET_W),
                .POLY  (polynomial(SET_BITS))
            ) u_mod (
                .number   (line),
                .remainder(key)
            );
        end else if (INDEX == 8 && SETS > 1) begin : gen_ipoly_sum
            mt_sum_bits #(
                .N      (27),
                .W      (SET_W),
                .WEIGHTS(residues_19(0)),
                .BASE   ({SET_W{1'b0}})
            ) u_sum (
                .bits(a[26:0]),
                .sum (key)
            );
        end else begin : gen_fold
            assign key = full[SET_W-1:0];
        end
        if (!BY_PRIME) begin : gen_set
            assign set = held_key;
        end
    endgenerate
endmodule

`default_nettype wire
