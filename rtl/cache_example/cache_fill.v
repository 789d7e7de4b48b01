// SPDX-License-Identifier: Apache-2.0
// Receives lines from memory on AXI's R channel. A beat is registered, then written to its line, which is identified by
// the beat's RID, the MSHR head of the fetch. Beats of several fetches may interleave. The last beat of a fetch waits
// until no other line is under drain, and returns its head to the MSHR in the cycle in which it is written.
`default_nettype none
`include "mt_reset.vh"

module cache_fill #(
    // number of beats per line, a power of two
    parameter BEATS = 4,
    // widths of a beat's data, a beat number, a head number and a line's {way, set}
    parameter DATA_W = 128,
    parameter BEAT_W = 2,
    parameter HEAD_W = 4,
    parameter LINE_W = 8
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              stop,        // an error has stopped the cache
    // start of a fetch
    input  wire              fetch,
    input  wire [HEAD_W-1:0] fetch_head,
    input  wire [LINE_W-1:0] fetch_line,
    // R
    input  wire              rvalid,
    output wire              rready,
    input  wire [HEAD_W-1:0] rid,
    input  wire [DATA_W-1:0] rdata,
    input  wire [1:0]        rresp,
    input  wire              rlast,
    // write of a beat
    output wire              write,
    output wire [LINE_W-1:0] line,
    output wire [BEAT_W-1:0] beat,
    output reg  [DATA_W-1:0] data,
    // the line is complete
    input  wire              draining,    // another line is under drain
    output wire              ret_valid,
    output reg  [HEAD_W-1:0] head,
    output wire              bad,         // a beat of the line had an error
    output wire              broken       // a beat belongs to no fetch
);
    localparam HEADS = 1 << HEAD_W;
    localparam [HEADS-1:0] HEAD0 = 1;
    localparam [BEAT_W-1:0] LAST = {BEAT_W{BEATS > 1}};

    reg               valid, error, last;  // flags of the registered beat, which also has head and data
    reg  [HEADS-1:0]  open, failed;        // per fetch: it is in flight; a beat had an error
    wire              is_last = beat == LAST;
    wire [BEAT_W-1:0] beat_next = is_last ? {BEAT_W{1'b0}} : beat + 1'b1;
    wire [HEADS-1:0]  at_head = (HEAD0 << head) & {HEADS{write}};

    assign broken    = valid && (!open[head] || last != is_last);
    assign write     = valid && !broken && !stop && !(is_last && draining);
    assign ret_valid = write && is_last;
    assign bad       = error || (failed[head] && beat != {BEAT_W{1'b0}});
    assign rready    = !valid || write;

    mt_regfile_1r1w #(
        .WIDTH (LINE_W),
        .DEPTH (HEADS),
        .ADDR_W(HEAD_W)
    ) u_lines (
        .clk  (clk),
        .we   (fetch),
        .waddr(fetch_head),
        .wdata(fetch_line),
        .raddr(head),
        .rdata(line)
    );

    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            valid <= 1'b0;
            open  <= {HEADS{1'b0}};
        end else begin
            if (rready) valid <= rvalid;
            open <= (open & ~(at_head & {HEADS{is_last}})) | ((HEAD0 << fetch_head) & {HEADS{fetch}});
        end
    always @(posedge clk) begin
        if (rready) begin
            head  <= rid;
            data  <= rdata;
            error <= rresp[1];
            last  <= rlast;
        end
        failed <= (failed & ~at_head) | (at_head & {HEADS{bad}});
    end
    wire unused = &{1'b0, rresp[0]};

    // ---- number of beats received per fetch, which returns to 0 after the last beat
    wire [HEADS*BEAT_W-1:0] all_beats;
    genvar                  h;
    generate
        for (h = 0; h < HEADS; h = h + 1) begin : gen_fetch
            reg [BEAT_W-1:0] beats;
            always @(posedge clk `MT_OR_RST)
                if (rst) beats <= {BEAT_W{1'b0}};
                else if (at_head[h]) beats <= beat_next;
            assign all_beats[h*BEAT_W+:BEAT_W] = beats;
        end
    endgenerate
    assign beat = all_beats[head*BEAT_W+:BEAT_W];
endmodule

`default_nettype wire
