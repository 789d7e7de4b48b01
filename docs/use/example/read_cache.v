// SPDX-License-Identifier: Apache-2.0
// A minimal cache that shows how to use an MSHR: read-only, direct-mapped, one lookup per cycle, several misses in flight.
// docs/understand/dl_mshr.md explains it; tests/integration/ lints and runs it with both MSHRs.
//   in   valid/ready; a request. A hit gets its response in the same cycle, a miss when its line has arrived
//   out  valid/ready; the response to the request with this id. Responses for the same line are in order, others in any order
//   mem  valid/ready; a fetch of a line. The reply names the same head; replies may arrive in any order
//   ret  valid/ready; a reply with the line of a head
`default_nettype none

module read_cache #(
    // 1 for dl_mshr_paper, 0 for static_mshr with the same number of slots
    parameter LINKED = 1,
    // number of slot sets of dl_mshr_paper, and of slots in each; static_mshr has SETS / 2 entries of 2 * SLOTS slots
    parameter SETS = 16,
    parameter SLOTS = 2,
    // width in bits of a line number, of a word's number in its line, and of a request's id
    parameter ADDR_W = 10,
    parameter OFF_W = 2,
    parameter ID_W = 8,
    // number of lines in the cache, a power of two, at least 2; width of a word in bits
    parameter LINES = 16,
    parameter WORD_W = 32,
    // width of a head in bits (derived from SETS)
    parameter HEAD_W = $clog2(LINKED != 0 ? SETS : SETS / 2)
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          in_valid,
    output wire                          in_ready,
    input  wire [ADDR_W-1:0]             in_addr,
    input  wire [OFF_W-1:0]              in_off,
    input  wire [ID_W-1:0]               in_id,
    output wire                          out_valid,
    input  wire                          out_ready,
    output wire [ID_W-1:0]               out_id,
    output wire [WORD_W-1:0]             out_word,
    output reg                           mem_valid,
    input  wire                          mem_ready,
    output reg  [ADDR_W-1:0]             mem_addr,
    output reg  [HEAD_W-1:0]             mem_head,
    input  wire                          ret_valid,
    output wire                          ret_ready,
    input  wire [HEAD_W-1:0]             ret_head,
    input  wire [(WORD_W << OFF_W)-1:0]  ret_line,
    output wire [1:0]                    err
);
    localparam LINE_W = WORD_W << OFF_W;
    localparam INDEX_W = $clog2(LINES);
    localparam TAG_W = ADDR_W - INDEX_W;

    // ---- lookup
    reg  [LINES-1:0]   here;
    reg  [TAG_W-1:0]   tags [0:LINES-1];
    reg  [LINE_W-1:0]  lines[0:LINES-1];
    wire [INDEX_W-1:0] index = in_addr[INDEX_W-1:0];
    wire [LINE_W-1:0]  hit_line = lines[index];
    wire               hit = here[index] && tags[index] == in_addr[ADDR_W-1:INDEX_W];

    // ---- the MSHR gets a request only if there is room for the fetch of a primary miss, because it cannot give a request back
    wire               room = !mem_valid || mem_ready;
    wire               req_valid = in_valid && !hit && room;
    wire               req_ready, req_primary;
    wire [HEAD_W-1:0]  req_head;
    wire               rsp_valid, rsp_last;
    wire [OFF_W-1:0]   rsp_off;
    wire [ID_W-1:0]    rsp_id;
    wire               fetch = req_valid && req_ready && req_primary;
    wire               fill = ret_valid && ret_ready;

    always @(posedge clk) begin
        if (room) begin
            mem_valid <= fetch;
            mem_addr  <= in_addr;
            mem_head  <= req_head;
        end
        if (rst) mem_valid <= 1'b0;
    end

    // ---- fill: the number of the line was kept by head. A copy of its words serves the drain, whatever happens to the cache meanwhile
    reg  [ADDR_W-1:0]  addr_of[0:(1 << HEAD_W)-1];
    reg  [LINE_W-1:0]  drained;
    wire [ADDR_W-1:0]  fill_addr = addr_of[ret_head];
    wire [INDEX_W-1:0] fill_index = fill_addr[INDEX_W-1:0];

    always @(posedge clk) begin
        if (fetch) addr_of[req_head] <= in_addr;
        if (fill) begin
            drained           <= ret_line;
            tags[fill_index]  <= fill_addr[ADDR_W-1:INDEX_W];
            lines[fill_index] <= ret_line;
        end
    end
    always @(posedge clk)
        if (rst) here <= {LINES{1'b0}};
        else if (fill) here[fill_index] <= 1'b1;

    // ---- responses: the drain comes first, because it occupies slots and the return port
    assign out_valid = rsp_valid || (in_valid && hit);
    assign out_id    = rsp_valid ? rsp_id : in_id;
    assign out_word  = rsp_valid ? drained[rsp_off*WORD_W+:WORD_W] : hit_line[in_off*WORD_W+:WORD_W];
    assign in_ready  = hit ? out_ready && !rsp_valid : room && req_ready;

    // ---- MSHR: both kinds have the same ports
    wire [1:0]         req_refuse;
    wire               rsp_write, rsp_data, rsp_mask, rsp_payload;
    wire [ADDR_W-1:0]  rsp_addr;
    wire               unused = &{1'b0, req_refuse, rsp_last, rsp_write, rsp_data, rsp_mask, rsp_payload, rsp_addr};

    generate
        if (LINKED != 0) begin : gen_linked
            wire [$clog2(SETS*SLOTS)-1:0] req_slot, rsp_slot;
            wire                          unused_st = &{1'b0, req_slot, rsp_slot};
            dl_mshr_paper #(
                .SETS   (SETS),
                .SLOTS  (SLOTS),
                .ADDR_W (ADDR_W),
                .OFF_W  (OFF_W),
                .ID_W   (ID_W)
            ) u_mshr (
                .clk           (clk),
                .rst           (rst),
                .req_valid     (req_valid),
                .req_addr      (in_addr),
                .req_off       (in_off),
                .req_id        (in_id),
                .req_write     (1'b0),
                .req_data      (1'b0),
                .req_mask      (1'b0),
                .req_payload   (1'b0),
                .req_ready     (req_ready),
                .req_refuse    (req_refuse),
                .req_primary   (req_primary),
                .req_head      (req_head),
                .req_slot      (req_slot),
                .ret_valid     (ret_valid),
                .ret_head      (ret_head),
                .ret_ready     (ret_ready),
                .rsp_valid     (rsp_valid),
                .rsp_ready     (out_ready),
                .rsp_last      (rsp_last),
                .rsp_off       (rsp_off),
                .rsp_id        (rsp_id),
                .rsp_write     (rsp_write),
                .rsp_data      (rsp_data),
                .rsp_mask      (rsp_mask),
                .rsp_payload   (rsp_payload),
                .rsp_slot      (rsp_slot),
                .rsp_addr      (rsp_addr),
                .err           (err)
            );
        end else begin : gen_static
            localparam ENTRIES = SETS / 2;
            wire [$clog2(2*ENTRIES*SLOTS)-1:0] req_slot, rsp_slot;
            wire                               unused_slot = &{1'b0, req_slot, rsp_slot};
            static_mshr #(
                .ENTRIES(ENTRIES),
                .SLOTS  (2 * SLOTS),
                .ADDR_W (ADDR_W),
                .OFF_W  (OFF_W),
                .ID_W   (ID_W)
            ) u_mshr (
                .clk        (clk),
                .rst        (rst),
                .req_valid  (req_valid),
                .look       (1'b0),
                .look_addr  (in_addr),
                .req_addr   (in_addr),
                .req_off    (in_off),
                .req_id     (in_id),
                .req_write  (1'b0),
                .req_data   (1'b0),
                .req_mask   (1'b0),
                .req_payload(1'b0),
                .req_ready  (req_ready),
                .req_refuse (req_refuse),
                .req_primary(req_primary),
                .req_head   (req_head),
                .req_slot   (req_slot),
                .ret_valid  (ret_valid),
                .ret_head   (ret_head),
                .ret_ready  (ret_ready),
                .rsp_valid  (rsp_valid),
                .rsp_ready  (out_ready),
                .rsp_last   (rsp_last),
                .rsp_off    (rsp_off),
                .rsp_id     (rsp_id),
                .rsp_write  (rsp_write),
                .rsp_data   (rsp_data),
                .rsp_mask   (rsp_mask),
                .rsp_payload(rsp_payload),
                .rsp_slot   (rsp_slot),
                .rsp_addr   (rsp_addr),
                .err        (err)
            );
        end
    endgenerate
endmodule

`default_nettype wire
