// SPDX-License-Identifier: Apache-2.0
// Property "age": once a chosen request is the oldest of its branch, at most LIMIT other requests of the branch are
// drained before it. Two ID bits label a request of the chosen branch: 0 filled before the chosen one, 1 the chosen
// one, 2 filled after it; 3 is in another branch.
`default_nettype none

module formal_age #(
    parameter ADDR_W = 4,
    parameter ID_W = 2,
    parameter [ADDR_W-1:0] BANK_MASK = 1,
    parameter [15:0] LIMIT = 1
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
    output wire [17:0]       inside_count,
    output wire              inside_known,  // the chosen request has been filled
    output wire [17:0]       inside_older,
    output wire [15:0]       inside_past
);
    reg  [ADDR_W-1:0] branch;     // the chosen branch
    reg               in, out;    // the chosen request has been filled; it has been drained
    reg  [17:0]       older;      // number of stored requests of the branch that were filled before it
    reg  [15:0]       past;       // number of requests drained before it since it became the oldest
    wire              fill = fill_valid && fill_ready;
    wire              drain = drain_valid && drain_ready;
    wire              here = (fill_addr & BANK_MASK) == branch;
    wire              oldest = in && !out && older == 18'd0;
    wire              chosen = here && choose[0] && !in;
    wire              unused = |{fill_refuse, drain_addr, drain_why, st_requests};

    assign inside_label = {1'b0, in && !out};
    assign inside_addr  = branch;
    assign inside_id    = {ID_W{1'b0}};
    assign inside_count = 18'd0;
    assign inside_known = in;
    assign inside_older = older;
    assign inside_past  = past;

    assign fill_id = !here ? 2'd3 : chosen ? 2'd1 : in ? 2'd2 : 2'd0;
    assign wrong   = (oldest && drain_valid && drain_id == 2'd2 && past == LIMIT)
        || (out && !in) || (!in && past != 16'd0) || (branch & ~BANK_MASK) != 0;  // invariant of the monitor

    always @(posedge clk) begin
        in    <= in || (fill && chosen);
        out   <= out || (drain && drain_id == 2'd1);
        older <= older + {17'd0, fill && fill_id == 2'd0} - {17'd0, drain && drain_id == 2'd0};
        if (oldest && drain && drain_id == 2'd2) past <= past + 16'd1;
        if (rst) begin
            branch <= fill_addr & BANK_MASK;
            in     <= 1'b0;
            out    <= 1'b0;
            older  <= 18'd0;
            past   <= 16'd0;
        end
    end
endmodule

`default_nettype wire
