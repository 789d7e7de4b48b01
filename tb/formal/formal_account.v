// SPDX-License-Identifier: Apache-2.0
// Property "account": every filled request is drained once and unchanged.
//  - the number of stored requests is fills minus drains; an output is valid if and only if this number is not 0;
//  - a chosen request, which is marked in its ID, is output only while it is stored, with its address and ID;
//  - if only the chosen request is stored, it is the output.
`default_nettype none

module formal_account #(
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
    reg  [17:0]       count;
    reg               in;
    reg  [ADDR_W-1:0] addr;
    reg  [ID_W-1:0]   id;
    wire              fill = fill_valid && fill_ready;
    wire              drain = drain_valid && drain_ready;
    wire              chosen = choose[0] && !in;
    wire              unused = |{fill_refuse, drain_why};

    assign inside_label = {1'b0, in};
    assign inside_addr  = addr;
    assign inside_id    = id;
    assign inside_count = count;

    assign fill_id = {choose[ID_W-1:1], chosen};
    assign wrong   = drain_valid != (count != 0)
        || st_requests != count
        || (drain_valid && drain_id[0] && !(in && drain_addr == addr && drain_id == id))
        || (in && count == 1 && !drain_id[0])
        || (in && !id[0]);  // invariant of the monitor

    always @(posedge clk) begin
        count <= count + {17'd0, fill} - {17'd0, drain};
        in    <= (in && !(drain && drain_id[0])) || (fill && chosen);
        if (fill && chosen) begin
            addr <= fill_addr;
            id   <= fill_id;
        end
        if (rst) begin
            count <= 18'd0;
            in    <= 1'b0;
        end
    end
endmodule

`default_nettype wire
