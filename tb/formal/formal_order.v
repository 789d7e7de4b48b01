// SPDX-License-Identifier: Apache-2.0
// Property "order": of two chosen requests whose addresses agree in the bits of SAME, the request filled second is
// never output while the request filled first is stored. SAME has all bits for the same line, the queue's bits for the
// same queue, and is 0 for any two requests.
`default_nettype none

module formal_order #(
    parameter ADDR_W = 4,
    parameter ID_W = 2,
    parameter [ADDR_W-1:0] SAME = {ADDR_W{1'b1}}
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
    reg               first_in, second_in, first_out, second_out;  // events so far
    reg  [ADDR_W-1:0] addr;                            // address of the first request
    wire              first = choose[0] && !first_in;
    wire              second = choose[1] && first_in && !second_in && ((fill_addr ^ addr) & SAME) == 0;
    wire              fill = fill_valid && fill_ready;
    wire              unused = |{fill_refuse, drain_addr, drain_why, st_requests};

    assign inside_label = {second_in && !second_out, first_in && !first_out};
    assign inside_addr  = addr;
    assign inside_id    = 1;
    assign inside_count = 18'd0;

    assign fill_id = {second, first};
    assign wrong   = (drain_valid && drain_id[1] && !first_out)
        || (second_in && !first_in) || (first_out && !first_in) || (second_out && !second_in);  // invariant of the monitor

    always @(posedge clk) begin
        first_in   <= first_in || (fill && first);
        second_in  <= second_in || (fill && second);
        first_out  <= first_out || (drain_valid && drain_ready && drain_id[0]);
        second_out <= second_out || (drain_valid && drain_ready && drain_id[1]);
        if (fill && first) addr <= fill_addr;
        if (rst) begin
            first_in   <= 1'b0;
            second_in  <= 1'b0;
            first_out  <= 1'b0;
            second_out <= 1'b0;
        end
    end
endmodule

`default_nettype wire
