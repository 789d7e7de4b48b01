// SPDX-License-Identifier: Apache-2.0
// cache_example: a small non-blocking write-back cache on AXI4, with dl_mshr_paper inside. Cycle-by-cycle contract:
// docs/understand/cache_example.md; ports: rtl/cache_example/ports.md.
//   req    valid/ready; accepts a load or a store of a word, and reads the tags of its set
//   S1     looks the request's line up: a hit reads or writes the word, and a miss goes to the MSHR; a request that can
//          do neither waits (`why` gives the reason)
//   rsp    valid/ready; sends one response per request, identified by its ID, in order for each line
//   m_     AXI4 master: sends one burst per line; fetches use several IDs, write-backs use one
`default_nettype none
`include "mt_reset.vh"

module cache_example #(
    // line size in bytes: 32, 64 or 128
    parameter LINE_BYTES = 64,
    // number of sets, 2..256, a power of two
    parameter SETS = 64,
    // number of ways per set, 1..8
    parameter WAYS = 4,
    // width of a word, the unit of a request and of a beat: 64, 128 or 256 bits
    parameter DATA_W = 128,
    // byte address width, 16..48 bits
    parameter ADDR_W = 32,
    // requester ID width, 1..16 bits
    parameter ID_W = 8,
    // number of MSHR slot sets, which limits the fetches in flight, 2..64
    parameter MSHR_SETS = 16,
    // number of slots per slot set, 1..16
    parameter MSHR_SLOTS = 2,
    // maximum number of write-backs in flight, 1..8
    parameter EVICTS = 2
) (
    input  wire                         clk,
    input  wire                         rst,
    // requests
    input  wire                         req_valid,
    output wire                         req_ready,
    input  wire [ADDR_W-1:0]            req_addr,
    input  wire                         req_write,
    input  wire [ID_W-1:0]              req_id,
    input  wire [DATA_W-1:0]            req_data,
    input  wire [DATA_W/8-1:0]          req_mask,
    // responses
    output reg                          rsp_valid,
    input  wire                         rsp_ready,
    output reg  [ID_W-1:0]              rsp_id,
    output reg                          rsp_write,
    output reg                          rsp_err,
    output wire [DATA_W-1:0]            rsp_data,
    // AXI4: fetches
    output reg                          m_arvalid,
    input  wire                         m_arready,
    output reg  [$clog2(MSHR_SETS)-1:0] m_arid,
    output wire [ADDR_W-1:0]            m_araddr,
    output wire [7:0]                   m_arlen,
    output wire [2:0]                   m_arsize,
    output wire [1:0]                   m_arburst,
    input  wire                         m_rvalid,
    output wire                         m_rready,
    input  wire [$clog2(MSHR_SETS)-1:0] m_rid,
    input  wire [DATA_W-1:0]            m_rdata,
    input  wire [1:0]                   m_rresp,
    input  wire                         m_rlast,
    // AXI4: write-backs
    output wire                         m_awvalid,
    input  wire                         m_awready,
    output wire [ADDR_W-1:0]            m_awaddr,
    output wire [7:0]                   m_awlen,
    output wire [2:0]                   m_awsize,
    output wire [1:0]                   m_awburst,
    output wire                         m_wvalid,
    input  wire                         m_wready,
    output wire [DATA_W-1:0]            m_wdata,
    output wire [DATA_W/8-1:0]          m_wstrb,
    output wire                         m_wlast,
    input  wire                         m_bvalid,
    output wire                         m_bready,
    input  wire [1:0]                   m_bresp,
    // a write-back failed; the error that has stopped the cache
    output wire                         fail,
    output wire [ADDR_W-1:0]            fail_addr,
    output reg  [1:0]                   err
);
    // These values are legal even if the parameters are not, so that an illegal value reaches its ILLEGAL_ message.
    localparam WORD_BYTES = (DATA_W < 8) ? 1 : DATA_W / 8;
    localparam BEATS = (LINE_BYTES < WORD_BYTES) ? 1 : LINE_BYTES / WORD_BYTES;
    localparam LEN = BEATS - 1;
    localparam BEAT_BITS = $clog2(BEATS);
    localparam BEAT_W = (BEATS < 2) ? 1 : BEAT_BITS;
    localparam SIZE = $clog2(WORD_BYTES);
    localparam OFF_W = SIZE + BEAT_BITS;         // offset of a byte in its line
    localparam LINE_ADDR_W = (ADDR_W - OFF_W < 2) ? 2 : ADDR_W - OFF_W;
    localparam INDEX_W = (SETS < 2) ? 1 : $clog2(SETS);
    localparam TAG_W = (LINE_ADDR_W - INDEX_W < 1) ? 1 : LINE_ADDR_W - INDEX_W;
    localparam WAYS_1 = (WAYS < 1) ? 1 : WAYS;
    localparam WAY_W = (WAYS < 2) ? 1 : $clog2(WAYS);
    localparam LINE_W = WAY_W + INDEX_W;         // width of a line's {way, set}
    localparam WAY_BITS = $clog2(WAYS_1);
    localparam WORD_W = WAY_BITS + INDEX_W + BEAT_BITS;  // width of a word's {way, set, beat}, without constant zeros
    localparam TOP = WAY_BITS + INDEX_W + BEAT_W - 1;
    localparam HEAD_W = (MSHR_SETS < 2) ? 1 : $clog2(MSHR_SETS);

    cache_legal #(
        .LINE_BYTES(LINE_BYTES),
        .SETS      (SETS),
        .WAYS      (WAYS),
        .DATA_W    (DATA_W),
        .ADDR_W    (ADDR_W),
        .ID_W      (ID_W),
        .MSHR_SETS (MSHR_SETS),
        .MSHR_SLOTS(MSHR_SLOTS),
        .EVICTS    (EVICTS)
    ) u_legal ();

    // ---- S1: lookup of the request
    localparam [3:0] WAIT_NONE = 0, WAIT_ERROR = 1, WAIT_COPY = 2, WAIT_DRAIN = 3, WAIT_ANSWER = 4, WAIT_WRITE = 5,
        WAIT_EVICTED = 6,
        WAIT_ENTRY_FULL = 7, WAIT_MERGE_FULL = 8, WAIT_WAYS = 9, WAIT_BUFFER = 10, WAIT_VICTIM = 11, WAIT_FETCH = 12;

    reg                    s1_valid, s1_write;
    reg  [LINE_ADDR_W-1:0] s1_addr;  // line address
    reg  [BEAT_W-1:0]      s1_beat;
    reg  [ID_W-1:0]        s1_id;
    reg  [DATA_W-1:0]      s1_data;
    reg  [DATA_W/8-1:0]    s1_mask;
    reg  [3:0]             why;      // reason why the request waits in this cycle, or WAIT_NONE if it leaves
    wire                   leaves = s1_valid && why == WAIT_NONE;
    wire [INDEX_W-1:0]     s1_index = s1_addr[INDEX_W-1:0];
    wire [BEAT_W-1:0]      req_beat;
    generate
        if (BEATS > 1) begin : gen_beat
            assign req_beat = req_addr[SIZE+:BEAT_W];
        end else begin : gen_one_beat
            assign req_beat = {BEAT_W{1'b0}};
        end
    endgenerate

    assign req_ready = !s1_valid || leaves;
    always @(posedge clk `MT_OR_RST)
        if (rst) s1_valid <= 1'b0;
        else if (req_ready) s1_valid <= req_valid;
    always @(posedge clk)
        if (req_ready) begin
            s1_write <= req_write;
            s1_addr  <= req_addr[OFF_W+:LINE_ADDR_W];
            s1_beat  <= req_beat;
            s1_id    <= req_id;
            s1_data  <= req_data;
            s1_mask  <= req_mask;
        end

    // ---- lines
    wire               hit, room, victim_dirty;
    wire [LINE_W-1:0]  hit_line, victim_line;
    wire [TAG_W-1:0]   victim_tag;
    wire               fetch, evict, drained;
    reg  [LINE_W-1:0]  drain_line;          // the line under drain
    reg                drain_bad, drain_dirty;
    wire               drain_valid, drain_last, drain_write;

    cache_lines #(
        .SETS   (1 << INDEX_W),
        .WAYS   (WAYS_1),
        .TAG_W  (TAG_W),
        .INDEX_W(INDEX_W),
        .WAY_W  (WAY_W)
    ) u_lines (
        .clk         (clk),
        .rst         (rst),
        .read_index  (req_ready ? req_addr[OFF_W+:INDEX_W] : s1_index),
        .index       (s1_index),
        .tag         (s1_addr[INDEX_W+:TAG_W]),
        .hit         (hit),
        .hit_line    (hit_line),
        .room        (room),
        .victim_line (victim_line),
        .victim_dirty(victim_dirty),
        .victim_tag  (victim_tag),
        .write       (leaves && hit && s1_write),
        .evict       (evict),
        .fetch       (fetch),
        .filled      (drained),
        .filled_line (drain_line),
        .filled_valid(!drain_bad),
        .filled_dirty(drain_dirty || drain_write)
    );

    // ---- misses
    wire                miss_ready, primary;
    wire [1:0]          miss_refuse;
    wire                mshr_err;
    wire [HEAD_W-1:0]   head, ret_head;
    wire                ret_valid, drain_take;
    wire [BEAT_W-1:0]   drain_beat;
    wire [ID_W-1:0]     drain_id;
    wire [DATA_W-1:0]   drain_data;
    wire [DATA_W/8-1:0] drain_mask;
    wire                drain_ready;

    assign fetch = leaves && !hit && primary;
    cache_misses #(
        .SETS  ((MSHR_SETS < 2) ? 2 : MSHR_SETS),
        .SLOTS ((MSHR_SLOTS < 1) ? 1 : MSHR_SLOTS),
        .ADDR_W(LINE_ADDR_W),
        .BEAT_W(BEAT_W),
        .ID_W  ((ID_W < 1) ? 1 : ID_W),
        .DATA_W(DATA_W)
    ) u_misses (
        .clk        (clk),
        .rst        (rst),
        .addr       (s1_addr),
        .ready      (miss_ready),
        .refuse     (miss_refuse),
        .primary    (primary),
        .head       (head),
        .take       (leaves && !hit),
        .beat       (s1_beat),
        .id         (s1_id),
        .write      (s1_write),
        .data       (s1_data),
        .mask       (s1_mask),
        .ret_valid  (ret_valid),
        .ret_head   (ret_head),
        .drain_valid(drain_valid),
        .drain_ready(drain_ready),
        .drain_last (drain_last),
        .drain_beat (drain_beat),
        .drain_id   (drain_id),
        .drain_write(drain_write),
        .drain_data (drain_data),
        .drain_mask (drain_mask),
        .err        (mshr_err)
    );

    // ---- fetches
    reg  [LINE_ADDR_W-1:0] fetch_addr;
    assign m_araddr  = {fetch_addr, {OFF_W{1'b0}}};
    assign m_arlen   = LEN[7:0];
    assign m_arsize  = SIZE[2:0];
    assign m_arburst = 2'd1;  // INCR
    always @(posedge clk `MT_OR_RST)
        if (rst) m_arvalid <= 1'b0;
        else if (!m_arvalid || m_arready) m_arvalid <= fetch;
    always @(posedge clk)
        if (!m_arvalid || m_arready) begin
            m_arid     <= head;
            fetch_addr <= s1_addr;
        end

    wire              stop = err != 2'd0;
    wire              fill_write, fill_bad, fill_broken;
    wire [LINE_W-1:0] fill_line;
    wire [BEAT_W-1:0] fill_beat;
    wire [DATA_W-1:0] fill_data;
    cache_fill #(
        .BEATS (BEATS),
        .DATA_W(DATA_W),
        .BEAT_W(BEAT_W),
        .HEAD_W(HEAD_W),
        .LINE_W(LINE_W)
    ) u_fill (
        .clk       (clk),
        .rst       (rst),
        .stop      (stop),
        .fetch     (fetch),
        .fetch_head(head),
        .fetch_line(victim_line),
        .rvalid    (m_rvalid),
        .rready    (m_rready),
        .rid       (m_rid),
        .rdata     (m_rdata),
        .rresp     (m_rresp),
        .rlast     (m_rlast),
        .write     (fill_write),
        .line      (fill_line),
        .beat      (fill_beat),
        .data      (fill_data),
        .draining  (drain_valid),
        .ret_valid (ret_valid),
        .head      (ret_head),
        .bad       (fill_bad),
        .broken    (fill_broken)
    );

    // ---- write-backs
    wire                   evicted, evict_room, evict_broken, copying, copy_read;
    wire [BEAT_W-1:0]      copy_beat;
    wire [LINE_ADDR_W-1:0] write_addr, failed_addr;
    reg  [LINE_W-1:0]      copy_line;
    always @(posedge clk) if (evict) copy_line <= victim_line;
    assign m_awaddr  = {write_addr, {OFF_W{1'b0}}};
    assign m_awlen   = LEN[7:0];
    assign m_awsize  = SIZE[2:0];
    assign m_awburst = 2'd1;
    assign m_wstrb   = {DATA_W / 8{1'b1}};
    assign m_bready  = 1'b1;
    assign fail_addr = {failed_addr, {OFF_W{1'b0}}};
    cache_evict #(
        .EVICTS((EVICTS < 1) ? 1 : EVICTS),
        .BEATS (BEATS),
        .DATA_W(DATA_W),
        .BEAT_W(BEAT_W),
        .ADDR_W(LINE_ADDR_W)
    ) u_evict (
        .clk       (clk),
        .rst       (rst),
        .addr      (s1_addr),
        .here      (evicted),
        .room      (evict_room),
        .evict     (evict),
        .evict_addr({victim_tag, s1_index}),
        .copying   (copying),
        .read      (copy_read),
        .read_beat (copy_beat),
        .word      (rsp_data),
        .awvalid   (m_awvalid),
        .awready   (m_awready),
        .awaddr    (write_addr),
        .wvalid    (m_wvalid),
        .wready    (m_wready),
        .wdata     (m_wdata),
        .wlast     (m_wlast),
        .bvalid    (m_bvalid),
        .bresp     (m_bresp),
        .fail      (fail),
        .fail_addr (failed_addr),
        .broken    (evict_broken)
    );

    // ---- wait reason of the request in S1. A drain has exclusive use of the data RAM and the responses. The set of
    // its line does not change.
    wire go = !rsp_valid || rsp_ready;  // the previous response leaves
    always @* begin
        why = WAIT_NONE;
        if (stop) why = WAIT_ERROR;
        else if (copying) why = WAIT_COPY;
        else if (hit) begin
            if (drain_valid) why = WAIT_DRAIN;
            else if (!go) why = WAIT_ANSWER;
            else if (s1_write && fill_write) why = WAIT_WRITE;
        end else if (drain_valid && drain_line[INDEX_W-1:0] == s1_index) why = WAIT_DRAIN;
        else if (evicted) why = WAIT_EVICTED;
        else if (!miss_ready) why = miss_refuse == 2'd1 ? WAIT_ENTRY_FULL : WAIT_MERGE_FULL;
        else if (primary) begin
            if (!room) why = WAIT_WAYS;
            else if (victim_dirty) begin
                if (drain_valid) why = WAIT_DRAIN;
                else if (!go) why = WAIT_ANSWER;
                else if (!evict_room) why = WAIT_BUFFER;
                else why = WAIT_VICTIM;  // the victim is evicted from this cycle on
            end else if (m_arvalid && !m_arready) why = WAIT_FETCH;
        end
    end
    assign evict = s1_valid && why == WAIT_VICTIM;

    // ---- drain: serves the requests that waited for a line, one per cycle. A store waits for the write port. A line
    // that arrived with errors is not kept, so its data do not matter.
    assign drain_ready = go && !copying && !stop && !(drain_write && fill_write);
    assign drain_take  = drain_valid && drain_ready;
    assign drained     = drain_take && drain_last;
    always @(posedge clk) begin
        if (drain_take && drain_write) drain_dirty <= 1'b1;
        if (ret_valid) begin
            drain_line  <= fill_line;
            drain_bad   <= fill_bad;
            drain_dirty <= 1'b0;
        end
    end

    // ---- data: written by beats, drained stores and store hits; read by drained loads, load hits and evictions
    wire hit_leaves = leaves && hit;
    wire [LINE_W+BEAT_W-1:0] write_at = fill_write ? {fill_line, fill_beat}
                                      : drain_valid ? {drain_line, drain_beat} : {hit_line, s1_beat};
    wire [LINE_W+BEAT_W-1:0] read_at = copying ? {copy_line, copy_beat}
                                     : drain_valid ? {drain_line, drain_beat} : {hit_line, s1_beat};
    cache_data #(
        .DATA_W(DATA_W),
        .DEPTH ((WAYS_1 << INDEX_W) * BEATS),
        .ADDR_W(WORD_W)
    ) u_data (
        .clk  (clk),
        .we   (fill_write || (drain_take && drain_write) || (hit_leaves && s1_write)),
        .waddr(write_at[TOP-:WORD_W]),
        .wdata(fill_write ? fill_data : drain_valid ? drain_data : s1_data),
        .wmask(fill_write ? {DATA_W / 8{1'b1}} : drain_valid ? drain_mask : s1_mask),
        .re   (copy_read || (drain_take && !drain_write) || (hit_leaves && !s1_write)),
        .raddr(read_at[TOP-:WORD_W]),
        .rdata(rsp_data)
    );

    // ---- responses: the word is the RAM output
    always @(posedge clk `MT_OR_RST)
        if (rst) rsp_valid <= 1'b0;
        else if (go) rsp_valid <= drain_take || hit_leaves;
    always @(posedge clk)
        if (go) begin
            rsp_id    <= drain_valid ? drain_id : s1_id;
            rsp_write <= drain_valid ? drain_write : s1_write;
            rsp_err   <= drain_valid && drain_bad;
        end

    // ---- errors: an AXI violation by memory (1: a beat, 2: an acknowledgement), or an MSHR error (3)
    always @(posedge clk `MT_OR_RST)
        if (rst) err <= 2'd0;
        else if (!stop) err <= fill_broken ? 2'd1 : evict_broken ? 2'd2 : mshr_err ? 2'd3 : 2'd0;

    wire unused = &{1'b0, req_addr, write_at, read_at};
endmodule

`default_nettype wire
