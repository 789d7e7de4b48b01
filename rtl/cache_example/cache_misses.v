// SPDX-License-Identifier: Apache-2.0
// The misses of cache_example: a dl_mshr, whose slots hold the data of stores too. All that the cache has to do with it is here.
// ready, refuse, primary and head answer for `addr` whether there is a request or not; `take` is the order.
`default_nettype none

module cache_misses #(
    // of dl_mshr
    parameter SETS = 16,
    parameter SLOTS = 2,
    // bits of a line's address, of a beat's number, of a requester's id, of a word
    parameter ADDR_W = 26,
    parameter BEAT_W = 2,
    parameter ID_W = 8,
    parameter DATA_W = 128,
    // bits of a head (given by SETS)
    parameter HEAD_W = $clog2(SETS)
) (
    input  wire                clk,
    input  wire                rst,
    // a miss
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
    // its line is here
    input  wire                ret_valid,
    input  wire [HEAD_W-1:0]   ret_head,
    // the requests that wait for it
    output wire                drain_valid,
    input  wire                drain_ready,
    output wire                drain_last,
    output wire [BEAT_W-1:0]   drain_beat,
    output wire [ID_W-1:0]     drain_id,
    output wire                drain_write,
    output wire [DATA_W-1:0]   drain_data,
    output wire [DATA_W/8-1:0] drain_mask,
    output wire [1:0]          err
);
    wire                          ret_ready, rsp_payload;
    wire [$clog2(SETS*SLOTS)-1:0] req_slot, rsp_slot;
    wire [ADDR_W-1:0]             rsp_addr;
    wire [$clog2(SETS+1)-1:0]     st_free_heads, st_free_shared;
    wire [4*SETS-1:0]             st_state;
    wire                          unused = &{1'b0, ret_ready, req_slot, rsp_slot, rsp_payload, rsp_addr, st_free_heads, st_free_shared, st_state};

    dl_mshr #(
        .SETS          (SETS),
        .SLOTS         (SLOTS),
        .HEADS         (SETS),
        .ADDR_W        (ADDR_W),
        .OFF_W         (BEAT_W),
        .ID_W          (ID_W),
        .DATA_W        (DATA_W),
        .RESERVED_HEADS(SETS / 2),
        .TAIL          (2),
        .OBSERVE       (0)
    ) u_mshr (
        .clk           (clk),
        .rst           (rst),
        .look          (1'b0),
        .look_addr     ({ADDR_W{1'b0}}),
        .req_valid     (take),
        .req_addr      (addr),
        .req_off       (beat),
        .req_id        (id),
        .req_write     (write),
        .req_data      (data),
        .req_mask      (mask),
        .req_payload   (1'b0),
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
        .rsp_off       (drain_beat),
        .rsp_id        (drain_id),
        .rsp_write     (drain_write),
        .rsp_data      (drain_data),
        .rsp_mask      (drain_mask),
        .rsp_payload   (rsp_payload),
        .rsp_slot      (rsp_slot),
        .rsp_addr      (rsp_addr),
        .err           (err),
        .st_free_heads (st_free_heads),
        .st_free_shared(st_free_shared),
        .st_state      (st_state)
    );
endmodule

`default_nettype wire
