// SPDX-License-Identifier: Apache-2.0
// Keeps the order of arrival in one branch (AGE_LIMIT > 0): the queue number of each request, oldest first, and the
// number of requests drained before the oldest. The first occurrence of a queue is that queue's oldest request: a drain
// removes it, and the younger requests move up. cart_branches finds its position, because only one branch drains at a
// time.
// The queue number at position i is queues[i*QUEUE_W +: QUEUE_W].
`default_nettype none
`include "mt_reset.vh"

module cart_age #(
    // number of entries per branch
    parameter LEN = 16,
    // queue number width
    parameter QUEUE_W = 3,
    // number of requests that may be drained before the oldest one, 1..65535
    parameter LIMIT = 16
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   enter,        // a request enters queue enter_queue at the edge; never when LEN
                                                // requests are stored
    input  wire [QUEUE_W-1:0]     enter_queue,
    input  wire                   leave,        // a request leaves at the edge: the oldest if `aged`
    input  wire [LEN-1:0]         from_leave,   // position of the leaving request and all younger positions
    output wire                   aged,         // LIMIT requests have been drained before the oldest
    output reg  [LEN-1:0]         valid,        // thermometer code of the number of requests
    output wire [LEN*QUEUE_W-1:0] queues
);
    localparam PASSED_W = $clog2(LIMIT + 1);
    localparam [PASSED_W-1:0] LAST = LIMIT[PASSED_W-1:0];

    reg  [PASSED_W-1:0] passed;

    // ---- removal: these positions take the next younger entry
    wire [LEN-1:0] shift = from_leave & {LEN{leave}};

    // ---- insertion after the youngest remaining entry
    wire [LEN-1:0] left = leave ? valid >> 1 : valid;
    wire [LEN-1:0] left_up = (left << 1) | {{(LEN - 1) {1'b0}}, 1'b1};
    wire [LEN-1:0] put = left_up & ~left & {LEN{enter}};

    genvar i;
    generate
        for (i = 0; i < LEN; i = i + 1) begin : gen_position
            reg  [QUEUE_W-1:0] queue;
            wire [QUEUE_W-1:0] younger;  // queue of the next younger request
            if (i < LEN - 1) begin : gen_younger
                assign younger = queues[(i+1)*QUEUE_W+:QUEUE_W];
            end else begin : gen_youngest
                assign younger = {QUEUE_W{1'b0}};
            end
            always @(posedge clk)
                if (put[i]) queue <= enter_queue;
                else if (shift[i]) queue <= younger;
            assign queues[i*QUEUE_W+:QUEUE_W] = queue;
        end
    endgenerate
    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            valid  <= {LEN{1'b0}};
            passed <= {PASSED_W{1'b0}};
        end else begin
            valid <= left | put;
            if (leave) passed <= shift[0] ? {PASSED_W{1'b0}} : passed + 1'b1;
        end
    end

    assign aged = passed == LAST;
endmodule

`default_nettype wire
