// SPDX-License-Identifier: Apache-2.0
// expiry behind its interface. Made by `make cores` from the port list.
module expiry_sv #(
    // entries, 2..1024, less than 2**BLOCK_W
    parameter ENTRIES = 256,
    // bits of a block number, 2..32
    parameter BLOCK_W = 16,
    // pages of a block, 2..32, a power of two
    parameter PAGES = 16,
    // most entries that leave for one take, 1..16
    parameter TAKE = 4
) (
    expiry_if.block bus
);
`ifndef YOSYS  // which knows the interface only when it has read the conditions
    if (bus.BLOCK_W != BLOCK_W) $error("expiry_sv: BLOCK_W is %0d, and %0d in its interface", BLOCK_W, bus.BLOCK_W);
    if (bus.PAGES != PAGES) $error("expiry_sv: PAGES is %0d, and %0d in its interface", PAGES, bus.PAGES);
`endif
    expiry_bare #(
        .ENTRIES(ENTRIES),
        .BLOCK_W(BLOCK_W),
        .PAGES(PAGES),
        .TAKE(TAKE)
    ) u_bare (
        .clk(bus.clk),
        .rst(bus.rst),
        .exp_valid(bus.exp_valid),
        .exp_block(bus.exp_block),
        .exp_page(bus.exp_page),
        .exp_ready(bus.exp_ready),
        .rec_valid(bus.rec_valid),
        .rec_block(bus.rec_block),
        .rec_ready(bus.rec_ready),
        .take(bus.take),
        .out_valid(bus.out_valid),
        .out_block(bus.out_block),
        .out_mask(bus.out_mask),
        .out_why(bus.out_why),
        .out_last(bus.out_last),
        .out_ready(bus.out_ready)
    );
endmodule
