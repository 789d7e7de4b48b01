// SPDX-License-Identifier: Apache-2.0
// The slots of an MSHR block: offset, requester id and write flag of each in one RAM, write data and byte mask in a second one
// that only writes use (none with DATA_W 0). One write and one read a cycle; the read word is there after the clock edge.
`default_nettype none

module mshr_slots #(
    // slot sets, 2..256
    parameter SETS = 128,
    // slots of a set, 1..64
    parameter SLOTS = 2,
    // bits of an offset
    parameter OFF_W = 7,
    // bits of a requester id
    parameter ID_W = 8,
    // bits of write data, 0 or a multiple of 8
    parameter DATA_W = 0,
    // bits of a set number, a slot number, the data ports, the mask ports (given by the block)
    parameter SET_W = 7,
    parameter SLOT_W = 1,
    parameter DATA_PW = 1,
    parameter MASK_PW = 1
) (
    input  wire               clk,
    // write
    input  wire               we,
    input  wire [SET_W-1:0]   wset,
    input  wire [SLOT_W-1:0]  wslot,
    input  wire [OFF_W-1:0]   w_off,
    input  wire [ID_W-1:0]    w_id,
    input  wire               w_write,
    input  wire [DATA_PW-1:0] w_data,
    input  wire [MASK_PW-1:0] w_mask,
    // read
    input  wire               re,
    input  wire [SET_W-1:0]   rset,
    input  wire [SLOT_W-1:0]  rslot,
    output wire [OFF_W-1:0]   r_off,
    output wire [ID_W-1:0]    r_id,
    output wire               r_write,
    output wire [DATA_PW-1:0] r_data,
    output wire [MASK_PW-1:0] r_mask
);
    localparam DEPTH = SETS * SLOTS;
    localparam ADDR_W = (DEPTH < 2) ? 1 : $clog2(DEPTH);

    // set * SLOTS + slot: a concatenation when SLOTS is a power of two.
    wire [31:0] wnum = {{(32 - SET_W) {1'b0}}, wset} * SLOTS + {{(32 - SLOT_W) {1'b0}}, wslot};
    wire [31:0] rnum = {{(32 - SET_W) {1'b0}}, rset} * SLOTS + {{(32 - SLOT_W) {1'b0}}, rslot};
    wire        unused_num = &{1'b0, wnum[31:ADDR_W], rnum[31:ADDR_W]};

    mt_ram_1r1w #(
        .WIDTH (1 + OFF_W + ID_W),
        .DEPTH (DEPTH),
        .ADDR_W(ADDR_W)
    ) u_info (
        .clk  (clk),
        .we   (we),
        .waddr(wnum[ADDR_W-1:0]),
        .wdata({w_write, w_id, w_off}),
        .re   (re),
        .raddr(rnum[ADDR_W-1:0]),
        .rdata({r_write, r_id, r_off})
    );

    generate
        if (DATA_W > 0) begin : gen_data
            mt_ram_1r1w #(
                .WIDTH (DATA_PW + MASK_PW),
                .DEPTH (DEPTH),
                .ADDR_W(ADDR_W)
            ) u_data (
                .clk  (clk),
                .we   (we && w_write),
                .waddr(wnum[ADDR_W-1:0]),
                .wdata({w_mask, w_data}),
                .re   (re),
                .raddr(rnum[ADDR_W-1:0]),
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
