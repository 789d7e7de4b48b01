// SPDX-License-Identifier: Apache-2.0
// Manages the entries of an MSHR block with a two-cycle lookup: sets with an address, a comparator, and the number of
// requests in the last set of the super-entry. In the first cycle, look_addr is compared, and the result enters the
// lookup register. In the second cycle, the request is classified from that register alone. While the register is held,
// it follows later requests for its address, and the drain: a request that was looked up before RET, or in its cycle,
// belongs to the entry during the drain (`late`), and must be looked up again after it (`stale`). A lookup matches an
// entry that is used and not under drain.
`default_nettype none
`include "mt_reset.vh"

module mshr_heads #(
    // number of entries
    parameter N = 40,
    // number of slots per set, 1..64
    parameter SLOTS = 4,
    // block address width
    parameter ADDR_W = 25,
    // 1: ret_addr is the address of ret_head; 0: it is tied to 0
    parameter ADDR_OUT = 0,
    // widths of an entry number, a set number and a slot number
    parameter W = 6,
    parameter SET_W = 6,
    parameter SLOT_W = 2
) (
    input  wire                clk,
    input  wire                rst,
    // first cycle
    input  wire                look,
    input  wire [ADDR_W-1:0]   look_addr,
    // second cycle: entry of the last lookup
    output reg                 hit,
    output wire                late,            // hit, and the entry is under drain
    output reg                 stale,           // the drain of the entry has ended since the lookup; hit is 0
    output reg  [W-1:0]        id,              // valid if hit
    output reg  [SLOT_W-1:0]   fill_low,        // low bits of the number of requests in that entry's last set
    output wire                full,            // that entry's last set is full
    // request
    output wire                any_free,
    output wire [W-1:0]        free_id,
    input  wire                take,            // allocate the free entry
    input  wire                add,             // add the request to the last set
    input  wire                link,            // attach a new last set
    // RET and drain
    input  wire [SET_W-1:0]    ret_head,
    output wire                ret_known,       // ret_head is an entry whose fetch is in flight
    output wire [ADDR_W-1:0]   ret_addr,        // its address; 0 if it is none
    output wire                ret_hit,         // ret_head is the entry of the request
    input  wire                to_head,         // ret_head is under drain after this edge, if any entry is
    input  wire                draining,        // an entry is under drain
    output reg  [SLOT_W-1:0]   drain_fill_low,  // low bits of the number of requests in the last set under drain
    input  wire                all_done         // the drain ends, which frees the entry
);
    localparam [N-1:0] ENTRY0 = 1;
    localparam [SLOT_W-1:0] ONE = 1;
    localparam [SLOT_W-1:0] FULL = SLOTS[SLOT_W-1:0];

    reg  [ADDR_W-1:0] addr;        // address of the last lookup
    reg  [N-1:0]      used;
    reg  [W-1:0]      drain_head;  // the entry under drain, if any is
    wire [N-1:0]      at_drain = ENTRY0 << drain_head;
    wire [N-1:0]      matchable = used & ~(at_drain & {N{draining}});
    wire [N-1:0]      at_ret = ENTRY0 << ret_head;
    wire [N-1:0]      returned = at_ret & matchable;
    wire [N-1:0]      match, free;
    wire [N-1:0]      taken;  // one-hot: the entry allocated in this cycle
    wire [W-1:0]      match_id;
    wire [SLOT_W-1:0] match_fill_low, ret_fill_low;
    wire [N*SLOT_W-1:0] fill_lows;  // fill_low of entry e: fill_lows[e*SLOT_W +: SLOT_W]

    // ---- first cycle. The free entry stores the address before it is allocated; until then it is don't-care.
    mshr_cam #(
        .N     (N),
        .ADDR_W(ADDR_W),
        .OUT   (ADDR_OUT)
    ) u_cam (
        .clk      (clk),
        .matchable(matchable),
        .sought   (look_addr),
        .match    (match),
        .store    (free),
        .addr     (addr),
        .sel      (returned),
        .out      (ret_addr)
    );
    mt_onehot_enc #(
        .N(N),
        .W(W)
    ) u_match_id (
        .onehot(match),
        .bin   (match_id)
    );
    mt_onehot_mux #(
        .N(N),
        .W(SLOT_W)
    ) u_match_fill_low (
        .sel  (match),
        .words(fill_lows),
        .word (match_fill_low)
    );

    // ---- second cycle
    wire [SLOT_W-1:0] new_fill_low = (SLOTS == 1 || !hit || link) ? ONE : add ? fill_low + ONE : fill_low;
    wire              req_fire = take || add || link;
    // A lookup does not see the request of the same cycle: if both have the same address, the register is held. A
    // lookup during the drain is for a new entry.
    wire              keep = !look || (req_fire && !late && look_addr == addr);
    wire              ends = late && all_done;

    assign late = hit && draining && id == drain_head;
    assign full = fill_low == FULL;

    always @(posedge clk) begin
        if (look) addr <= look_addr;
        id       <= keep ? (hit ? id : free_id) : match_id;
        fill_low <= keep ? new_fill_low : match_fill_low;
    end
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            hit   <= 1'b0;
            stale <= 1'b0;
        end else begin
            hit   <= keep ? (hit && !ends) || take : |match;
            stale <= keep && (stale || ends);
        end

    // ---- entries
    mt_first_id #(
        .N(N),
        .W(W)
    ) u_free (
        .in   (~used),
        .first(free),
        .any  (any_free),
        .id   (free_id)
    );
    assign taken = free & {N{take}};

    wire [N-1:0] store_fill = hit ? ENTRY0 << id : free;
    always @(posedge clk `MT_OR_RST)
        if (rst) used <= {N{1'b0}};
        else used <= (used & ~(at_drain & {N{all_done}})) | taken;
    genvar e;
    generate
        for (e = 0; e < N; e = e + 1) begin : gen_entry
            reg [SLOT_W-1:0] stored_fill_low;
            always @(posedge clk) if (store_fill[e]) stored_fill_low <= new_fill_low;
            assign fill_lows[e*SLOT_W+:SLOT_W] = stored_fill_low;
        end
    endgenerate

    // ---- RET and drain
    mt_onehot_mux #(
        .N(N),
        .W(SLOT_W)
    ) u_ret_fill_low (
        .sel  (at_ret),
        .words(fill_lows),
        .word (ret_fill_low)
    );
    assign ret_known = |returned;
    assign ret_hit   = hit && {{(SET_W - W) {1'b0}}, id} == ret_head;

    always @(posedge clk)
        if (to_head) begin
            drain_head     <= ret_head[W-1:0];
            drain_fill_low <= ret_hit ? new_fill_low : ret_fill_low;
        end else if (late) drain_fill_low <= new_fill_low;
endmodule

`default_nettype wire
