// SPDX-License-Identifier: Apache-2.0
// A cart that stores packet data, with AXI-Stream-like ports and one packet per transfer. Rules:
// docs/understand/cart.md. Ports:
//   tuser  line number within the channel
//   tdata  the packet, stored in a separate RAM; the tree holds its RAM address
// A packet that leaves the tree is read into the RAM's output register, so the minimum latency is two cycles; the
// throughput is one packet per cycle.
`default_nettype none
`include "mt_reset.vh"

module cart_stream #(
    // width of a line number within the channel, 1..48 bits
    parameter ADDR_W = 21,
    // packet width, 1..4096 bits
    parameter PACKET_W = 1200,
    // number of entries per leaf queue, 1..32; BANKS * ROWS * COLS * DEPTH is at most 8192
    parameter DEPTH = 2,
    // number of DRAM banks, each with a branch, 2..64, a power of two
    parameter BANKS = 16,
    // mask of the line number bits that select the bank: log2(BANKS) ones
    parameter BANK_MASK = 450,
    // mask of the column bits, 1..2147483647; at least one bit is a column bit and at least one is a row bit
    parameter COL_MASK = 61,
    // number of row groups per branch, 1..8
    parameter ROWS = 4,
    // number of leaf queues per row group, 1..8
    parameter COLS = 2,
    // drain policy: 0 rotating banks, same row or longest queue; 1 longest queue first; 2 round robin over the queues
    parameter POLICY = 0,
    // POLICY=0: number of requests that may be drained before a branch's oldest one, 1..65535; 0: no limit
    parameter AGE_LIMIT = 0,
    // where a new queue is allocated: 0 in the row's group; 1 anywhere in the branch
    parameter FILL = 0,
    // number of low column bits that may differ between lines in one queue, 0..29, fewer than the column bits
    parameter COL_DROP = 0
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                s_tvalid,
    output wire                s_tready,
    input  wire [PACKET_W-1:0] s_tdata,
    input  wire [ADDR_W-1:0]   s_tuser,
    output wire                m_tvalid,
    input  wire                m_tready,
    output wire [PACKET_W-1:0] m_tdata,
    output wire [ADDR_W-1:0]   m_tuser
);
    localparam PLACES = BANKS * ROWS * COLS * DEPTH;
    // The number is at least 1, so that an illegal value reaches its ILLEGAL_ message.
    localparam N = (PLACES < 2) ? 2 : PLACES;
    localparam ID_W = $clog2(N);
    localparam [N-1:0] ID0 = 1;

    generate
        if (PACKET_W < 1 || PACKET_W > 4096) begin : gen_bad_packet_w
            ILLEGAL_PACKET_W_must_be_1_to_4096 u_illegal ();
        end
    endgenerate

    wire              fill_ready, drain_valid;
    wire [1:0]        fill_refuse;
    wire [2:0]        drain_why;
    wire [ADDR_W-1:0] drain_addr;
    wire [ID_W-1:0]   drain_id;
    wire              unused_codes = &{1'b0, fill_refuse, drain_why};

    // ---- RAM addresses: the free addresses, and the address for the next packet
    reg  [N-1:0]    free;
    reg  [ID_W-1:0] place;
    reg             place_valid;
    wire [N-1:0]    pick;
    wire [ID_W-1:0] pick_id;
    wire            pick_any;
    wire            enter = s_tvalid && s_tready;
    wire            leave;
    wire            refill = enter || !place_valid;
    wire [N-1:0]    freed = (ID0 << drain_id) & {N{leave}};

    mt_first_id #(
        .N(N),
        .W(ID_W)
    ) u_pick (
        .in   (free),
        .first(pick),
        .any  (pick_any),
        .id   (pick_id)
    );
    always @(posedge clk `MT_OR_RST) begin
        if (rst) begin
            free      <= {N{1'b1}};
            place_valid <= 1'b0;
        end else begin
            free <= (free & ~(pick & {N{refill}})) | freed;
            if (refill) place_valid <= pick_any;
        end
    end
    always @(posedge clk) if (refill) place <= pick_id;

    // ---- tree
    assign s_tready = place_valid && fill_ready;
    cart #(
        .ADDR_W   (ADDR_W),
        .ID_W     (ID_W),
        .DEPTH    (DEPTH),
        .BANKS    (BANKS),
        .BANK_MASK(BANK_MASK),
        .COL_MASK (COL_MASK),
        .ROWS     (ROWS),
        .COLS     (COLS),
        .POLICY   (POLICY),
        .AGE_LIMIT(AGE_LIMIT),
        .FILL     (FILL),
        .COL_DROP (COL_DROP),
        .HOLD     (1)
    ) u_cart (
        .clk        (clk),
        .rst        (rst),
        .fill_valid (s_tvalid && place_valid),
        .fill_addr  (s_tuser),
        .fill_id    (place),
        .fill_ready (fill_ready),
        .fill_refuse(fill_refuse),
        .drain_valid(drain_valid),
        .drain_addr (drain_addr),
        .drain_id   (drain_id),
        .drain_why  (drain_why),
        .drain_ready(!m_tvalid || m_tready)
    );

    // ---- packets; the RAM output and m_tuser form one stage
    reg              valid;
    reg [ADDR_W-1:0] addr;
    assign leave = drain_valid && (!m_tvalid || m_tready);
    always @(posedge clk `MT_OR_RST) begin
        if (rst) valid <= 1'b0;
        else if (leave || m_tready) valid <= leave;
    end
    always @(posedge clk) if (leave) addr <= drain_addr;
    assign m_tvalid = valid;
    assign m_tuser  = addr;

    mt_ram_1r1w #(
        .WIDTH (PACKET_W),
        .DEPTH (N),
        .ADDR_W(ID_W)
    ) u_packets (
        .clk  (clk),
        .we   (enter),
        .waddr(place),
        .wdata(s_tdata),
        .re   (leave),
        .raddr(drain_id),
        .rdata(m_tdata)
    );
endmodule

`default_nettype wire
