// SPDX-License-Identifier: Apache-2.0
// Order of arrival in one branch (AGE_LIMIT > 0): the queue number of each request, oldest first, and how many have passed the oldest.
// The first occurrence of a queue is the queue's oldest request: what is drained is taken out there (found by cart_branches, as only one
// branch drains), and the younger ones close up.
// Bit b of all queue numbers is one column list[b*LEN +: LEN].
`default_nettype none
`include "mt_reset.vh"

module cart_age #(
    // places of the branch
    parameter LEN = 16,
    // bits of a queue number
    parameter QUEUE_W = 3,
    // requests that may be drained past the oldest, 1..65535
    parameter LIMIT = 16
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   enter,        // a request enters queue enter_queue at the edge; never when LEN are here
    input  wire [QUEUE_W-1:0]     enter_queue,
    input  wire                   leave,        // one leaves
    input  wire [LEN-1:0]         from_leave,   // its place and all behind it, then
    output wire                   aged,         // the oldest has been passed LIMIT times
    output reg  [LEN-1:0]         valid,        // thermometer
    output reg  [LEN*QUEUE_W-1:0] list
);
    localparam PASSED_W = $clog2(LIMIT + 1);
    localparam [PASSED_W-1:0] LAST = LIMIT[PASSED_W-1:0];

    reg  [PASSED_W-1:0] passed;

    // ---- taking out: these places get what is in the next one
    wire [LEN-1:0] shift = from_leave & {LEN{leave}};

    // ---- putting in: behind what is left
    wire [LEN-1:0] left = leave ? valid >> 1 : valid;
    wire [LEN-1:0] left_up = (left << 1) | {{(LEN - 1) {1'b0}}, 1'b1};
    wire [LEN-1:0] put = left_up & ~left & {LEN{enter}};

    integer c;
    always @(posedge clk)
        for (c = 0; c < QUEUE_W; c = c + 1)
            list[c*LEN+:LEN] <= (((list[c*LEN+:LEN] & ~shift) | ((list[c*LEN+:LEN] >> 1) & shift)) & ~put) | (put & {LEN{enter_queue[c]}});
    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            valid  <= {LEN{1'b0}};
            passed <= {PASSED_W{1'b0}};
        end else begin
            valid <= left | put;
            if (leave) passed <= shift[0] ? {PASSED_W{1'b0}} : aged ? LAST : passed + 1'b1;
        end
    end

    assign aged = passed == LAST;
endmodule

`default_nettype wire
