// SPDX-License-Identifier: Apache-2.0
// Stores the slots of an MSHR block. One RAM has the offset, requester ID, write flag and payload of each slot. A
// second RAM, which only writes use, has the write data and byte mask of each slot (it does not exist if DATA_W=0). One
// write and one read are possible per cycle. The word read is valid after the clock edge, until the next read.
`default_nettype none

module mshr_slots #(
    // number of slot sets, 2..256
    parameter SETS = 128,
    // number of slots per set, 1..64
    parameter SLOTS = 2,
    // offset width
    parameter OFF_W = 7,
    // requester ID width
    parameter ID_W = 8,
    // write data width in bits, 0 or a multiple of 8
    parameter DATA_W = 0,
    // payload width
    parameter PAYLOAD_W = 0,
    // widths of a set number, a slot number in its set, the data, mask and payload ports, and a slot number (set by the
    // block)
    parameter SET_W = 7,
    parameter SLOT_W = 1,
    parameter DATA_PW = 1,
    parameter MASK_PW = 1,
    parameter PAYLOAD_PW = 1,
    parameter NUM_W = 8
) (
    input  wire                  clk,
    // write
    input  wire                  we,
    input  wire [SET_W-1:0]      wset,
    input  wire [SLOT_W-1:0]     wslot,
    output wire [NUM_W-1:0]      wnum,
    input  wire [OFF_W-1:0]      w_off,
    input  wire [ID_W-1:0]       w_id,
    input  wire                  w_write,
    input  wire [DATA_PW-1:0]    w_data,
    input  wire [MASK_PW-1:0]    w_mask,
    input  wire [PAYLOAD_PW-1:0] w_payload,
    // read
    input  wire                  re,
    input  wire [SET_W-1:0]      rset,
    input  wire [SLOT_W-1:0]     rslot,
    output wire [OFF_W-1:0]      r_off,
    output wire [ID_W-1:0]       r_id,
    output wire                  r_write,
    output wire [DATA_PW-1:0]    r_data,
    output wire [MASK_PW-1:0]    r_mask,
    output wire [PAYLOAD_PW-1:0] r_payload,
    // slot of the last read
    input  wire [SET_W-1:0]      set,
    input  wire [SLOT_W-1:0]     slot,
    output wire [NUM_W-1:0]      num
);
    localparam DEPTH = SETS * SLOTS;
    localparam INFO_W = 1 + ID_W + OFF_W;
    localparam WORD_W = INFO_W + PAYLOAD_W;

    // set * SLOTS + slot, which is a concatenation if SLOTS is a power of two.
    wire [31:0]      wnum_32 = {{(32 - SET_W) {1'b0}}, wset} * SLOTS + {{(32 - SLOT_W) {1'b0}}, wslot};
    wire [31:0]      rnum_32 = {{(32 - SET_W) {1'b0}}, rset} * SLOTS + {{(32 - SLOT_W) {1'b0}}, rslot};
    wire [31:0]      num_32 = {{(32 - SET_W) {1'b0}}, set} * SLOTS + {{(32 - SLOT_W) {1'b0}}, slot};
    wire             unused_num = &{1'b0, wnum_32[31:NUM_W], rnum_32[31:NUM_W], num_32[31:NUM_W]};
    wire [NUM_W-1:0] rnum = rnum_32[NUM_W-1:0];

    assign wnum = wnum_32[NUM_W-1:0];
    assign num  = num_32[NUM_W-1:0];

    wire [PAYLOAD_PW+INFO_W-1:0] w_word = {w_payload, w_write, w_id, w_off};
    wire [WORD_W-1:0]            r_word;
    assign {r_write, r_id, r_off} = r_word[INFO_W-1:0];

    mt_ram_1r1w #(
        .WIDTH (WORD_W),
        .DEPTH (DEPTH),
        .ADDR_W(NUM_W)
    ) u_info (
        .clk  (clk),
        .we   (we),
        .waddr(wnum),
        .wdata(w_word[WORD_W-1:0]),
        .re   (re),
        .raddr(rnum),
        .rdata(r_word)
    );

    generate
        if (PAYLOAD_W > 0) begin : gen_payload
            assign r_payload = r_word[WORD_W-1:INFO_W];
        end else begin : gen_no_payload
            wire unused_payload = &{1'b0, w_word[PAYLOAD_PW+INFO_W-1:WORD_W]};
            assign r_payload = {PAYLOAD_PW{1'b0}};
        end
        if (DATA_W > 0) begin : gen_data
            mt_ram_1r1w #(
                .WIDTH (DATA_PW + MASK_PW),
                .DEPTH (DEPTH),
                .ADDR_W(NUM_W)
            ) u_data (
                .clk  (clk),
                .we   (we && w_write),
                .waddr(wnum),
                .wdata({w_mask, w_data}),
                .re   (re),
                .raddr(rnum),
                .rdata({r_mask, r_data})
            );
        end else begin : gen_no_data
            wire unused_data = &{1'b0, w_data, w_mask};
            assign r_data = {DATA_PW{1'b0}};
            assign r_mask = {MASK_PW{1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
