// SPDX-License-Identifier: Apache-2.0
// A small cache that shows how to use dl_mshr: direct-mapped, tags and lines in RAMs, one request per cycle, stores are
// written through and allocate nothing. docs/understand/dl_mshr.md has the recipe; tests/integration/ lints it and runs
// it.
//   tag stage  reads the RAMs, and looks the line up in the MSHR
//   hit stage  responds to a load that hits, sends one that misses to the MSHR, and sends a store to the memory
//   in   valid/ready; a load or a store
//   out  valid/ready; the response to the load with this ID. Responses for the same line are in order
//   mem  valid/ready; a store of a word, or a fetch of a line. The memory executes them in order. The reply to a fetch
//        names the same head; replies may arrive in any order
//   ret  valid/ready; a reply with the line of a head
`default_nettype none

module small_cache #(
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
    input  wire                         in_write,
    input  wire [WORD_W-1:0]            in_word,
    output wire                         out_valid,
    input  wire                         out_ready,
    output wire [ID_W-1:0]              out_id,
    output wire [WORD_W-1:0]            out_word,
    output reg                          mem_valid,
    input  wire                         mem_ready,
    output reg  [ADDR_W-1:0]            mem_addr,
    output reg  [$clog2(SETS)-1:0]      mem_head,
    output reg                          mem_write,
    output reg  [OFF_W-1:0]             mem_off,
    output reg  [WORD_W-1:0]            mem_word,
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

    // ---- tag stage: a new request, or the request in the hit stage again. A request enters only if the MSHR has room for
    // it and for the one in the hit stage, so the MSHR refuses none but those that must be looked up again.
    reg                valid;   // a request is in the hit stage
    reg  [ADDR_W-1:0]  addr;
    reg  [OFF_W-1:0]   off;
    reg  [ID_W-1:0]    id;
    reg                write;
    reg  [WORD_W-1:0]  word;
    wire               again, leave;
    wire [$clog2(SETS+1)-1:0] room;
    wire               enter = in_valid && in_ready;
    wire               read = enter || again;
    wire [ADDR_W-1:0]  read_addr = again ? addr : in_addr;
    wire [INDEX_W-1:0] read_index = read_addr[INDEX_W-1:0];

    assign in_ready = !again && (!valid || leave) && |room[$clog2(SETS+1)-1:1];
    always @(posedge clk) begin
        if (rst) valid <= 1'b0;
        else valid <= enter || (valid && !leave);
        if (enter) {addr, off, id, write, word} <= {in_addr, in_off, in_id, in_write, in_word};
    end

    // ---- tags. What a RAM returns for a word that is written in the same cycle differs between macros, so such a read
    // counts as a miss. That is right for both lines: the old one leaves the cache, and a request for the new one joins
    // the drain.
    wire               fill = ret_valid && ret_ready;
    wire [ADDR_W-1:0]  fill_addr;
    wire [INDEX_W-1:0] fill_index = fill_addr[INDEX_W-1:0];
    reg  [LINES-1:0]   used;    // lines that the cache has
    reg                present;
    wire [TAG_W-1:0]   tag;
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

    // ---- lines, one RAM for each word of a line, never read and written together. During a drain, their output is the
    // drained line: it is read in the cycle after RET, and whatever replaces it in the cache, the output stays. So a
    // drain needs no copy of its line, and a hit that waited for a drain is read again.
    wire               rsp_valid, rsp_last, rsp_ready;
    wire               store_hit;
    reg                drains;      // a drain is in progress
    reg                load;        // first cycle of a drain: the line is read
    reg  [INDEX_W-1:0] drain_index;
    wire               drains_next = fill || (drains && !(rsp_valid && rsp_ready && rsp_last));
    reg                have;        // the output is the line of the request in the hit stage
    wire               read_line = read && !drains_next && !store_hit;
    wire [LINE_W-1:0]  line;

    always @(posedge clk) begin
        drains <= drains_next && !rst;
        load   <= fill && !rst;
        if (fill) drain_index <= fill_index;
        have <= read_line || (have && !drains_next && !store_hit);
    end
    genvar w;
    generate
        for (w = 0; w < 1 << OFF_W; w = w + 1) begin : gen_word
            mt_ram_1r1w #(
                .WIDTH (WORD_W),
                .DEPTH (LINES),
                .ADDR_W(INDEX_W)
            ) u_lines (
                .clk  (clk),
                .we   (fill || (store_hit && off == w[OFF_W-1:0])),
                .waddr(fill ? fill_index : addr[INDEX_W-1:0]),
                .wdata(fill ? ret_line[w*WORD_W+:WORD_W] : word),
                .re   (load || read_line),
                .raddr(load ? drain_index : read_index),
                .rdata(line[w*WORD_W+:WORD_W])
            );
        end
    endgenerate

    // ---- hit stage. A hit waits for the drain to end, so that it does not overtake a request that waited for its line.
    // A store to a line that the MSHR tracks (req_primary=0) waits until it has left, and is then looked up again.
    wire               can_send = !mem_valid || mem_ready;
    wire               req_ready, req_primary;
    wire [1:0]         req_refuse;
    wire               stale = req_refuse == 2'd3;
    wire               can_miss = can_send || !req_primary;  // a secondary miss needs no fetch
    wire               respond = valid && !write && hit && have;
    wire               req_valid = valid && !write && !hit && can_miss;
    wire               store = valid && write && can_send && (hit ? have : req_primary && !stale);
    wire [$clog2(SETS)-1:0] req_head;
    wire [OFF_W-1:0]   rsp_off, out_off;
    wire [ID_W-1:0]    rsp_id;
    wire               mshr_ret_ready;

    assign store_hit = store && hit;
    assign leave     = write ? store : hit ? out_ready && have : can_miss && req_ready;
    assign again     = valid && (hit ? !have && !drains : stale);
    assign rsp_ready = out_ready && !load;
    assign ret_ready = mshr_ret_ready && !store_hit;  // both write the lines
    assign out_valid = (rsp_valid && !load) || respond;
    assign out_id    = rsp_valid ? rsp_id : id;
    assign out_off   = rsp_valid ? rsp_off : off;
    assign out_word  = line[out_off*WORD_W+:WORD_W];

    always @(posedge clk) begin
        if (can_send) begin
            mem_valid <= store || (req_valid && req_ready && req_primary);
            {mem_addr, mem_head, mem_write, mem_off, mem_word} <= {addr, req_head, write, off, word};
        end
        if (rst) mem_valid <= 1'b0;
    end

    // ---- MSHR
    wire [$clog2(SETS*SLOTS)-1:0] req_slot, rsp_slot;
    wire                          unused = &{1'b0, req_slot, room[0], rsp_slot};

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
        .ret_valid  (ret_valid && !store_hit),
        .ret_head   (ret_head),
        .ret_ready  (mshr_ret_ready),
        .ret_addr   (fill_addr),
        .rsp_valid  (rsp_valid),
        .rsp_ready  (rsp_ready),
        .rsp_last   (rsp_last),
        .rsp_payload({rsp_id, rsp_off}),
        .rsp_slot   (rsp_slot),
        .err        (err)
    );
endmodule

`default_nettype wire
