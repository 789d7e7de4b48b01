// SPDX-License-Identifier: Apache-2.0
// A small cache that shows how to use dl_mshr: read-only, direct-mapped, tags and lines in RAMs, one request per cycle.
// docs/understand/dl_mshr.md has the recipe; tests/integration/ lints it and runs it.
//   tag stage  reads the RAMs, and looks the line up in the MSHR
//   hit stage  responds to a hit, or sends a miss to the MSHR
//   in   valid/ready; a request
//   out  valid/ready; the response to the request with this ID. Responses for the same line are in order
//   mem  valid/ready; a fetch of a line. The reply names the same head; replies may arrive in any order
//   ret  valid/ready; a reply with the line of a head
`default_nettype none

module read_cache #(
    // number of slot sets of the MSHR, and of slots in each
    parameter SETS = 16,
    parameter SLOTS = 2,
    // width in bits of a line number, of a word's number in its line, and of a request's ID
    parameter ADDR_W = 10,
    parameter OFF_W = 2,
    parameter ID_W = 8,
    // number of lines in the cache, a power of two from 2 to half of 2^ADDR_W; width of a word in bits
    parameter LINES = 16,
    parameter WORD_W = 32
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         in_valid,
    output wire                         in_ready,
    input  wire [ADDR_W-1:0]            in_addr,
    input  wire [OFF_W-1:0]             in_off,
    input  wire [ID_W-1:0]              in_id,
    output wire                         out_valid,
    input  wire                         out_ready,
    output wire [ID_W-1:0]              out_id,
    output wire [WORD_W-1:0]            out_word,
    output reg                          mem_valid,
    input  wire                         mem_ready,
    output reg  [ADDR_W-1:0]            mem_addr,
    output reg  [$clog2(SETS)-1:0]      mem_head,
    input  wire                         ret_valid,
    output wire                         ret_ready,
    input  wire [$clog2(SETS)-1:0]      ret_head,
    input  wire [(WORD_W << OFF_W)-1:0] ret_line,
    output wire                         empty,
    output wire                         err
);
    localparam LINE_W = WORD_W << OFF_W;
    localparam LINE_BITS = $clog2(LINES);
    // clamped, so that an illegal LINES reaches its ILLEGAL_ message
    localparam INDEX_W = (LINE_BITS < 1 || ADDR_W < 3) ? 1 : (LINE_BITS < ADDR_W) ? LINE_BITS : ADDR_W - 1;
    localparam TAG_W = ADDR_W - INDEX_W;

    // ---- An illegal parameter instantiates a missing module, which stops elaboration in every tool. dl_mshr checks
    // SETS, SLOTS and ADDR_W.
    generate
        if (LINES < 2 || (LINES & (LINES - 1)) != 0) begin : gen_bad_lines
            ILLEGAL_LINES_must_be_a_power_of_two_from_2 u_illegal ();
        end else if (LINE_BITS >= ADDR_W) begin : gen_many_lines
            ILLEGAL_LINES_must_be_at_most_half_of_2_to_the_ADDR_W u_illegal ();
        end
        if (OFF_W < 1) begin : gen_bad_off_w
            ILLEGAL_OFF_W_must_be_at_least_1 u_illegal ();
        end
        if (ID_W < 1) begin : gen_bad_id_w
            ILLEGAL_ID_W_must_be_at_least_1 u_illegal ();
        end
        if (WORD_W < 1) begin : gen_bad_word_w
            ILLEGAL_WORD_W_must_be_at_least_1 u_illegal ();
        end
    endgenerate

    // ---- tag stage: a new request, or the request in the hit stage again if its line has arrived since its lookup
    reg                valid;   // a request is in the hit stage
    reg  [ADDR_W-1:0]  addr;
    reg  [OFF_W-1:0]   off;
    reg  [ID_W-1:0]    id;
    wire               again, leave;
    wire               enter = in_valid && in_ready;
    wire               read = enter || again;
    wire [ADDR_W-1:0]  read_addr = again ? addr : in_addr;
    wire [INDEX_W-1:0] read_index = read_addr[INDEX_W-1:0];

    assign in_ready = !again && (!valid || leave);
    always @(posedge clk) begin
        if (rst) valid <= 1'b0;
        else valid <= enter || (valid && !leave);
        if (enter) {addr, off, id} <= {in_addr, in_off, in_id};
    end

    // ---- RAMs. What a RAM returns for a word that is written in the same cycle differs between macros, so such a read
    // counts as a miss. That is right for both lines: the old one leaves the cache, and a request for the new one joins
    // the drain.
    wire               fill = ret_valid && ret_ready;
    wire [ADDR_W-1:0]  fill_addr;
    wire [INDEX_W-1:0] fill_index = fill_addr[INDEX_W-1:0];
    reg  [LINES-1:0]   used;    // lines that the cache has
    reg                present;
    wire [TAG_W-1:0]   tag;
    wire [LINE_W-1:0]  line;
    wire               hit = present && tag == addr[ADDR_W-1:INDEX_W];

    always @(posedge clk) begin
        if (rst) used <= {LINES{1'b0}};
        else if (fill) used[fill_index] <= 1'b1;
        if (read) present <= used[read_index] && !(fill && fill_index == read_index);
    end

    mt_ram_1r1w #(
        .WIDTH (TAG_W),
        .DEPTH (LINES),
        .ADDR_W(INDEX_W)
    ) u_tags (
        .clk  (clk),
        .we   (fill),
        .waddr(fill_index),
        .wdata(fill_addr[ADDR_W-1:INDEX_W]),
        .re   (read),
        .raddr(read_index),
        .rdata(tag)
    );
    mt_ram_1r1w #(
        .WIDTH (LINE_W),
        .DEPTH (LINES),
        .ADDR_W(INDEX_W)
    ) u_lines (
        .clk  (clk),
        .we   (fill),
        .waddr(fill_index),
        .wdata(ret_line),
        .re   (read),
        .raddr(read_index),
        .rdata(line)
    );

    // ---- hit stage. A hit waits for the drain to end, so that it does not overtake a request that waited for its
    // line.
    reg                drains;      // also while the block has no response, after a merge with the last one
    reg  [LINE_W-1:0]  drain_line;  // the line under drain, whatever happens to it in the cache
    wire               can_fetch = !mem_valid || mem_ready;
    wire               req_ready, req_primary, rsp_valid, rsp_last;
    wire               can_miss = can_fetch || !req_primary;  // a secondary miss needs no fetch
    wire               respond = valid && hit && !drains;
    wire               req_valid = valid && !hit && can_miss;
    wire [1:0]         req_refuse;
    wire [$clog2(SETS)-1:0] req_head;
    wire [OFF_W-1:0]   rsp_off;
    wire [ID_W-1:0]    rsp_id;

    assign leave     = hit ? out_ready && !drains : can_miss && req_ready;
    assign again     = valid && !hit && req_refuse == 2'd3;
    assign out_valid = rsp_valid || respond;
    assign out_id    = rsp_valid ? rsp_id : id;
    assign out_word  = rsp_valid ? drain_line[rsp_off*WORD_W+:WORD_W] : line[off*WORD_W+:WORD_W];

    always @(posedge clk) begin
        if (can_fetch) {mem_valid, mem_addr, mem_head} <= {req_valid && req_ready && req_primary, addr, req_head};
        if (fill) drain_line <= ret_line;
        drains <= fill || (drains && !(rsp_valid && out_ready && rsp_last));
        if (rst) {mem_valid, drains} <= 2'b0;
    end

    // ---- MSHR
    wire [$clog2(SETS+1)-1:0]     room;
    wire [$clog2(SETS*SLOTS)-1:0] req_slot, rsp_slot;
    wire                          unused = &{1'b0, req_slot, room, rsp_slot};

    dl_mshr #(
        .SETS     (SETS),
        .SLOTS    (SLOTS),
        .ADDR_W   (ADDR_W),
        .PAYLOAD_W(ID_W + OFF_W),
        .ADDR_OUT (1)
    ) u_mshr (
        .clk        (clk),
        .rst        (rst),
        .look       (read),
        .look_addr  (read_addr),
        .req_valid  (req_valid),
        .req_payload({id, off}),
        .req_ready  (req_ready),
        .req_refuse (req_refuse),
        .req_primary(req_primary),
        .req_head   (req_head),
        .req_slot   (req_slot),
        .room       (room),
        .empty      (empty),
        .ret_valid  (ret_valid),
        .ret_head   (ret_head),
        .ret_ready  (ret_ready),
        .ret_addr   (fill_addr),
        .rsp_valid  (rsp_valid),
        .rsp_ready  (out_ready),
        .rsp_last   (rsp_last),
        .rsp_payload({rsp_id, rsp_off}),
        .rsp_slot   (rsp_slot),
        .err        (err)
    );
endmodule

`default_nettype wire
