// First one: keeps only the lowest set bit of `in`, and says its number. Combinational.
// In groups of 8: the first one of each group beside the first group that has one. All is written on whole vectors, bit 8g standing for
// group g: the gates are those of the groups, and a simulator does a few wide operations.
`default_nettype none

module mt_first_id #(
    // bits, 1 and up
    parameter N = 64,
    // bits of a number, at least log2(N)
    parameter W = 6
) (
    input  wire [N-1:0] in,
    output wire [N-1:0] first,  // one-hot, or 0 when `in` is 0
    output wire         any,
    output wire [W-1:0] id      // 0 when `in` is 0
);
    localparam LEVELS = (N < 2) ? 1 : $clog2(N);

    // The positions whose number has bit b set; those whose number is a multiple of 8.
    function [N-1:0] positions(input integer b);
        integer i;
        begin
            for (i = 0; i < N; i = i + 1) positions[i] = ((i >> b) & 1) != 0;
        end
    endfunction
    localparam [N-1:0] GROUPS = ~(positions(0) | positions(1) | positions(2));

    // Bit 8g: the OR of group g.
    function [N-1:0] any_of(input [N-1:0] v);
        reg [N-1:0] v1, v2;
        begin
            v1 = v | (v >> 4);
            v2 = v1 | (v1 >> 2);
            any_of = (v2 | (v2 >> 1)) & GROUPS;
        end
    endfunction

    reg [N-1:0] seen;         // this bit of the group, or a lower one
    reg [N-1:0] groups_seen;  // bit 8g: one of groups 0..g
    reg [N-1:0] here;         // the first group: all its bits
    wire [N-1:0] group_any = any_of(in);
    wire [N-1:0] group_first = groups_seen & ~(groups_seen << 8);
    integer      k;

    always @* begin
        seen = in | ((in << 1) & ~GROUPS);
        seen = seen | ((seen << 2) & (positions(1) | positions(2)));
        seen = seen | ((seen << 4) & positions(2));
        groups_seen = group_any;
        for (k = 3; k < LEVELS; k = k + 1) groups_seen = groups_seen | (groups_seen << (1 << k));
        here = group_first | (group_first << 1);
        here = here | (here << 2);
        here = here | (here << 4);
    end

    wire [N-1:0] first_in_group = in & ~((seen << 1) & ~GROUPS);
    assign first = first_in_group & here;
    assign any   = |group_any;

    genvar b;
    generate
        for (b = 0; b < W; b = b + 1) begin : gen_bit
            if (b < 3) begin : gen_low
                assign id[b] = |(any_of(first_in_group & positions(b)) & group_first);
            end else begin : gen_high
                assign id[b] = |(group_first & positions(b));
            end
        end
    endgenerate
endmodule

`default_nettype wire
