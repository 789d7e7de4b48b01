// SPDX-License-Identifier: Apache-2.0
// Contract of addr_hash, at its ports: the outputs of an access are valid LATENCY cycles after it, and only then. They
// match the formulas, which are written here with `%`, `/` and bit-by-bit polynomial division. The partition and the
// rest together identify the line.
localparam F_W = (ADDR_W < 12) ? 16 : ADDR_W + 4;  // wide enough for 11 times a line number, and for the number of sets
localparam [F_W-1:0] F_SETS = SETS;
localparam [F_W-1:0] F_PARTS = PARTITIONS;
localparam [F_W-1:0] F_ONE = 1;
localparam [F_W-1:0] F_19 = 19;
localparam F_SET_BITS = $clog2(SETS);
localparam F_PART_BITS = $clog2(PARTITIONS);

// Returns the nearest prime from `from` on, in the direction of `step`.
function [F_W-1:0] f_prime(input integer from, input integer step);
    integer n, d, divisors;
    begin
        f_prime = 0;
        n       = from;
        while (f_prime == 0 && n > 1) begin
            divisors = 0;
            for (d = 2; d <= 64; d = d + 1) if (d < n && n % d == 0) divisors = divisors + 1;
            if (divisors == 0) f_prime = n;
            n = n + step;
        end
    end
endfunction
// Returns the irreducible polynomial of that degree.
function [F_W-1:0] f_poly(input integer degree);
    f_poly = degree == 3 ? 11 : degree == 4 ? 19 : degree == 5 ? 37 : degree == 6 ? 67 : degree == 7 ? 131 :
        degree == 8 ? 283 :
             degree == 9 ? 529 : degree == 10 ? 1033 : degree == 11 ? 2053 : 4179;
endfunction
localparam [F_W-1:0] F_SET_P = INDEX == 4 ? f_prime(SETS - 1, -1) : INDEX == 5 ? f_prime(SETS + 1, 1) : 1;
localparam [F_W-1:0] F_PART_P = MAP == 3 ? f_prime(PARTITIONS, -1) : 2 * F_PARTS - 1;
localparam [F_W-1:0] F_SET_POLY = f_poly(F_SET_BITS);
localparam [F_W-1:0] F_PART_POLY = f_poly(F_PART_BITS);

// Accesses of the previous cycles, newest first, and the outputs of the previous cycle.
reg               f_run;
reg               f_valid, f_valid_2, f_before;
reg  [ADDR_W-1:0] f_line_1, f_line_2, f_line_before;
reg  [PART_W-1:0] f_part_before;
reg  [ADDR_W-1:0] f_rest_before;
wire              f_out = LATENCY == 2 ? f_valid_2 : f_valid;
wire [ADDR_W-1:0] f_line = LATENCY == 2 ? f_line_2 : f_line_1;
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run         <= 1'b1;
    f_valid       <= acc_valid && !rst;
    f_valid_2     <= f_valid && !rst;
    f_line_1      <= acc_line;
    f_line_2      <= f_line_1;
    f_before      <= out_valid && f_run && !rst;
    f_line_before <= f_line;
    f_part_before <= out_part;
    f_rest_before <= out_rest;
end

// Expected outputs for f_line.
wire [F_W-1:0] f_l = {{F_W - ADDR_W{1'b0}}, f_line};
wire [F_W-1:0] f_c = f_l >> INTERLEAVE;
wire [F_W+26:0] f_bits = {27'd0, f_l};
reg  [F_W-1:0] f_set, f_part, f_chunk, f_divided, f_weight;
integer        f_i;
always @* begin
    f_set     = f_l % F_SETS;
    f_weight  = 1;
    f_divided = f_l;
    case (INDEX)
        1: f_set = (f_l ^ (f_l >> 7)) % F_SETS;
        2: f_set = f_set ^ {{F_W - 5{1'b0}}, f_bits[12], f_bits[10], f_bits[8:6]};
        3: f_set = f_set ^ (f_l / F_SETS % F_SETS);
        4: f_set = f_l % F_SET_P;
        5: f_set = f_l % F_SET_P % F_SETS;
        6: f_set = (11 * (f_l / F_SETS) + f_set) % F_SETS;
        7: begin
            for (f_i = ADDR_W - 1; f_i >= F_SET_BITS; f_i = f_i - 1)
                if (f_divided[f_i]) f_divided = f_divided ^ (F_SET_POLY << (f_i - F_SET_BITS));
            f_set = f_divided;
        end
        8: begin
            f_set = 0;
            for (f_i = 0; f_i < 27; f_i = f_i + 1) begin
                if (f_bits[f_i]) f_set = f_set + f_weight;
                f_weight = f_weight * 2 % F_19;
            end
            f_set = f_set % F_SETS;
        end
        default: ;
    endcase

    f_part    = f_c % F_PARTS;
    f_chunk   = f_c / F_PARTS;
    f_divided = f_c;
    case (MAP)
        1: f_part = f_part ^ ((f_c >> (7 + INTERLEAVE)) % F_PARTS);
        2: f_part = f_part ^ (f_chunk % F_PARTS);
        3: begin
            f_part  = f_c % F_PART_P;
            f_chunk = f_c / F_PART_P;
        end
        4: begin
            f_part  = f_c % F_PART_P % F_PARTS;
            f_chunk = f_part == F_PARTS - 1 ? f_c / F_PART_P :
                2 * (f_c / F_PART_P) + (f_c % F_PART_P >= F_PARTS ? 1 : 0);
        end
        5: f_part = (11 * f_chunk + f_part) % F_PARTS;
        6: begin
            for (f_i = ADDR_W - 1; f_i >= F_PART_BITS; f_i = f_i - 1)
                if (f_divided[f_i]) f_divided = f_divided ^ (F_PART_POLY << (f_i - F_PART_BITS));
            f_part = f_divided;
        end
        default: ;
    endcase
end
wire [F_W-1:0] f_rest = (f_chunk << INTERLEAVE) | (f_l & ((F_ONE << INTERLEAVE) - F_ONE));

// Expected contents of the first register stage.
wire [SET_KEY_W-1:0] f_held_set_key;
wire [KEY_W-1:0]     f_held_key;
wire [SET_W-1:0]     f_unused_set;
wire [PART_W-1:0]    f_unused_part;
wire [ADDR_W-1:0]    f_unused_rest;
mt_set_index #(
    .ADDR_W(ADDR_W),
    .SETS  (SETS),
    .INDEX (INDEX),
    .SET_W (SET_W),
    .KEY_W (SET_KEY_W)
) u_f_set (
    .line    (f_line_1),
    .key     (f_held_set_key),
    .held_key(f_held_set_key),
    .set     (f_unused_set)
);
mt_part_map #(
    .ADDR_W    (ADDR_W),
    .PARTITIONS(PARTITIONS),
    .MAP       (MAP),
    .INTERLEAVE(INTERLEAVE),
    .PART_W    (PART_W),
    .KEY_W     (KEY_W)
) u_f_part (
    .line     (f_line_1),
    .key      (f_held_key),
    .held_line(f_line_1),
    .held_key (f_held_key),
    .part     (f_unused_part),
    .rest     (f_unused_rest)
);

always @* begin
    if (!f_run) r_reset: `RULE_addr_hash (rst);
    if (f_run) begin
        follows: assert (out_valid == f_out);
        held:    assert (LATENCY == 1 || !f_valid ||
                         (held_line == f_line_1 && held_set_key == f_held_set_key && held_key == f_held_key));
        on_time: assert (LATENCY == 1 || held_valid == f_valid);
        set_is:  assert (!out_valid || out_set == f_set[SET_W-1:0]);
        part_is: assert (!out_valid || out_part == f_part[PART_W-1:0]);
        rest_is: assert (!out_valid || out_rest == f_rest[ADDR_W-1:0]);
        one_to_one: assert (!out_valid || !f_before || f_line == f_line_before || out_part != f_part_before ||
                            out_rest != f_rest_before);

        c_back_to_back: cover (out_valid && f_before && f_line != f_line_before);
        c_gap:          cover (out_valid && !f_before && f_line != 0);
    end
end
