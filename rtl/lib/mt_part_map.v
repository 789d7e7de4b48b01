// SPDX-License-Identifier: Apache-2.0
// Computes the partition of a line, and the line's number among the lines of that partition, with one of the maps in
// cmodel/cache/addr_map.h: a chunk of lines maps to one partition. Line bits from ADDR_W up are taken as 0.
// Combinational, in two halves, so that a register can be placed between them: the first half computes `key` from
// `line`; the second computes `part` and `rest` from `held_key` and `held_line`. A user without a register connects the
// two.
`default_nettype none

module mt_part_map #(
    // line number width, 1..48 bits
    parameter ADDR_W = 40,
    // number of partitions, 1..256
    parameter PARTITIONS = 16,
    // how the partition of a chunk is computed: 0 modulo; 3 prime: modulo the greatest prime up to PARTITIONS, 2 or
    // more; 4 a_prime: modulo 2 * PARTITIONS - 1, a prime, then modulo PARTITIONS, for 2, 4, 16 and 64 partitions; 6
    // ipoly: remainder of polynomials over GF(2), for 8, 16, 32 and 64; if PARTITIONS is a power of two: 1 xor: the low
    // bits XOR the bits from 7 + INTERLEAVE up, 2 xor_next: the low bits XOR the next bits, 5 d_prime: the low bits
    // plus 11 times the upper bits
    parameter MAP = 0,
    // log2 of the number of lines per chunk, 0..10
    parameter INTERLEAVE = 1,
    // partition number width, log2(PARTITIONS) rounded up, at least 1 (set by the user)
    parameter PART_W = 4,
    // key width: PART_W, or PART_W + 1 if MAP is 4 (set by the user)
    parameter KEY_W = 4
) (
    input  wire [ADDR_W-1:0] line,
    output wire [KEY_W-1:0]  key,
    input  wire [ADDR_W-1:0] held_line,
    input  wire [KEY_W-1:0]  held_key,
    output wire [PART_W-1:0] part,
    output wire [ADDR_W-1:0] rest
);
    localparam POWER_OF_TWO = (PARTITIONS & (PARTITIONS - 1)) == 0;

    // Illegal parameters instantiate a missing module, which stops elaboration in every tool.
    generate
        if (ADDR_W < 1 || ADDR_W > 48) begin : gen_bad_addr_w
            ILLEGAL_ADDR_W_must_be_1_to_48 u_illegal ();
        end
        if (PARTITIONS < 1 || PARTITIONS > 256) begin : gen_bad_partitions
            ILLEGAL_PARTITIONS_must_be_1_to_256 u_illegal ();
        end else if ((MAP == 1 || MAP == 2 || MAP == 5) && !POWER_OF_TWO) begin : gen_odd_partitions
            ILLEGAL_MAP_xor_xor_next_and_d_prime_need_a_power_of_two_of_PARTITIONS u_illegal ();
        end else if (MAP == 3 && PARTITIONS < 2) begin : gen_prime_partitions
            ILLEGAL_MAP_prime_needs_2_PARTITIONS_or_more u_illegal ();
        end else if (MAP == 4 && PARTITIONS != 2 && PARTITIONS != 4 && PARTITIONS != 16 &&
            PARTITIONS != 64) begin : gen_a_prime_partitions
            ILLEGAL_MAP_a_prime_needs_2_4_16_or_64_PARTITIONS u_illegal ();
        end else if (MAP == 6 && PARTITIONS != 8 && PARTITIONS != 16 && PARTITIONS != 32 &&
            PARTITIONS != 64) begin : gen_ipoly_partitions
            ILLEGAL_MAP_ipoly_needs_8_16_32_or_64_PARTITIONS u_illegal ();
        end
        if (MAP < 0 || MAP > 6) begin : gen_bad_map
            ILLEGAL_MAP_must_be_0_to_6 u_illegal ();
        end
        if (INTERLEAVE < 0 || INTERLEAVE > 10) begin : gen_bad_interleave
            ILLEGAL_INTERLEAVE_must_be_0_to_10 u_illegal ();
        end
    endgenerate

    // Returns the greatest prime up to n.
    function integer prime_up_to(input integer n);
        integer p, d;
        reg     prime;
        begin
            prime_up_to = 2;
            for (p = 3; p <= n && p <= 256; p = p + 2) begin
                prime = 1'b1;
                for (d = 3; d < 16; d = d + 2) if (d < p && p % d == 0) prime = 1'b0;
                if (prime) prime_up_to = p;
            end
        end
    endfunction
    // Returns the number of zeros below the lowest 1 of n.
    function integer zeros(input integer n);
        integer i;
        begin
            zeros = 0;
            for (i = 8; i > 0; i = i - 1) if (n % (1 << i) == 0 && zeros == 0) zeros = i;
        end
    endfunction
    // Returns the irreducible polynomial of that degree, including its highest term.
    function integer polynomial(input integer bits);
        case (bits)
            4: polynomial = 19;
            5: polynomial = 37;
            6: polynomial = 67;
            default: polynomial = 11;
        endcase
    endfunction

    // The chunk number is divided by M = ODD * 2^LOW. The chunk number's LOW low bits are the low bits of the residue,
    // and its upper bits are divided by ODD. M is at least 1, so that an illegal parameter reaches its ILLEGAL_
    // message.
    localparam COUNT = (PARTITIONS < 1) ? 1 : PARTITIONS;
    localparam M = (MAP == 3) ? prime_up_to(COUNT) : (MAP == 4) ? 2 * COUNT - 1 : COUNT;
    localparam LOW = zeros(M);
    localparam ODD = M >> LOW;
    localparam RES_W = (ODD < 3) ? 1 : $clog2(ODD);
    localparam TOP_W = (ADDR_W <= INTERLEAVE + LOW) ? 1 : ADDR_W - INTERLEAVE - LOW;
    localparam Q_W = (TOP_W < RES_W) ? 1 : TOP_W - RES_W + 1;

    localparam FAR = 7 + INTERLEAVE;  // lowest of the upper bits that xor uses
    wire [63:0] chunk = {{64 - ADDR_W{1'b0}}, line} >> INTERLEAVE;
    wire [63:0] held_chunk = {{64 - ADDR_W{1'b0}}, held_line} >> INTERLEAVE;
    wire [63:0] quotient;
    wire        unused_bits = &{1'b0, chunk, held_chunk, held_key, quotient};

    generate
        if (ODD > 1) begin : gen_divide
            wire [RES_W-1:0] residue;
            wire [RES_W+4:0] sum;
            wire [Q_W-1:0]   times;
            mt_mod_const #(
                .WIDTH(TOP_W),
                .P    (ODD),
                .R_W  (RES_W),
                .SUM_W(RES_W + 5)
            ) u_mod (
                .number  (chunk[LOW+:TOP_W]),
                .sum     (sum),
                .held_sum(sum),
                .residue (residue)
            );
            mt_div_exact #(
                .WIDTH(TOP_W),
                .P    (ODD),
                .R_W  (RES_W),
                .Q_W  (Q_W)
            ) u_div (
                .number  (held_chunk[LOW+:TOP_W]),
                .residue (held_key[LOW+:RES_W]),
                .quotient(times)
            );
            if (LOW > 0) begin : gen_low
                assign key = {residue, chunk[LOW-1:0]};
            end else begin : gen_all
                assign key = residue;
            end
            assign quotient = {{64 - Q_W{1'b0}}, times};
        end else begin : gen_shift
            assign quotient = held_chunk >> LOW;
            if (LOW == 0) begin : gen_one
                assign key = 1'b0;
            end else if (MAP == 1) begin : gen_xor
                assign key = chunk[LOW-1:0] ^ chunk[FAR+:LOW];
            end else if (MAP == 2) begin : gen_xor_next
                assign key = chunk[LOW-1:0] ^ chunk[LOW+:LOW];
            end else if (MAP == 5) begin : gen_d_prime
                mt_sum_rows #(
                    .ROWS(4),
                    .W   (LOW)
                ) u_sum (
                    .rows({chunk[LOW+:LOW] << 3, chunk[LOW+:LOW] << 1, chunk[LOW+:LOW], chunk[LOW-1:0]}),
                    .sum (key)
                );
            end else if (MAP == 6 && LOW >= 3 && LOW <= 6) begin : gen_ipoly
                mt_mod_poly #(
                    .WIDTH (TOP_W + LOW),
                    .DEGREE(LOW),
                    .POLY  (polynomial(LOW))
                ) u_mod (
                    .number   (chunk[TOP_W+LOW-1:0]),
                    .remainder(key)
                );
            end else begin : gen_modulo
                assign key = chunk[LOW-1:0];
            end
        end
    endgenerate

    // a_prime: two residues modulo 2 * PARTITIONS - 1 map to each partition except the last, to which one maps.
    wire [63:0] rest_chunk;
    generate
        if (MAP == 4) begin : gen_two_residues
            assign rest_chunk = (&held_key[PART_W-1:0]) ? quotient : {quotient[62:0], held_key[KEY_W-1]};
        end else begin : gen_one_residue
            assign rest_chunk = quotient;
        end
    endgenerate
    wire [63:0] long_rest;
    wire        unused_rest = &{1'b0, rest_chunk, long_rest};
    assign part = held_key[PART_W-1:0];
    assign rest = long_rest[ADDR_W-1:0];
    generate
        if (INTERLEAVE > 0) begin : gen_chunk
            wire [63:0] in_chunk = {{64 - ADDR_W{1'b0}}, held_line};
            wire        unused_in_chunk = &{1'b0, in_chunk};
            assign long_rest = {rest_chunk[63-INTERLEAVE:0], in_chunk[INTERLEAVE-1:0]};
        end else begin : gen_line
            assign long_rest = rest_chunk;
        end
    endgenerate
endmodule

`default_nettype wire
