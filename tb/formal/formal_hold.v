// SPDX-License-Identifier: Apache-2.0
// Property "hold" (HOLD=1): an output that is not accepted is unchanged in the next cycle, and marked as held.
`default_nettype none

module formal_hold #(
    parameter ADDR_W = 4,
    parameter ID_W = 2
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
    reg               held;
    reg  [ADDR_W-1:0] addr;
    reg  [ID_W-1:0]   id;
    wire              unused = |{fill_valid, fill_addr, fill_ready, fill_refuse, st_requests};

    assign inside_label = 2'd0;
    assign inside_addr  = {ADDR_W{1'b0}};
    assign inside_id    = {ID_W{1'b0}};
    assign inside_count = 18'd0;

    assign fill_id = choose;
    assign wrong   = held ? !(drain_valid && drain_addr == addr && drain_id == id && drain_why == 3'd1)
                        : drain_valid && drain_why == 3'd1;

    always @(posedge clk) begin
        held <= drain_valid && !drain_ready && !rst;
        addr <= drain_addr;
        id   <= drain_id;
    end
endmodule

`default_nettype wire
