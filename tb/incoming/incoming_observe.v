// SPDX-License-Identifier: Apache-2.0
// Counters of requests and of used queues for the observers of the incoming blocks, which include this file.
`default_nettype none
`include "mt_reset.vh"
`include "incoming_defs.vh"

module incoming_observe (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         enter,     // a request enters at this clock edge
    input  wire                         leave,     // a request leaves at this clock edge
    input  wire                         open,      // a queue gets its first request
    input  wire                         close,     // a queue loses its last request and receives no other
    output reg [`INCOMING_COUNT_W-1:0]  requests,
    output reg [`INCOMING_QUEUES_W-1:0] queues
);
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
endmodule
