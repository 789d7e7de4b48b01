// SPDX-License-Identifier: Apache-2.0
// Tracks the misses of cache_example: contains a dl_mshr_paper, whose slots also hold store data, and connects it to
// the cache. ready, refuse, primary and head are valid for `addr` even without a request; `take` accepts the request.
`default_nettype none

module cache_misses #(
    // number of slot sets of dl_mshr_paper, and number of slots per set
    parameter SETS = 16,
    parameter SLOTS = 2,
    // widths of a line address, a beat number, a requester ID and a word
    parameter ADDR_W = 26,
    parameter BEAT_W = 2,
    parameter ID_W = 8,
    parameter DATA_W = 128,
    // head number width (set by SETS)
    parameter HEAD_W = $clog2(SETS)
) (
    input  wire                clk,
    input  wire                rst,
    // miss
    input  wire [ADDR_W-1:0]   addr,
    output wire                ready,
    output wire [1:0]          refuse,
    output wire                primary,
    output wire [HEAD_W-1:0]   head,
    input  wire                take,
    input  wire [BEAT_W-1:0]   beat,
    input  wire [ID_W-1:0]     id,
    input  wire                write,
    input  wire [DATA_W-1:0]   data,
    input  wire [DATA_W/8-1:0] mask,
    // fill of the line
    input  wire                ret_valid,
    input  wire [HEAD_W-1:0]   ret_head,
    // requests that wait for the line
    output wire                drain_valid,
    input  wire                drain_ready,
    output wire                drain_last,
    output wire [BEAT_W-1:0]   drain_beat,
    output wire [ID_W-1:0]     drain_id,
    output wire                drain_write,
    output wire [DATA_W-1:0]   drain_data,
    output wire [DATA_W/8-1:0] drain_mask,
    output wire                err
);
    localparam PAYLOAD_W = 1 + ID_W + BEAT_W + DATA_W + DATA_W / 8;

    wire                          ret_ready;
    wire [$clog2(SETS*SLOTS)-1:0] req_slot, rsp_slot;
    wire                          unused = &{1'b0, ret_ready, req_slot, rsp_slot};
    wire [PAYLOAD_W-1:0]          payload;

    assign {drain_mask, drain_data, drain_write, drain_id, drain_beat} = payload;

    dl_mshr_paper #(
        .SETS          (SETS),
        .SLOTS         (SLOTS),
        .ADDR_W        (ADDR_W),
        .PAYLOAD_W     (PAYLOAD_W),
        .RESERVED_HEADS(SETS / 2),
        .TAIL          (2)
    ) u_mshr (
        .clk           (clk),
        .rst           (rst),
        .req_valid     (take),
        .req_addr      (addr),
        .req_payload   ({mask, data, write, id, beat}),
        .req_ready     (ready),
        .req_refuse    (refuse),
        .req_primary   (primary),
        .req_head      (head),
        .req_slot      (req_slot),
        .ret_valid     (ret_valid),
        .ret_head      (ret_head),
        .ret_ready     (ret_ready),
        .rsp_valid     (drain_valid),
        .rsp_ready     (drain_ready),
        .rsp_last      (drain_last),
        .rsp_payload   (payload),
        .rsp_slot      (rsp_slot),
        .err           (err)
    );
endmodule

`default_nettype wire
