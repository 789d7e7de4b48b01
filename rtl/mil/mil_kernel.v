// SPDX-License-Identifier: Apache-2.0
// Keeps the state of one kernel: its memory instructions in flight, their limit and, if ORDER=2, its requests per
// instruction.
`default_nettype none
`include "mt_reset.vh"

module mil_kernel #(
    // maximum number of memory instructions issued per cycle, 1..4
    parameter SCHEDULERS = 4,
    // log2 of the number of requests between two decisions, 4..16
    parameter INTERVAL_W = 10,
    // failure counter width, 4..24 bits, at least INTERVAL_W
    parameter RF_W = 12,
    // width of the counter of instructions in flight, 4..10 bits
    parameter INFLIGHT_W = 8,
    // width of the instruction counter, 4..16 bits, INTERVAL_W to INTERVAL_W + 2
    parameter MINST_W = 10,
    // maximum number of requests per instruction, 2..64
    parameter RATIO_MAX = 32,
    // limit on instructions in flight: 0 none, 1 static, 2 dynamic
    parameter LIMIT = 2,
    // issue order among kernels: 0 none, 1 round robin, 2 quotas
    parameter ORDER = 2,
    // new limit after an interval with too few failures, if LIMIT=2: 0 no limit, 1 unchanged, 2 one step up
    parameter ZERO = 0,
    // widths of a value of 0..SCHEDULERS and a value of 0..RATIO_MAX (set by mil)
    parameter ROOM_W = 3,
    parameter RATIO_W = 6
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  start,
    input  wire                  set,
    input  wire [INFLIGHT_W-1:0] set_limit,
    input  wire [ROOM_W-1:0]     iss,
    input  wire [1:0]            done,
    input  wire                  acc,
    input  wire                  fail,
    output wire [ROOM_W-1:0]     room,
    output wire [INFLIGHT_W-1:0] limit,
    output wire                  update,
    output wire                  below,     // more instructions were completed than were in flight
    output reg  [INFLIGHT_W-1:0] inflight,
    output wire [INFLIGHT_W-1:0] most,
    output wire [RF_W-1:0]       rf,
    output wire [INTERVAL_W-1:0] req,
    output wire [MINST_W-1:0]    minst,
    output wire [RATIO_W-1:0]    ratio,
    output wire                  ratio_new  // the ratio changes in the next cycle
);
    localparam W = INFLIGHT_W;
    localparam [W-1:0] NONE = {W{1'b1}};  // no limit
    localparam [W-1:0] ONE = 1;
    localparam [ROOM_W-1:0] ALL = SCHEDULERS[ROOM_W-1:0];
    localparam [W-1:0] WIDE_ALL = SCHEDULERS[W-1:0];
    localparam [INTERVAL_W-1:0] ONE_REQ = 1;

    // ---- in flight
    wire [W+1:0] sum = {2'b0, inflight} + {{W + 2 - ROOM_W{1'b0}}, iss} - {{W{1'b0}}, done};
    wire [W-1:0] now = below ? {W{1'b0}} : sum[W] ? NONE : sum[W-1:0];
    assign below = sum[W+1];
    always @(posedge clk `MT_OR_RST)
        if (rst) inflight <= {W{1'b0}};
        else inflight <= now;

    // ---- room
    wire [W:0] free = {1'b0, limit} - {1'b0, inflight};
    assign room = free[W] ? {ROOM_W{1'b0}} : free[W-1:0] > WIDE_ALL ? ALL : free[ROOM_W-1:0];

    // ---- the interval
    wire ends;
    generate
        if (LIMIT == 2 || ORDER == 2) begin : gen_interval
            reg [INTERVAL_W-1:0] count;
            assign ends = acc && !start && count == {INTERVAL_W{1'b1}};
            always @(posedge clk `MT_OR_RST)
                if (rst) count <= {INTERVAL_W{1'b0}};
                else if (start) count <= acc ? ONE_REQ : {INTERVAL_W{1'b0}};
                else if (acc) count <= count + ONE_REQ;
            assign req = count;
        end else begin : gen_no_interval
            wire unused_acc = &{1'b0, acc, start, ends};
            assign ends = 1'b0;
            assign req  = {INTERVAL_W{1'b0}};
        end
    endgenerate

`ifdef FORMAL
`include "mil_kernel_contract.vh"
`endif

    // ---- the limit
    generate
        if (LIMIT == 2) begin : gen_dynamic
            localparam Q_W = (RF_W > INTERVAL_W) ? RF_W - INTERVAL_W : 1;
            localparam [RF_W-1:0] ONE_RF = 1;
            reg  [W-1:0]    most_r, limit_r;
            reg  [RF_W-1:0] rf_r;
            reg             update_r;
            wire [W-1:0]    most_now = start || now > most_r ? now : most_r;
            wire [RF_W-1:0] rf_now = start ? (fail ? ONE_RF : {RF_W{1'b0}}) : fail && !(&rf_r) ? rf_r + ONE_RF : rf_r;
            wire [Q_W-1:0]  q;
            wire            last, by_0;
            wire [W-1:0]    quotient;
            wire [Q_W-1:0]  unused_rest;
            wire [W-1:0]    zero = (ZERO == 1 || (ZERO == 2 && limit_r == NONE)) ? limit_r :
                (ZERO == 2) ? limit_r + ONE : NONE;
            if (RF_W > INTERVAL_W) begin : gen_q
                assign q = rf_now[RF_W-1:INTERVAL_W];
            end else begin : gen_no_q
                assign q = 1'b0;
            end
            mil_div #(
                .N(W),
                .D(Q_W)
            ) u_div (
                .clk     (clk),
                .rst     (rst),
                .clear   (start),
                .start   (ends),
                .dividend(most_now),
                .divisor (q),
                .last    (last),
                .quotient(quotient),
                .by_0    (by_0),
                .rest    (unused_rest)
            );
            always @(posedge clk `MT_OR_RST)
                if (rst) begin
                    most_r   <= {W{1'b0}};
                    rf_r     <= {RF_W{1'b0}};
                    limit_r  <= NONE;
                    update_r <= 1'b0;
                end else begin
                    most_r   <= ends ? now : most_now;
                    rf_r     <= ends ? {RF_W{1'b0}} : rf_now;
                    update_r <= last && !start;
                    if (start) limit_r <= NONE;
                    else if (last) limit_r <= by_0 ? zero : quotient == {W{1'b0}} ? ONE : quotient;
                end
            wire unused_set = &{1'b0, set, set_limit};
            assign most   = most_r;
            assign rf     = rf_r;
            assign limit  = limit_r;
            assign update = update_r;
`ifdef FORMAL
`include "mil_limit_contract.vh"
`endif
        end else if (LIMIT == 1) begin : gen_static
            reg [W-1:0] limit_r;
            reg         update_r;
            always @(posedge clk `MT_OR_RST)
                if (rst) begin
                    limit_r  <= NONE;
                    update_r <= 1'b0;
                end else begin
                    update_r <= set;
                    if (set) limit_r <= set_limit == {W{1'b0}} ? ONE : set_limit;
                end
            wire unused_fail = &{1'b0, fail};
            assign most   = {W{1'b0}};
            assign rf     = {RF_W{1'b0}};
            assign limit  = limit_r;
            assign update = update_r;
        end else begin : gen_none
            wire unused_events = &{1'b0, set, set_limit, fail};
            assign most   = {W{1'b0}};
            assign rf     = {RF_W{1'b0}};
            assign limit  = NONE;
            assign update = 1'b0;
        end
    endgenerate

    // ---- requests per instruction: (2^INTERVAL_W + instructions / 2) / instructions
    generate
        if (ORDER == 2) begin : gen_ratio
            localparam N = INTERVAL_W + 2;
            localparam [N-1:0] REQUESTS = 1 << INTERVAL_W;
            localparam [N-1:0] MOST = RATIO_MAX[N-1:0];
            localparam [RATIO_W-1:0] ONE_R = 1;
            localparam [RATIO_W-1:0] MOST_R = RATIO_MAX[RATIO_W-1:0];
            reg  [MINST_W-1:0] minst_r;
            reg  [RATIO_W-1:0] ratio_r;
            wire [MINST_W:0]   minst_sum = {1'b0, start ? {MINST_W{1'b0}} : minst_r} +
                {{MINST_W + 1 - ROOM_W{1'b0}}, iss};
            wire [MINST_W-1:0] minst_now = minst_sum[MINST_W] ? {MINST_W{1'b1}} : minst_sum[MINST_W-1:0];
            wire               by_0;
            wire [N-1:0]       quotient;
            wire [MINST_W-1:0] unused_rest;
            mil_div #(
                .N(N),
                .D(MINST_W)
            ) u_div (
                .clk     (clk),
                .rst     (rst),
                .clear   (start),
                .start   (ends),
                .dividend(REQUESTS + {{N + 1 - MINST_W{1'b0}}, minst_now[MINST_W-1:1]}),
                .divisor (minst_now),
                .last    (ratio_new),
                .quotient(quotient),
                .by_0    (by_0),
                .rest    (unused_rest)
            );
            always @(posedge clk `MT_OR_RST)
                if (rst) begin
                    minst_r <= {MINST_W{1'b0}};
                    ratio_r <= ONE_R;
                end else begin
                    minst_r <= ends ? {MINST_W{1'b0}} : minst_now;
                    if (start) ratio_r <= ONE_R;
                    else if (ratio_new && !by_0) ratio_r <= quotient > MOST ? MOST_R : quotient == {N{1'b0}} ? ONE_R :
                        quotient[RATIO_W-1:0];
                end
            assign minst = minst_r;
            assign ratio = ratio_r;
`ifdef FORMAL
`include "mil_ratio_contract.vh"
`endif
        end else begin : gen_no_ratio
            assign minst     = {MINST_W{1'b0}};
            assign ratio     = {RATIO_W{1'b0}};
            assign ratio_new = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
