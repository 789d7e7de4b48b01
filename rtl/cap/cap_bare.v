// SPDX-License-Identifier: Apache-2.0
// cap without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.
`default_nettype none

module cap_bare #(
    // page groups, 1..64
    parameter GROUPS = 32,
    // bits of a number of pages, 4..28
    parameter AVAIL_W = 22,
    // bits of a number of blocks, 5..24
    parameter SIZE_W = 18,
    // numerator of c, 1..255
    parameter C_NUM = 11,
    // denominator of c, 1..C_NUM
    parameter C_DEN = 10,
    // log2 of the blocks of a prefetch while memory is oversubscribed, 0..4
    parameter OVER = 3
) (
    input  wire clk,
    input  wire rst,
    input  wire set_valid,
    input  wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] set_group,
    input  wire [SIZE_W-1:0] set_req,
    input  wire agg_valid,
    input  wire [SIZE_W-1:0] agg,
    input  wire ask_valid,
    input  wire [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] ask_group,
    input  wire [AVAIL_W-1:0] ask_avail,
    input  wire ask_full,
    output wire ans_valid,
    output wire [2:0] ans_size
);
    wire st_ask;
    wire [2:0] st_limit;
    wire [2:0] st_fit;
    wire unused_state = &{1'b0, st_ask, st_limit, st_fit};

    cap #(
        .GROUPS(GROUPS),
        .AVAIL_W(AVAIL_W),
        .SIZE_W(SIZE_W),
        .C_NUM(C_NUM),
        .C_DEN(C_DEN),
        .OVER(OVER),
        .OBSERVE(0)
    ) u_block (
        .clk(clk),
        .rst(rst),
        .set_valid(set_valid),
        .set_group(set_group),
        .set_req(set_req),
        .agg_valid(agg_valid),
        .agg(agg),
        .ask_valid(ask_valid),
        .ask_group(ask_group),
        .ask_avail(ask_avail),
        .ask_full(ask_full),
        .ans_valid(ans_valid),
        .ans_size(ans_size),
        .st_ask(st_ask),
        .st_limit(st_limit),
        .st_fit(st_fit)
    );
endmodule

`default_nettype wire
