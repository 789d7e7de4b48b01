// SPDX-License-Identifier: Apache-2.0
// Keeps the update order of expiry's entries in a doubly linked list in RAMs. An entry's links are read in one cycle;
// the entry is unlinked in a later cycle, and appended as the newest in a cycle after that.
`default_nettype none
`include "mt_reset.vh"

module expiry_order #(
    // number of entries, 2..1024
    parameter ENTRIES = 256,
    // entry number width (set by expiry)
    parameter WAY_W = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WAY_W-1:0] way,     // stable from `read` to `append`
    input  wire             read,
    input  wire             empty,   // valid in a cycle with `read`: the list is empty
    input  wire             unlink,  // at least one cycle after `read`
    input  wire             append,  // at least one cycle after `unlink`
    output reg  [WAY_W-1:0] oldest,  // valid if the list is not empty
    output wire [WAY_W-1:0] newer    // successor of the entry read last, if it is in the list and not the newest
);
    reg  [WAY_W-1:0] newest;
    wire [WAY_W-1:0] older;
    reg              is_oldest, is_newest, was_empty;
    wire             first = was_empty || (is_oldest && is_newest);  // the list holds no other entry

    always @(posedge clk)
        if (read) begin
            is_oldest <= way == oldest;
            is_newest <= way == newest;
            was_empty <= empty;
        end
    always @(posedge clk)
        if (unlink && is_oldest) oldest <= newer;
        else if (append && first) oldest <= way;
    always @(posedge clk `MT_OR_RST)
        if (rst) newest <= {WAY_W{1'b0}};  // written even if the list is empty, so it must be a valid entry number
        else if (unlink && is_newest) newest <= older;
        else if (append) newest <= way;

    mt_ram_1r1w #(
        .WIDTH (WAY_W),
        .DEPTH (ENTRIES),
        .ADDR_W(WAY_W)
    ) u_newer (
        .clk  (clk),
        .we   ((unlink && !is_oldest) || append),
        .waddr(unlink ? older : newest),
        .wdata(unlink ? newer : way),
        .re   (read),
        .raddr(way),
        .rdata(newer)
    );
    mt_ram_1r1w #(
        .WIDTH (WAY_W),
        .DEPTH (ENTRIES),
        .ADDR_W(WAY_W)
    ) u_older (
        .clk  (clk),
        .we   ((unlink && !is_newest) || append),
        .waddr(unlink ? newer : way),
        .wdata(unlink ? older : newest),
        .re   (read),
        .raddr(way),
        .rdata(older)
    );
endmodule

`default_nettype wire
