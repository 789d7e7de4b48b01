// SPDX-License-Identifier: Apache-2.0
// The order in which the entries of expiry were updated: a list, with a link both ways of each entry, in RAMs. The links of an entry are read in
// one cycle; in the next or later it is taken out of the list; in the one after that it becomes its newest.
`default_nettype none
`include "mt_reset.vh"

module expiry_order #(
    parameter ENTRIES = 256,
    // bits of an entry's number (given by expiry)
    parameter WAY_W = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WAY_W-1:0] way,     // stays from `read` to `append`
    input  wire             read,
    input  wire             empty,   // with `read`: there is nothing in the list
    input  wire             unlink,  // not before the cycle after `read`
    input  wire             append,  // not before the cycle after `unlink`
    output reg  [WAY_W-1:0] oldest,  // if the list is not empty
    output wire [WAY_W-1:0] newer    // than the entry read last, if it is in the list and not the newest
);
    reg  [WAY_W-1:0] newest;
    wire [WAY_W-1:0] older;
    reg              is_oldest, is_newest, was_empty;
    wire             first = was_empty || (is_oldest && is_newest);  // nothing but this entry

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
        if (rst) newest <= {WAY_W{1'b0}};  // in an empty list it is written to, so it is always an entry
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
