// SPDX-License-Identifier: Apache-2.0
// The residue of a number modulo an odd constant. Combinational.
// A bit of the number counts as much as the residue r of its place, or as r - P, whichever has fewer digits 1 and -1 (non-adjacent form);
// a digit -1 is put for by the inverted bit and a constant. The sum of these is far smaller than the number. It is summed up so again,
// until it is below 4 P; then the multiples of P are taken off, side by side.
`default_nettype none

module mt_mod_const #(
    // bits of the number, 1..48
    parameter WIDTH = 40,
    // the modulus P, 3..8191, odd
    parameter P = 31,
    // bits of a residue, log2(P) rounded up (given by the user)
    parameter R_W = 5
) (
    input  wire [WIDTH-1:0] number,
    output wire [R_W-1:0]   residue
);
    localparam [31:0] MODULUS = P;

    // Of each place, 32 bits: the digits 1, and from 16 up the digits -1.
    function [48*32-1:0] all_digits(input integer unused_zero);
        integer    place, digit, few, few_less;
        reg [31:0] r, less, half, sum, plus, minus, less_plus, less_minus;
        begin
            all_digits = {48 * 32{1'b0}};
            r = 32'd1;
            for (place = 0; place < 48; place = place + 1) begin
                less = MODULUS - r;
                half = r >> 1;
                sum = r + half;
                plus = sum & (sum ^ half);
                minus = half & (sum ^ half);
                half = less >> 1;
                sum = less + half;
                less_minus = sum & (sum ^ half);
                less_plus = half & (sum ^ half);
                few = 0;
                few_less = 0;
                for (digit = 0; digit < 16; digit = digit + 1) begin
                    few = few + {31'b0, plus[digit] | minus[digit]};
                    few_less = few_less + {31'b0, less_plus[digit] | less_minus[digit]};
                end
                if (few_less < few || (few_less == few && less < r)) all_digits[place*32+:32] = {less_minus[15:0], less_plus[15:0]};
                else all_digits[place*32+:32] = {minus[15:0], plus[15:0]};
                r = (r << 1) < MODULUS ? r << 1 : (r << 1) - MODULUS;
            end
        end
    endfunction
    localparam [48*32-1:0] DIGITS = all_digits(0);

    // The constant of a sum over so many places: what the digits -1 come to, as a residue.
    function [31:0] constant(input integer places);
        integer    place;
        reg [31:0] sum;
        begin
            sum = 32'd0;
            for (place = 0; place < places; place = place + 1) sum = sum + {16'd0, DIGITS[place*32+16+:16]};
            sum = sum % MODULUS;
            constant = sum == 32'd0 ? 32'd0 : MODULUS - sum;
        end
    endfunction

    // The greatest value behind so many sums.
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

    // Sums until the value is below 4 P.
    function integer sums_needed(input integer unused_zero);
        integer n;
        begin
            sums_needed = 0;
            for (n = 0; n < 6; n = n + 1) if (greatest(n) >= {17'd0, MODULUS << 2}) sums_needed = n + 1;
        end
    endfunction

    // The weights of `places` bits, then of the inverted ones, for mt_sum_bits.
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
    localparam [48:0] MOST = greatest(SUMS);
    localparam LAST_W = $clog2(MOST + 49'd1);

    genvar n;
    generate
        for (n = 0; n <= SUMS; n = n + 1) begin : gen_sum
            localparam [48:0] MOST_HERE = greatest(n);
            localparam W = $clog2(MOST_HERE + 49'd1);
            wire [W-1:0] value;
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
                    .bits({~gen_sum[n-1].value, gen_sum[n-1].value}),
                    .sum (value)
                );
            end
        end
    endgenerate

    // Behind the sums: less P, 2 P, 3 P, the last of which that is not negative.
    localparam [48:0] TIMES = MOST / {17'd0, MODULUS};
    genvar k;
    generate
        for (k = 0; k <= TIMES[1:0]; k = k + 1) begin : gen_less
            localparam [31:0] MULTIPLE = k * P;
            wire [LAST_W:0] less = {1'b0, gen_sum[SUMS].value} - MULTIPLE[LAST_W:0];
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
