// SPDX-License-Identifier: Apache-2.0
// Keeps the order of first touch in a RAM, and sends the entries in that order in two stages: the RAM outputs the
// number of the entry to read next (`next`), and the entry that was read is at the output (`out`).
`default_nettype none
`include "mt_reset.vh"

module hir_order #(
    // number of entries, at least 1
    parameter ENTRIES = 1024,
    // entry number width
    parameter ENTRY_W = 10
) (
    input  wire                         clk,
    input  wire                         rst,
    // a new entry is appended
    input  wire                         enter,
    input  wire [ENTRY_W-1:0]           enter_entry,
    output reg  [$clog2(ENTRIES+1)-1:0] count,
    // all entries are to be sent
    input  wire                         flush,
    output reg                          busy,
    output wire                         done,        // all entries have been sent; all are freed at this edge
    // an entry is read, and is at the output from the next cycle on
    output wire                         re,
    output wire [ENTRY_W-1:0]           entry,
    output reg                          out_valid,
    output reg                          out_last,
    input  wire                         out_ready
);
    localparam COUNT_W = $clog2(ENTRIES + 1);
    localparam ADDR_W = (ENTRIES < 2) ? 1 : $clog2(ENTRIES);
    localparam [COUNT_W-1:0] ONE = 1;

    reg                send;       // busy, and no lookup is in progress
    reg                next_valid;
    reg                all_read;   // the last number has been read
    reg  [COUNT_W-1:0] place;      // position of the number to read next
    wire [COUNT_W-1:0] place_next = place + ONE;

    wire               read = send && !all_read && (!next_valid || re);
    assign re   = next_valid && (!out_valid || out_ready);
    assign done = (out_valid && out_ready && out_last) || (send && count == {COUNT_W{1'b0}});

    mt_ram_1r1w #(
        .WIDTH (ENTRY_W),
        .DEPTH (ENTRIES),
        .ADDR_W(ADDR_W)
    ) u_order (
        .clk  (clk),
        .we   (enter),
        .waddr(count[ADDR_W-1:0]),
        .wdata(enter_entry),
        .re   (read),
        .raddr(place[ADDR_W-1:0]),
        .rdata(entry)
    );

    always @(posedge clk) if (re) out_last <= all_read;
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            {busy, send, next_valid, out_valid, all_read} <= 5'd0;
            {count, place} <= {2 * COUNT_W{1'b0}};
        end else if (done) begin
            {busy, send, next_valid, out_valid, all_read} <= 5'd0;
            {count, place} <= {2 * COUNT_W{1'b0}};
        end else begin
            busy       <= busy || flush;
            send       <= busy;
            next_valid <= read || (next_valid && !re);
            out_valid  <= re || (out_valid && !out_ready);
            if (enter) count <= count + ONE;
            if (read) begin
                place    <= place_next;
                all_read <= place_next == count;
            end
        end

`ifdef FORMAL
`include "hir_order_contract.vh"
`endif
endmodule

`default_nettype wire
