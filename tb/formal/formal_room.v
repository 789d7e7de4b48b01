// SPDX-License-Identifier: Apache-2.0
// Property "room": an empty block refuses no request. A refusal, and only a refusal, has a code. If FULL is set, a
// queue refuses no request while it holds fewer than FULL requests. The queue of a request is given by the parity of
// its address bits in MASK. One queue, chosen by the solver, is watched.
`default_nettype none

module formal_room #(
    parameter ADDR_W = 4,
    parameter ID_W = 2,
    parameter FULL = 0,
    parameter MASK = 0
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              fill_valid,
    input  wire [ADDR_W-1:0] fill_addr,
    output wire [ID_W-1:0]   fill_id,
    input  wire              fill_ready,
    input  wire [1:0]        fill_refuse,
    input  wire              drain_valid,
    input  wire [ADDR_W-1:0] drain_addr,
    input  wire [ID_W-1:0]   drain_id,
    input  wire [2:0]        drain_why,
    input  wire              drain_ready,
    input  wire [17:0]       st_requests,
    input  wire [ID_W-1:0]   choose,
    output wire              wrong,
    // stored requests: those with labels 0 and 1, their address, the ID of label 0, and the number of all requests
    output wire [1:0]        inside_label,
    output wire [ADDR_W-1:0] inside_addr,
    output wire [ID_W-1:0]   inside_id,
    output wire [17:0]       inside_count
);
    reg  [17:0] count, here;  // number of requests in all queues, and in the chosen queue
    reg         chosen;
    wire        fills_it = ^(fill_addr & MASK[ADDR_W-1:0]) == chosen;
    wire        drains_it = ^(drain_addr & MASK[ADDR_W-1:0]) == chosen;
    wire        filled = fill_valid && fill_ready;
    wire        drained = drain_valid && drain_ready;
    wire        early = count == 18'd0 || (fills_it && here < FULL[17:0]);
    wire        unused = |{drain_id, drain_why, st_requests};

    assign inside_label = 2'd0;
    assign inside_addr  = {ADDR_W{1'b0}};
    assign inside_id    = {ID_W{1'b0}};
    assign inside_count = count;

    assign fill_id = choose;
    assign wrong   = fill_valid && (fill_ready ? fill_refuse != 2'd0 : early || fill_refuse == 2'd0);

    always @(posedge clk)
        if (rst) begin
            count  <= 18'd0;
            here   <= 18'd0;
            chosen <= choose[0];
        end else begin
            count <= count + {17'd0, filled} - {17'd0, drained};
            here  <= here + {17'd0, filled && fills_it} - {17'd0, drained && drains_it};
        end
endmodule

`default_nettype wire
