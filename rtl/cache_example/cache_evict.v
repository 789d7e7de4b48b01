// SPDX-License-Identifier: Apache-2.0
// Eviction buffer: sends dirty lines to memory on AXI's AW, W and B channels, in the order of their eviction.
// A line is copied from the data RAM, one word per cycle. Then its address and its words are sent. The entry is kept
// until memory acknowledges the write-back: AXI does not order reads after writes, so an earlier fetch of the line
// could return stale data.
`default_nettype none
`include "mt_reset.vh"

module cache_evict #(
    // capacity in lines, at least 1
    parameter EVICTS = 2,
    // number of beats per line, a power of two
    parameter BEATS = 4,
    // widths of a beat's data, a beat number and a line address
    parameter DATA_W = 128,
    parameter BEAT_W = 2,
    parameter ADDR_W = 26
) (
    input  wire              clk,
    input  wire              rst,
    // the line to look up
    input  wire [ADDR_W-1:0] addr,
    output wire              here,
    // eviction of a line
    output wire              room,
    input  wire              evict,
    input  wire [ADDR_W-1:0] evict_addr,
    output reg               copying,    // a line is being copied from the next cycle on
    output wire              read,       // reads this word, which is valid in the next cycle
    output wire [BEAT_W-1:0] read_beat,
    input  wire [DATA_W-1:0] word,
    // AW, W, B
    output wire              awvalid,
    input  wire              awready,
    output wire [ADDR_W-1:0] awaddr,
    output reg               wvalid,
    input  wire              wready,
    output wire [DATA_W-1:0] wdata,
    output wire              wlast,
    input  wire              bvalid,
    input  wire [1:0]        bresp,
    output reg               fail,       // memory acknowledged a write-back with an error
    output reg  [ADDR_W-1:0] fail_addr,
    output wire              broken      // memory acknowledged a write-back that was not sent
);
    localparam PTR_W = (EVICTS < 2) ? 1 : $clog2(EVICTS);
    localparam LINES = 1 << PTR_W;
    localparam TOP = EVICTS - 1;
    localparam [LINES-1:0] LINE0 = 1;
    localparam [BEAT_W-1:0] LAST = {BEAT_W{BEATS > 1}};
    localparam [BEAT_W:0] ALL = {1'b0, LAST} + 1'b1;

    reg  [LINES-1:0]  held, unsent;
    reg  [ADDR_W-1:0] addrs[0:LINES-1];
    reg  [PTR_W-1:0]  fill_ptr, send_ptr, ack_ptr;  // pointers: the next line to fill, to send, and to be acknowledged
    reg  [BEAT_W:0]   copied;           // number of words read
    reg  [BEAT_W-1:0] beat;             // beat being sent
    wire [BEAT_W:0]   stored = copied - 1'b1;
    wire              copy_ends = copying && copied == ALL;
    wire              start = awvalid && awready;  // never together with wvalid
    wire              sent = wvalid && wready && wlast;
    wire              acked = bvalid && !broken;
    wire [LINES-1:0]  copied_in = (LINE0 << fill_ptr) & {LINES{copy_ends}};
    wire [LINES-1:0]  same;

    genvar i;
    generate
        for (i = 0; i < LINES; i = i + 1) begin : gen_line
            assign same[i] = held[i] && addrs[i] == addr;
        end
    endgenerate
    assign here      = |same;
    assign room      = !held[fill_ptr];
    assign read      = copying && copied != ALL;
    assign read_beat = copied[BEAT_W-1:0];
    assign awvalid   = unsent[send_ptr] && !wvalid;
    assign awaddr    = addrs[send_ptr];
    assign wlast     = beat == LAST;
    assign broken    = bvalid && (!held[ack_ptr] || unsent[ack_ptr]);

    mt_regfile_1r1w #(
        .WIDTH (DATA_W),
        .DEPTH (LINES << BEAT_W),
        .ADDR_W(PTR_W + BEAT_W)
    ) u_words (
        .clk  (clk),
        .we   (copying && copied != {BEAT_W + 1{1'b0}}),
        .waddr({fill_ptr, stored[BEAT_W-1:0]}),
        .wdata(word),
        .raddr({send_ptr, beat}),
        .rdata(wdata)
    );

    always @(posedge clk) begin
        if (evict) begin
            addrs[fill_ptr] <= evict_addr;
            copied          <= {BEAT_W + 1{1'b0}};
        end else if (copying) copied <= copied + 1'b1;
        if (start) beat <= {BEAT_W{1'b0}};
        else if (wvalid && wready) beat <= beat + 1'b1;
        fail_addr <= addrs[ack_ptr];
    end
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            held     <= {LINES{1'b0}};
            unsent   <= {LINES{1'b0}};
            fill_ptr <= {PTR_W{1'b0}};
            send_ptr <= {PTR_W{1'b0}};
            ack_ptr  <= {PTR_W{1'b0}};
            copying  <= 1'b0;
            wvalid   <= 1'b0;
            fail     <= 1'b0;
        end else begin
            held   <= (held & ~((LINE0 << ack_ptr) & {LINES{acked}})) | copied_in;
            unsent <= (unsent & ~((LINE0 << send_ptr) & {LINES{sent}})) | copied_in;
            if (copy_ends) fill_ptr <= fill_ptr == TOP[PTR_W-1:0] ? {PTR_W{1'b0}} : fill_ptr + 1'b1;
            if (sent) send_ptr <= send_ptr == TOP[PTR_W-1:0] ? {PTR_W{1'b0}} : send_ptr + 1'b1;
            if (acked) ack_ptr <= ack_ptr == TOP[PTR_W-1:0] ? {PTR_W{1'b0}} : ack_ptr + 1'b1;
            copying <= evict || (copying && !copy_ends);
            wvalid  <= start || (wvalid && !sent);
            fail    <= acked && bresp[1];
        end
    wire unused = &{1'b0, bresp[0], stored[BEAT_W]};
endmodule

`default_nettype wire
