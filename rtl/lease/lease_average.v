// SPDX-License-Identifier: Apache-2.0
// Computes the leases of all groups after a window, group by group. Each step takes a cycle, but a division takes one
// cycle per bit of the quotient:
//   FIND    finds the entries of the group
//   NEXT    reads the lowest remaining entry, or starts the average, or the next group if the group has no entry
//   LOAD    starts the division 16 * accesses / pages of the entry
//   EACH    performs that division
//   ADD     adds its quotient to the sum
//   MEAN    divides the sum by the number of entries
//   ROUND   rounds to accesses per page and reads the group's lease
//   MOVE    computes the change of the lease towards that value
//   SHOW    writes and outputs the new lease
`default_nettype none
`include "mt_reset.vh"

module lease_average #(
    // maximum number of blocks sampled per window, 1..32
    parameter ENTRIES = 16,
    // access counter width, 2..16 bits
    parameter COUNT_W = 10,
    // number of pages per block, 2..32, a power of two
    parameter PAGES = 16,
    // number of page groups, 1..64
    parameter GROUPS = 32,
    // lease width, 2..16 bits
    parameter LIFE_W = 10,
    // smoothing: a lease moves by 2^-WEIGHT of its distance to the sample, 0..7
    parameter WEIGHT = 1,
    // group number width (set by lease)
    parameter GROUP_W = 5
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       start,      // all accesses of the window are counted by this cycle
    input  wire                       clear,      // a window starts in the next cycle
    input  wire [ENTRIES-1:0]         used,
    input  wire [ENTRIES*GROUP_W-1:0] groups,     // groups of the entries
    output wire [ENTRIES-1:0]         pick,       // one-hot: the entry to read
    input  wire [COUNT_W-1:0]         count,
    input  wire [PAGES-1:0]           mask,
    output reg                        upd_valid,
    output reg  [GROUP_W-1:0]         upd_group,
    output reg  [LIFE_W-1:0]          upd_lease
);
    localparam [3:0] IDLE = 0;
    localparam [3:0] FIND = 1;
    localparam [3:0] NEXT = 2;
    localparam [3:0] LOAD = 3;
    localparam [3:0] EACH = 4;
    localparam [3:0] ADD = 5;
    localparam [3:0] MEAN = 6;
    localparam [3:0] ROUND = 7;
    localparam [3:0] MOVE = 8;
    localparam [3:0] SHOW = 9;
    localparam [3:0] SAMPLE = 10;

    localparam ENTRY_BITS = (ENTRIES < 2) ? 0 : $clog2(ENTRIES);
    localparam F_W = COUNT_W + 4;          // 16 * accesses / pages
    localparam SUM_W = F_W + ENTRY_BITS;
    localparam PART_W = $clog2(PAGES + 1);
    localparam N_W = $clog2(ENTRIES + 1);
    localparam DEN_W = (PART_W > N_W) ? PART_W : N_W;
    localparam LEFT_W = $clog2(SUM_W + 1);
    localparam [LEFT_W-1:0] F_STEPS = F_W[LEFT_W-1:0];
    localparam [LEFT_W-1:0] SUM_STEPS = SUM_W[LEFT_W-1:0];
    localparam [LEFT_W-1:0] ONE_LEFT = 1;
    localparam [N_W-1:0] ONE = 1;
    localparam LAST_GROUP = GROUPS - 1;
    localparam [GROUP_W-1:0] LAST = LAST_GROUP[GROUP_W-1:0];
    localparam [GROUP_W-1:0] NEXT_GROUP = 1;
    localparam [F_W-1:0] HALF = 8;
    // width of the signed lease, sample and sums of both
    localparam MOVE_W = (COUNT_W > LIFE_W ? COUNT_W : LIFE_W) + 2;
    localparam [MOVE_W-1:0] MOST = (1 << LIFE_W) - 2;
    localparam [LIFE_W-1:0] LEAST = 1;

    reg  [3:0]         state;
    reg  [GROUP_W-1:0] group;
    reg  [ENTRIES-1:0] rest;       // remaining entries of the group
    reg  [COUNT_W-1:0] entry_count;
    reg  [PAGES-1:0]   entry_mask;
    reg  [SUM_W-1:0]   sum;
    reg  [N_W-1:0]     n;          // number of the group's entries in the sum
    wire               any_rest;
    wire               last_group = group == LAST;
    wire [ENTRIES-1:0] of_group;
    genvar             e;
    generate
        for (e = 0; e < ENTRIES; e = e + 1) begin : gen_of_group
            assign of_group[e] = used[e] && groups[e*GROUP_W+:GROUP_W] == group;
        end
    endgenerate
    mt_first_one #(
        .N(ENTRIES)
    ) u_pick (
        .in   (rest),
        .first(pick),
        .any  (any_rest)
    );

    // ---- divider: one quotient bit per cycle
    reg  [LEFT_W-1:0] left;   // number of remaining steps
    reg  [SUM_W-1:0]  num;    // upper bits: remaining dividend; lower bits: quotient so far
    reg  [DEN_W-1:0]  den, carry;
    wire [DEN_W:0]    part = {carry, num[SUM_W-1]};
    wire              fits = part >= {1'b0, den};
    wire [DEN_W:0]    less = part - {1'b0, den};
    wire              unused_less = &{1'b0, less[DEN_W]};
    wire              divides = state == EACH || state == MEAN;
    wire              divided = left == ONE_LEFT;
    wire [PART_W-1:0] parts;  // number of pages of the entry
    mt_sum_bits #(
        .N      (PAGES),
        .W      (PART_W),
        .WEIGHTS({PAGES{{{PART_W - 1{1'b0}}, 1'b1}}})
    ) u_parts (
        .bits(entry_mask),
        .sum (parts)
    );
    wire [SUM_W-1:0] dividend;
    generate
        if (ENTRY_BITS > 0) begin : gen_dividend
            assign dividend = {entry_count, 4'd0, {ENTRY_BITS{1'b0}}};
        end else begin : gen_dividend_of_one
            assign dividend = {entry_count, 4'd0};
        end
    endgenerate
    always @(posedge clk)
        if (state == LOAD) begin
            num   <= dividend;
            den   <= {{DEN_W - PART_W{1'b0}}, parts};
            carry <= {DEN_W{1'b0}};
            left  <= F_STEPS;
        end else if (state == NEXT) begin
            num   <= sum;
            den   <= {{DEN_W - N_W{1'b0}}, n};
            carry <= {DEN_W{1'b0}};
            left  <= SUM_STEPS;
        end else if (divides) begin
            num   <= {num[SUM_W-2:0], fits};
            carry <= fits ? less[DEN_W-1:0] : part[DEN_W-1:0];
            left  <= left - ONE_LEFT;
        end

    // ---- steps
    wire [3:0] after = last_group ? IDLE : FIND;
    always @(posedge clk `MT_OR_RST)
        if (rst) state <= SAMPLE;
        else if (clear) state <= SAMPLE;
        else
            case (state)
                SAMPLE: if (start) state <= FIND;
                FIND: state <= NEXT;
                NEXT: state <= any_rest ? LOAD : n == {N_W{1'b0}} ? after : MEAN;
                LOAD: state <= EACH;
                EACH: if (divided) state <= ADD;
                ADD: state <= NEXT;
                MEAN: if (divided) state <= ROUND;
                ROUND: state <= MOVE;
                MOVE: state <= SHOW;
                SHOW: state <= after;
                default: state <= IDLE;
            endcase
    wire next_group = (state == NEXT && !any_rest && n == {N_W{1'b0}}) || state == SHOW;
    always @(posedge clk) begin
        if (state == SAMPLE) group <= {GROUP_W{1'b0}};
        else if (next_group) group <= group + NEXT_GROUP;

        if (state == FIND) rest <= of_group;
        else if (state == NEXT) rest <= rest & ~pick;
        if (state == NEXT) begin
            entry_count <= count;
            entry_mask  <= mask;
        end

        if (state == FIND) sum <= {SUM_W{1'b0}};
        else if (state == ADD) sum <= sum + {{ENTRY_BITS{1'b0}}, num[F_W-1:0]};
    end
    always @(posedge clk `MT_OR_RST)
        if (rst) n <= {N_W{1'b0}};
        else if (state == FIND) n <= {N_W{1'b0}};
        else if (state == ADD) n <= n + ONE;

    // ---- leases
    reg  [GROUPS-1:0]  leased;      // the group has a lease
    reg                was_leased;  // the group had a lease
    reg  [COUNT_W-1:0] sample;
    reg  [LIFE_W-1:0]  old_lease;
    reg  [MOVE_W-1:0]  step;        // signed change of the lease
    wire [LIFE_W-1:0]  lease;
    wire [F_W-1:0]     rounded = num[F_W-1:0] + HALF;
    wire [MOVE_W-1:0]  wide_lease = {{MOVE_W - LIFE_W{1'b0}}, old_lease};
    wire signed [MOVE_W-1:0] distance = {{MOVE_W - COUNT_W{1'b0}}, sample} - wide_lease;
    wire signed [MOVE_W-1:0] distance_part = distance >>> WEIGHT;
    wire [MOVE_W-1:0]  lease_sum = wide_lease + step;
    wire               below = lease_sum[MOVE_W-1] || lease_sum == {MOVE_W{1'b0}};
    wire               above = !lease_sum[MOVE_W-1] && lease_sum > MOST;
    wire [LIFE_W-1:0]  moved = below ? LEAST : above ? MOST[LIFE_W-1:0] : lease_sum[LIFE_W-1:0];
    wire               unused_rounded = &{1'b0, rounded[3:0]};
    wire [GROUPS-1:0]  at;
    generate
        for (e = 0; e < GROUPS; e = e + 1) begin : gen_at
            localparam [GROUP_W-1:0] THIS = e;
            assign at[e] = group == THIS;
        end
    endgenerate
    mt_regfile_1r1w #(
        .WIDTH (LIFE_W),
        .DEPTH (GROUPS),
        .ADDR_W(GROUP_W)
    ) u_leases (
        .clk  (clk),
        .we   (state == SHOW),
        .waddr(group),
        .wdata(moved),
        .raddr(group),
        .rdata(lease)
    );
    always @(posedge clk `MT_OR_RST)
        if (rst) leased <= {GROUPS{1'b0}};
        else if (state == SHOW) leased <= leased | at;
    always @(posedge clk) begin
        if (state == ROUND) begin
            sample     <= rounded[F_W-1:4];
            old_lease  <= (|(leased & at)) ? lease : {LIFE_W{1'b0}};
            was_leased <= |(leased & at);
        end
        step <= was_leased ? distance_part : distance;
    end
    always @(posedge clk `MT_OR_RST)
        if (rst) upd_valid <= 1'b0;
        else upd_valid <= state == SHOW;
    always @(posedge clk) begin
        upd_group <= group;
        upd_lease <= moved;
    end

`ifdef FORMAL
`include "lease_average_contract.vh"
`endif
endmodule

`default_nettype wire
