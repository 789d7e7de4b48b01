// SPDX-License-Identifier: Apache-2.0
// The st_ ports of the incoming blocks, counted by events; 0, and no flip-flop, with OBSERVE=0.
`default_nettype none
`include "mt_reset.vh"
`include "incoming_defs.vh"

module incoming_observe #(
    parameter OBSERVE = 1
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          enter,       // a request enters at the edge
    input  wire                          leave,       // one leaves
    input  wire                          open,        // a queue gets its first request
    input  wire                          close,       // a queue gives its last, and gets none
    output wire [`INCOMING_COUNT_W-1:0]  st_requests,
    output wire [`INCOMING_QUEUES_W-1:0] st_queues
);
    generate
        if (OBSERVE != 0) begin : gen_observe
            reg [`INCOMING_COUNT_W-1:0]  requests;
            reg [`INCOMING_QUEUES_W-1:0] queues;

            always @(posedge clk `MT_OR_RST) begin
                if (rst) begin
                    requests <= {`INCOMING_COUNT_W{1'b0}};
                    queues   <= {`INCOMING_QUEUES_W{1'b0}};
                end else begin
                    if (enter && !leave) requests <= requests + 1'b1;
                    if (leave && !enter) requests <= requests - 1'b1;
                    if (open && !close) queues <= queues + 1'b1;
                    if (close && !open) queues <= queues - 1'b1;
                end
            end
            assign st_requests = requests;
            assign st_queues   = queues;
        end else begin : gen_no_observe
            wire unused_events = &{1'b0, clk, rst, enter, leave, open, close};
            assign st_requests = {`INCOMING_COUNT_W{1'b0}};
            assign st_queues   = {`INCOMING_QUEUES_W{1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
