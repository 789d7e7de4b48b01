// SPDX-License-Identifier: Apache-2.0
// Priority encoder: keeps only the lowest set bit of `in`, and outputs its number, counted from BASE. Combinational.
// The first bit of each group of 8 and the first nonempty group are found in parallel. The logic is written on whole
// vectors, where bit 8g represents group g. The gates are the same, and a simulator does a few wide operations.
`default_nettype none

module mt_first_id #(
    // vector width in bits, at least 1
    parameter N = 64,
    // number of bit 0
    parameter BASE = 0,
    // number width, at least log2(BASE + N) bits
    parameter W = 6
) (
    input  wire [N-1:0] in,
    output wire [N-1:0] first,  // one-hot; 0 if `in` is 0
    output wire         any,
    output wire [W-1:0] id      // 0 when `in` is 0
);
    localparam LEVELS = (N < 2) ? 1 : $clog2(N);

    // Returns a mask of the positions i for which bit b of i + base is set.
    function [N-1:0] positions(input integer base, input integer b);
        integer i;
        begin
            for (i = 0; i < N; i = i + 1) positions[i] = (((base + i) >> b) & 1) != 0;
        end
    endfunction
    localparam [N-1:0] BIT1 = positions(0, 1);
    localparam [N-1:0] BIT2 = positions(0, 2);
    localparam [N-1:0] GROUPS = ~(positions(0, 0) | BIT1 | BIT2);

    // Returns the OR of each group g in bit 8g.
    function [N-1:0] any_of(input [N-1:0] v);
        reg [N-1:0] by_4, by_2;
        begin
            by_4   = v | (v >> 4);
            by_2   = by_4 | (by_4 >> 2);
            any_of = (by_2 | (by_2 >> 1)) & GROUPS;
        end
    endfunction

    wire [N-1:0] group_any = any_of(in);
    reg  [N-1:0] group_seen;  // bit 8g: at least one of groups 0..g has a set bit
    wire [N-1:0] group_first = group_seen & ~(group_seen << 8);
    reg  [N-1:0] seen;        // this bit or a lower bit of its group is set
    wire [N-1:0] group_ones = in & ~((seen << 1) & ~GROUPS);
    reg  [N-1:0] first_group; // all bits of the first nonempty group
    integer      k;

    always @* begin
        seen       = in | ((in << 1) & ~GROUPS);
        seen       = seen | ((seen << 2) & (BIT1 | BIT2));
        seen       = seen | ((seen << 4) & BIT2);
        group_seen = group_any;
        for (k = 3; k < LEVELS; k = k + 1) group_seen = group_seen | (group_seen << (1 << k));
        first_group = group_first | (group_first << 1);
        first_group = first_group | (first_group << 2);
        first_group = first_group | (first_group << 4);
    end

    assign first = group_ones & first_group;
    assign any   = |group_any;

    genvar b;
    generate
        for (b = 0; b < W; b = b + 1) begin : gen_bit
            localparam [N-1:0] SET = positions(BASE, b);
            if (b >= 3 && BASE % 8 == 0) begin : gen_group  // constant within a group
                assign id[b] = |(group_first & SET);
            end else begin : gen_place
                assign id[b] = |(any_of(group_ones & SET) & group_first);
            end
        end
    endgenerate

`ifdef FORMAL
    (* anyconst *) reg [W-1:0] f_at;  // a bit position, one-hot
    wire [N-1:0] f_one = {{(N - 1) {1'b0}}, 1'b1} << f_at;
    wire         f_first = |(in & f_one) && (in & (f_one - 1'b1)) == 0;
    always @* begin
        r_place: assume (f_at < N);
        a_first: assert (|(first & f_one) == f_first);
        a_id:    assert (!f_first || id == BASE + f_at);
        a_any:   assert (any == (in != 0));
        a_none:  assert (any || id == 0);
        c_high:  cover (first[N-1] && id == BASE + N - 1);
    end
`endif
endmodule

`default_nettype wire
