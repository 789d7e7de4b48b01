// SPDX-License-Identifier: Apache-2.0
// cart with the packets themselves: AXI-Stream-like in and out, one packet a transfer. docs/understand/cart.md has the rules.
//   tuser  line number within the channel      tdata  the packet, which goes into a RAM beside the tree; the tree holds the number of its place
// What leaves the tree is read into the RAM's output register, so a packet comes out two cycles after it went in at the soonest, one a cycle.
`default_nettype none
`include "mt_reset.vh"

module cart_stream #(
    // bits of a line number within the channel, 1..48
    parameter ADDR_W = 21,
    // bits of a packet, 1..4096
    parameter PACKET_W = 1200,
    // places of a leaf queue, 1..32; BANKS * ROWS * COLS * DEPTH is 8192 at most
    parameter DEPTH = 2,
    // DRAM banks: branches; 2..64, a power of two
    parameter BANKS = 16,
    // the bits of a line number that are the bank, log2(BANKS) of them
    parameter BANK_MASK = 450,
    // the bits that are the column, at least one; the others are the row, at least one, 1..2147483647
    parameter COL_MASK = 61,
    // row groups of a branch, 1..8
    parameter ROWS = 4,
    // leaf queues of a row group, 1..8
    parameter COLS = 2,
    // 0 rotating banks, same-or-longest row; 1 longest first; 2 round robin over queues
    parameter POLICY = 0,
    // POLICY=0: drains that may pass a branch's oldest request, 1..65535; 0: any number
    parameter AGE_LIMIT = 0,
    // empty queues: 0 of the row's group; 1 of the whole branch, so that a group is no more than its number of queues; 0, 1
    parameter FILL = 0,
    // lowest bits of the column that lines of a queue may differ in, 0..29; fewer than the column has
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
    // Not 0 where a parameter is, so that every tool comes as far as the reason.
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

    // ---- places of the RAM: those that are free, and the one that the next packet gets
    reg  [N-1:0]    free;
    reg  [ID_W-1:0] next;
    reg             have_next;
    wire [N-1:0]    pick;
    wire [ID_W-1:0] pick_id;
    wire            pick_any;
    wire            enter = s_tvalid && s_tready;
    wire            leave;
    wire            refill = enter || !have_next;
    wire [N-1:0]    left = (ID0 << drain_id) & {N{leave}};

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
            have_next <= 1'b0;
        end else begin
            free <= (free & ~(pick & {N{refill}})) | left;
            if (refill) have_next <= pick_any;
        end
    end
    always @(posedge clk) if (refill) next <= pick_id;

    // ---- the tree
    assign s_tready = have_next && fill_ready;
    cart_bare #(
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
        .fill_valid (s_tvalid && have_next),
        .fill_addr  (s_tuser),
        .fill_id    (next),
        .fill_ready (fill_ready),
        .fill_refuse(fill_refuse),
        .drain_valid(drain_valid),
        .drain_addr (drain_addr),
        .drain_id   (drain_id),
        .drain_why  (drain_why),
        .drain_ready(!m_tvalid || m_tready)
    );

    // ---- packets; the RAM's output and m_tuser are one stage
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
        .waddr(next),
        .wdata(s_tdata),
        .re   (leave),
        .raddr(drain_id),
        .rdata(m_tdata)
    );
endmodule

`default_nettype wire
