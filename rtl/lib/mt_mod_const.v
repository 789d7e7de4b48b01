// SPDX-License-Identifier: Apache-2.0
// Computes the residue of a number modulo an odd constant P. Combinational, in two halves, so that a register can be
// placed between them: the first half computes a sum congruent to `number`, and the second half computes the residue of
// `held_sum`. A user without a register connects the two.
// 2^i has residue r, so bit i of the number adds r or r - P to the sum, whichever has fewer digits 1 and -1 in
// non-adjacent form. A digit -1 adds the inverted bit and subtracts a constant 1; all constants together are added
// as one residue. The sum has far fewer bits than the number.
// The second half repeats this on the bits of the sum until the result is below 4 P. Then it subtracts P, 2 P and 3 P
// in parallel, and selects the smallest difference that is not negative.
`default_nettype none

module mt_mod_const #(
    // input width, 1..48 bits
    parameter WIDTH = 40,
    // the modulus P, 3..8191, odd
    parameter P = 31,
    // residue width, log2(P) rounded up (set by the user)
    parameter R_W = 5,
    // sum width: R_W + 5 is always sufficient, R_W + 4 if P is prime (set by the user)
    parameter SUM_W = 10
) (
    input  wire [WIDTH-1:0] number,
    output wire [SUM_W-1:0] sum,
    input  wire [SUM_W-1:0] held_sum,
    output wire [R_W-1:0]   residue
);
    localparam [31:0] MODULUS = P;

    // Returns 32 bits per bit of the number: the low 16 hold its digits 1, and the high 16 its digits -1.
    function [48*32-1:0] all_digits(input integer unused_zero);
        integer    place, digit, few, few_less;
        reg [31:0] r, less, half, half_more, plus, minus, less_plus, less_minus;
        begin
            all_digits = {48 * 32{1'b0}};
            r = 32'd1;
            for (place = 0; place < 48; place = place + 1) begin
                less = MODULUS - r;
                half = r >> 1;
                half_more = r + half;
                plus = half_more & (half_more ^ half);
                minus = half & (half_more ^ half);
                half = less >> 1;
                half_more = less + half;
                less_minus = half_more & (half_more ^ half);
                less_plus = half & (half_more ^ half);
                few = 0;
                few_less = 0;
                for (digit = 0; digit < 16; digit = digit + 1) begin
                    few = few + {31'b0, plus[digit] | minus[digit]};
                    few_less = few_less + {31'b0, less_plus[digit] | less_minus[digit]};
                end
                if (few_less < few || (few_less == few && less < r)) all_digits[place*32+:32] =
                    {less_minus[15:0], less_plus[15:0]};
                else all_digits[place*32+:32] = {minus[15:0], plus[15:0]};
                r = (r << 1) < MODULUS ? r << 1 : (r << 1) - MODULUS;
            end
        end
    endfunction
    localparam [48*32-1:0] DIGITS = all_digits(0);

    // Returns the constant term of a sum over the first `places` bits, as a residue. Each digit -1 subtracts its
    // weight.
    function [31:0] constant(input integer places);
        integer    place;
        reg [31:0] total;
        begin
            total = 32'd0;
            for (place = 0; place < places; place = place + 1) total = total + {16'd0, DIGITS[place*32+16+:16]};
            total = total % MODULUS;
            constant = total == 32'd0 ? 32'd0 : MODULUS - total;
        end
    endfunction

    // Returns the greatest value after `sums` summations.
    function [48:0] greatest(input integer sums);
        integer    n, place, places;
        reg [48:0] most;
        reg [15:0] plus, minus;
        begin
            greatest = (49'd1 << WIDTH) - 49'd1;
            for (n = 0; n < sums; n = n + 1) begin
                most = 49'd0;
                places = 0;
                for (place = 0; place < 48; place = place + 1)
                    if (greatest >> place != 49'd0) begin
                        plus = DIGITS[place*32+:16];
                        minus = DIGITS[place*32+16+:16];
                        most = most + {33'd0, plus > minus ? plus : minus};
                        places = place + 1;
                    end
                greatest = most + {17'd0, constant(places)};
            end
        end
    endfunction

    // Returns the number of summations until the value is below 4 P.
    function integer sums_needed(input integer unused_zero);
        integer n;
        begin
            sums_needed = 0;
            for (n = 0; n < 6; n = n + 1) if (greatest(n) >= {17'd0, MODULUS << 2}) sums_needed = n + 1;
        end
    endfunction

    // Returns the weights for mt_sum_bits: those of `places` bits, then those of the same bits inverted.
    function [2*48*16-1:0] weights(input integer places, input integer width);
        integer place, digit;
        begin
            weights = {2 * 48 * 16{1'b0}};
            for (place = 0; place < places; place = place + 1)
                for (digit = 0; digit < width && digit < 16; digit = digit + 1) begin
                    weights[place*width+digit] = DIGITS[place*32+digit];
                    weights[(places+place)*width+digit] = DIGITS[place*32+16+digit];
                end
        end
    endfunction

    localparam SUMS = sums_needed(0);
    localparam CUT = (SUMS == 0) ? 0 : 1;  // number of sums in the first half
    localparam [48:0] MOST = greatest(SUMS);
    localparam LAST_W = $clog2(MOST + 49'd1);

    // Illegal parameters instantiate a missing module, which stops elaboration in every tool.
    generate
        if (WIDTH < 1 || WIDTH > 48) begin : gen_bad_width
            ILLEGAL_WIDTH_must_be_1_to_48 u_illegal ();
        end
        if (P < 3 || P > 8191) begin : gen_bad_p
            ILLEGAL_P_must_be_3_to_8191 u_illegal ();
        end else if (P % 2 == 0) begin : gen_even_p
            ILLEGAL_P_must_be_odd u_illegal ();
        end else if (R_W != $clog2(P)) begin : gen_bad_r_w
            ILLEGAL_R_W_must_be_log2_P_rounded_up u_illegal ();
        end else if (greatest(CUT) >> SUM_W != 49'd0) begin : gen_bad_sum_w
            ILLEGAL_SUM_W_must_hold_the_sum u_illegal ();
        end else if (MOST >= {17'd0, MODULUS << 2}) begin : gen_bad_most
            ILLEGAL_sums_must_end_below_4_times_P u_illegal ();
        end
    endgenerate

    genvar n;
    generate
        for (n = 0; n <= SUMS; n = n + 1) begin : gen_sum
            localparam [48:0] MOST_HERE = greatest(n);
            localparam W = $clog2(MOST_HERE + 49'd1);
            wire [W-1:0] value;
            wire [W-1:0] held;  // the value, or its registered copy
            if (n == CUT) begin : gen_cut
                wire [W+SUM_W-1:0] long_sum = {{SUM_W{1'b0}}, value};
                wire [W+SUM_W-1:0] long_held = {{W{1'b0}}, held_sum};
                wire               unused_long = &{1'b0, long_sum, long_held};
                assign sum  = long_sum[SUM_W-1:0];
                assign held = long_held[W-1:0];
            end else begin : gen_whole
                assign held = value;
            end
            if (n == 0) begin : gen_number
                assign value = number;
            end else begin : gen_again
                localparam [48:0] MOST_BEFORE = greatest(n - 1);
                localparam PLACES = $clog2(MOST_BEFORE + 49'd1);
                localparam [2*48*16-1:0] WEIGHTS = weights(PLACES, W);
                localparam [31:0] BASE = constant(PLACES);
                mt_sum_bits #(
                    .N      (2 * PLACES),
                    .W      (W),
                    .WEIGHTS(WEIGHTS[2*PLACES*W-1:0]),
                    .BASE   (BASE[W-1:0])
                ) u_sum (
                    .bits({~gen_sum[n-1].held, gen_sum[n-1].held}),
                    .sum (value)
                );
            end
        end
    endgenerate

    // The last sum minus P, 2 P and 3 P: the smallest result that is not negative is the residue.
    localparam [48:0] TIMES = MOST / {17'd0, MODULUS};
    genvar k;
    generate
        for (k = 0; k <= TIMES[1:0]; k = k + 1) begin : gen_less
            localparam [31:0] MULTIPLE = k * P;
            wire [LAST_W:0] less = {1'b0, gen_sum[SUMS].held} - MULTIPLE[LAST_W:0];
            wire [LAST_W:0] kept;
            if (k == 0) begin : gen_whole
                assign kept = less;
            end else begin : gen_kept
                assign kept = less[LAST_W] ? gen_less[k-1].kept : less;
            end
        end
    endgenerate
    wire [LAST_W+R_W:0] all_kept = {{R_W{1'b0}}, gen_less[TIMES[1:0]].kept};
    wire                unused_kept = &{1'b0, all_kept};
    assign residue = all_kept[R_W-1:0];
endmodule

`default_nettype wire
