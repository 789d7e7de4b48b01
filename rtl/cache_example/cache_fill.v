// SPDX-License-Identifier: Apache-2.0
// Lines that come from memory, on AXI's R channel. A beat goes into a register, and from there to its line; its RID, the head that tracks
// the fetch, says which line that is. Beats of several fetches may come in any order among them. The last beat of a fetch waits until
// no other line is under drain, and returns its head to the MSHR in the cycle in which it is written.
`default_nettype none
`include "mt_reset.vh"

module cache_fill #(
    // beats of a line, a power of two
    parameter BEATS = 4,
    // bits of a beat's data, of a beat's number, of a head, of a line's {way, set}
    parameter DATA_W = 128,
    parameter BEAT_W = 2,
    parameter HEAD_W = 4,
    parameter LINE_W = 8
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              stop,        // an error has stopped the cache
    // a fetch begins
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
    // a beat that is written
    output wire              write,
    output wire [LINE_W-1:0] line,
    output wire [BEAT_W-1:0] beat,
    output reg  [DATA_W-1:0] data,
    // the line is complete
    input  wire              draining,    // another one is under drain
    output wire              ret_valid,
    output reg  [HEAD_W-1:0] head,
    output wire              bad,         // a beat of it came with an error
    output wire              broken       // a beat that no fetch expects
);
    localparam HEADS = 1 << HEAD_W;
    localparam [HEADS-1:0] HEAD0 = 1;
    localparam [BEAT_W-1:0] LAST = {BEAT_W{BEATS > 1}};

    reg               valid, error, last;  // of the register, with head and data
    reg  [HEADS-1:0]  open, failed;        // of a fetch: under way; a beat came with an error
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

    // ---- beats of each fetch that have come, again 0 behind the last one: a column a bit
    genvar b;
    generate
        for (b = 0; b < BEAT_W; b = b + 1) begin : gen_bit
            reg [HEADS-1:0] beats;
            always @(posedge clk `MT_OR_RST)
                if (rst) beats <= {HEADS{1'b0}};
                else beats <= (beats & ~at_head) | (at_head & {HEADS{beat_next[b]}});
            assign beat[b] = beats[head];
        end
    endgenerate
endmodule

`default_nettype wire
