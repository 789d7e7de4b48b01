// SPDX-License-Identifier: Apache-2.0
// Computes the shares of the kernels: the least common multiple of all ratios, divided by each ratio. There is one
// divider. The steps are:
//   FIRST   multiple = ratio 0; the next four steps follow for each other ratio r
//   MOD     multiple mod r
//   EUCLID  greatest common divisor of the remainder and r, by subtraction
//   DIV     multiple / divisor
//   TIMES   the quotient times r, one bit per cycle: the new multiple
//   SHARE   multiple / ratio, for each kernel
//   SHOW    outputs all shares at the same time
// MOD, EUCLID, DIV, TIMES and SHARE start with a load cycle: `load`.
`default_nettype none
`include "mt_reset.vh"

module mil_shares #(
    // number of kernels on the SM, 1..4
    parameter KERNELS = 2,
    // quota width, 8..24 bits
    parameter QUOTA_W = 20,
    // widths of a kernel number and a ratio (set by mil)
    parameter INDEX_W = 1,
    parameter RATIO_W = 6
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       clear,  // reset all shares to 1
    input  wire                       start,  // the ratios change in the next cycle
    input  wire [KERNELS*RATIO_W-1:0] ratio,
    output wire [KERNELS*QUOTA_W-1:0] share,
    output wire                       busy
);
    localparam [2:0] IDLE = 0;
    localparam [2:0] FIRST = 1;
    localparam [2:0] MOD = 2;
    localparam [2:0] EUCLID = 3;
    localparam [2:0] DIV = 4;
    localparam [2:0] TIMES = 5;
    localparam [2:0] SHARE = 6;
    localparam [2:0] SHOW = 7;
    localparam [INDEX_W-1:0] NEXT = 1;
    localparam LAST_INDEX = KERNELS - 1;
    localparam [INDEX_W-1:0] LAST = LAST_INDEX[INDEX_W-1:0];
    localparam BIT_W = $clog2(RATIO_W);
    localparam TOP_BIT = RATIO_W - 1;
    localparam [BIT_W-1:0] TOP = TOP_BIT[BIT_W-1:0];
    localparam [BIT_W-1:0] LOWER = 1;
    localparam [QUOTA_W-1:0] ONE = 1;

    reg  [2:0]                 phase;
    reg                        load;
    reg  [INDEX_W-1:0]         index;          // current ratio
    reg  [QUOTA_W-1:0]         multiple;
    reg  [RATIO_W-1:0]         first, second;   // operands of Euclid's algorithm
    reg  [QUOTA_W-1:0]         factor;         // multiplicand of TIMES
    reg  [BIT_W-1:0]           place;          // bit of the ratio that TIMES multiplies by
    reg  [KERNELS*QUOTA_W-1:0] new_share, share_r;
    wire [RATIO_W-1:0]         r = ratio[index*RATIO_W+:RATIO_W];
    wire                       equal = second == {RATIO_W{1'b0}} || first == second;
    wire                       last, unused_by_0;
    wire [QUOTA_W-1:0]         quotient;
    wire [RATIO_W-1:0]         rest;

    mil_div #(
        .N(QUOTA_W),
        .D(RATIO_W)
    ) u_div (
        .clk     (clk),
        .rst     (rst),
        .clear   (1'b0),
        .start   (load),
        .dividend(multiple),
        .divisor (phase == DIV ? first : r),
        .last    (last),
        .quotient(quotient),
        .by_0    (unused_by_0),
        .rest    (rest)
    );

    // `ends`: the phase ends in this cycle; `follows`: the next phase.
    reg       ends;
    reg [2:0] follows;
    always @* begin
        ends    = !load;
        follows = IDLE;
        case (phase)
            FIRST: begin
                ends    = 1'b1;
                follows = (KERNELS > 1) ? MOD : SHARE;
            end
            MOD: begin
                ends    = !load && last;
                follows = EUCLID;
            end
            EUCLID: begin
                ends    = !load && equal;
                follows = DIV;
            end
            DIV: begin
                ends    = !load && last;
                follows = TIMES;
            end
            TIMES: begin
                ends    = !load && place == {BIT_W{1'b0}};
                follows = index == LAST ? SHARE : MOD;
            end
            SHARE: begin
                ends    = !load && last;
                follows = index == LAST ? SHOW : SHARE;
            end
            default: follows = IDLE;
        endcase
    end

    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            phase <= IDLE;
            load  <= 1'b0;
        end else if (clear) begin
            phase <= IDLE;
            load  <= 1'b0;
        end else if (start) begin
            phase <= FIRST;
            load  <= 1'b0;
        end else begin
            if (ends) phase <= follows;
            load <= ends && follows != IDLE && follows != SHOW;
        end

    integer k;
    always @(posedge clk) begin
        if (phase == FIRST) index <= (KERNELS > 1) ? NEXT : {INDEX_W{1'b0}};
        else if (ends && phase == TIMES) index <= index == LAST ? {INDEX_W{1'b0}} : index + NEXT;
        else if (ends && phase == SHARE && index != LAST) index <= index + NEXT;

        if (phase == FIRST) multiple <= {{QUOTA_W - RATIO_W{1'b0}}, ratio[RATIO_W-1:0]};
        else if (phase == TIMES) multiple <= load ? {QUOTA_W{1'b0}} :
            {multiple[QUOTA_W-2:0], 1'b0} + (r[place] ? factor : {QUOTA_W{1'b0}});

        if (phase == EUCLID) begin
            if (load) first <= r;
            else if (!equal && first > second) first <= first - second;
            if (load) second <= rest;
            else if (!equal && first < second) second <= second - first;
        end

        if (phase == DIV && last) factor <= quotient;
        place <= load ? TOP : place - LOWER;
        for (k = 0; k < KERNELS; k = k + 1)
            if (phase == SHARE && ends && index == k[INDEX_W-1:0]) new_share[k*QUOTA_W+:QUOTA_W] <= quotient;
    end

    always @(posedge clk `MT_OR_RST)
        if (rst) share_r <= {KERNELS{ONE}};
        else if (clear) share_r <= {KERNELS{ONE}};
        else if (phase == SHOW) share_r <= new_share;
    assign share = share_r;
    assign busy  = phase != IDLE;

`ifdef FORMAL
`include "mil_shares_contract.vh"
`endif
endmodule

`default_nettype wire
