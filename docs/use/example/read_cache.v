// SPDX-License-Identifier: Apache-2.0
// The smallest cache that uses an MSHR as it wants to be used: read-only, direct-mapped, one lookup a cycle, misses under misses.
// docs/understand/dl_mshr.md explains it; tests/integration/ lints and runs it with both MSHRs.
//   in   valid/ready; a hit is answered in the same cycle, a miss when its line has come
//   out  valid/ready; the answer of a request, by its id; in order for each line, in no order otherwise
//   mem  valid/ready; a line is wanted. The reply names the same head; replies may come in any order
//   ret  valid/ready; the line has come
`default_nettype none

module read_cache #(
    // 1: dl_mshr, 0: static_mshr of as many slots; 0, 1
    parameter LINKED = 1,
    // slot sets of dl_mshr; static_mshr has half as many entries of twice the slots
    parameter SETS = 16,
    parameter SLOTS = 2,
    // bits of a line number, of a word's number in its line, of a request's id
    parameter ADDR_W = 10,
    parameter OFF_W = 2,
    parameter ID_W = 8,
    // lines of the cache, a power of two and at least 2; bits of a word
    parameter LINES = 16,
    parameter WORD_W = 32,
    // bits of a head (given by SETS)
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

    // ---- the MSHR is asked only if the fetch of a primary miss has a place to go: what it takes cannot be taken back
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

    // ---- a line that has come: its number was kept by head, its words serve the drain, whatever happens to the cache meanwhile
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

    // ---- answers: the drain first, since it holds slots and the return port
    assign out_valid = rsp_valid || (in_valid && hit);
    assign out_id    = rsp_valid ? rsp_id : in_id;
    assign out_word  = rsp_valid ? drained[rsp_off*WORD_W+:WORD_W] : hit_line[in_off*WORD_W+:WORD_W];
    assign in_ready  = hit ? out_ready && !rsp_valid : room && req_ready;

    // ---- either MSHR: the same ports
    wire [1:0]         req_refuse;
    wire               rsp_write, rsp_data, rsp_mask, rsp_payload;
    wire [ADDR_W-1:0]  rsp_addr;
    wire               unused = &{1'b0, req_refuse, rsp_last, rsp_write, rsp_data, rsp_mask, rsp_payload, rsp_addr};

    generate
        if (LINKED != 0) begin : gen_linked
            wire [$clog2(SETS+1)-1:0]     st_free_heads, st_free_shared;
            wire [4*SETS-1:0]             st_state;
            wire [$clog2(SETS*SLOTS)-1:0] req_slot, rsp_slot;
            wire                          unused_st = &{1'b0, req_slot, rsp_slot, st_free_heads, st_free_shared, st_state};
            dl_mshr #(
                .SETS   (SETS),
                .HEADS  (SETS),
                .SLOTS  (SLOTS),
                .ADDR_W (ADDR_W),
                .OFF_W  (OFF_W),
                .ID_W   (ID_W),
                .OBSERVE(0)
            ) u_mshr (
                .clk           (clk),
                .rst           (rst),
                .req_valid     (req_valid),
                .look          (1'b0),
                .look_addr     (in_addr),
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
                .err           (err),
                .st_free_heads (st_free_heads),
                .st_free_shared(st_free_shared),
                .st_state      (st_state)
            );
        end else begin : gen_static
            localparam ENTRIES = SETS / 2;
            wire [$clog2(ENTRIES+1)-1:0]       st_free_heads, st_free_shared;
            wire [4*ENTRIES-1:0]               st_state;
            wire [$clog2(2*ENTRIES*SLOTS)-1:0] req_slot, rsp_slot;
            wire                               unused_st = &{1'b0, req_slot, rsp_slot, st_free_heads, st_free_shared, st_state};
            static_mshr #(
                .ENTRIES(ENTRIES),
                .SLOTS  (2 * SLOTS),
                .ADDR_W (ADDR_W),
                .OFF_W  (OFF_W),
                .ID_W   (ID_W),
                .OBSERVE(0)
            ) u_mshr (
                .clk           (clk),
                .rst           (rst),
                .req_valid     (req_valid),
                .look          (1'b0),
                .look_addr     (in_addr),
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
                .err           (err),
                .st_free_heads (st_free_heads),
                .st_free_shared(st_free_shared),
                .st_state      (st_state)
            );
        end
    endgenerate
endmodule

`default_nettype wire
