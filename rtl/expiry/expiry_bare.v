// SPDX-License-Identifier: Apache-2.0
// expiry without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.
`default_nettype none

module expiry_bare #(
    // entries, 2..1024, less than 2**BLOCK_W
    parameter ENTRIES = 256,
    // bits of a block number, 2..32
    parameter BLOCK_W = 16,
    // pages of a block, 2..32, a power of two
    parameter PAGES = 16,
    // most entries that leave for one take, 1..16
    parameter TAKE = 4
) (
    input  wire clk,
    input  wire rst,
    input  wire exp_valid,
    input  wire [BLOCK_W-1:0] exp_block,
    input  wire [$clog2(PAGES)-1:0] exp_page,
    output wire exp_ready,
    input  wire rec_valid,
    input  wire [BLOCK_W-1:0] rec_block,
    output wire rec_ready,
    input  wire take,
    output wire out_valid,
    output wire [BLOCK_W-1:0] out_block,
    output wire [PAGES-1:0] out_mask,
    output wire [1:0] out_why,
    output wire out_last,
    input  wire out_ready
);
    wire [$clog2(ENTRIES+1)-1:0] st_entries;
    wire st_look;
    wire st_found;
    wire st_use;
    wire [$clog2(ENTRIES)-1:0] st_way;
    wire unused_state = &{1'b0, st_entries, st_look, st_found, st_use, st_way};

    expiry #(
        .ENTRIES(ENTRIES),
        .BLOCK_W(BLOCK_W),
        .PAGES(PAGES),
        .TAKE(TAKE),
        .OBSERVE(0)
    ) u_block (
        .clk(clk),
        .rst(rst),
        .exp_valid(exp_valid),
        .exp_block(exp_block),
        .exp_page(exp_page),
        .exp_ready(exp_ready),
        .rec_valid(rec_valid),
        .rec_block(rec_block),
        .rec_ready(rec_ready),
        .take(take),
        .out_valid(out_valid),
        .out_block(out_block),
        .out_mask(out_mask),
        .out_why(out_why),
        .out_last(out_last),
        .out_ready(out_ready),
        .st_entries(st_entries),
        .st_look(st_look),
        .st_found(st_found),
        .st_use(st_use),
        .st_way(st_way)
    );
endmodule

`default_nettype wire
