// SPDX-License-Identifier: Apache-2.0
// Stores the payload of each slot of an MSHR block in one RAM, and numbers the slots. One write and one read are
// possible per cycle. The payload read is valid after the clock edge, until the next read.
`default_nettype none

module mshr_slots #(
    // number of slot sets, 1..256
    parameter SETS = 128,
    // number of slots per set, 1..64
    parameter SLOTS = 2,
    // payload width, 0 for none
    parameter PAYLOAD_W = 16,
    // widths of a set number, a slot number in its set, the payload ports, and a slot number (set by the block)
    parameter SET_W = 7,
    parameter SLOT_W = 1,
    parameter PAYLOAD_PW = 16,
    parameter NUM_W = 8
) (
    input  wire                  clk,
    // write
    input  wire                  we,
    input  wire [SET_W-1:0]      wset,
    input  wire [SLOT_W-1:0]     wslot,
    output wire [NUM_W-1:0]      wnum,
    input  wire [PAYLOAD_PW-1:0] wdata,
    // read
    input  wire                  re,
    input  wire [SET_W-1:0]      rset,
    input  wire [SLOT_W-1:0]     rslot,
    output wire [PAYLOAD_PW-1:0] rdata,
    // slot of the last read
    input  wire [SET_W-1:0]      set,
    input  wire [SLOT_W-1:0]     slot,
    output wire [NUM_W-1:0]      num
);
    // set * SLOTS + slot, which is a concatenation if SLOTS is a power of two.
    wire [31:0]      wnum_32 = {{(32 - SET_W) {1'b0}}, wset} * SLOTS + {{(32 - SLOT_W) {1'b0}}, wslot};
    wire [31:0]      rnum_32 = {{(32 - SET_W) {1'b0}}, rset} * SLOTS + {{(32 - SLOT_W) {1'b0}}, rslot};
    wire [31:0]      num_32 = {{(32 - SET_W) {1'b0}}, set} * SLOTS + {{(32 - SLOT_W) {1'b0}}, slot};
    wire             unused_num = &{1'b0, wnum_32[31:NUM_W], rnum_32[31:NUM_W], num_32[31:NUM_W]};

    assign wnum = wnum_32[NUM_W-1:0];
    assign num  = num_32[NUM_W-1:0];

    generate
        if (PAYLOAD_W > 0) begin : gen_ram
            mt_ram_1r1w #(
                .WIDTH (PAYLOAD_PW),
                .DEPTH (SETS * SLOTS),
                .ADDR_W(NUM_W)
            ) u_ram (
                .clk  (clk),
                .we   (we),
                .waddr(wnum),
                .wdata(wdata),
                .re   (re),
                .raddr(rnum_32[NUM_W-1:0]),
                .rdata(rdata)
            );
        end else begin : gen_no_ram
            wire unused_access = &{1'b0, clk, we, wdata, re, rnum_32};
            assign rdata = {PAYLOAD_PW{1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
