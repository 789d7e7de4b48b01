// SPDX-License-Identifier: Apache-2.0
// Entries of an MSHR block with a lookup of two cycles: sets that hold an address, its comparator, and how many requests are in the last
// set of their super-entry. In the first cycle look_addr is compared, and what was found goes into the lookup register; in the second
// the request is judged from that register alone. The register stays true while it is kept: it follows the requests for its address, and
// RET. `used` is the only other state: an entry can match if it is used and not under drain.
`default_nettype none
`include "mt_reset.vh"

module mshr_heads #(
    // entries
    parameter N = 52,
    // slots of a set, 1..64
    parameter SLOTS = 4,
    // bits of a block address
    parameter ADDR_W = 25,
    // bits of an entry's number, a set's number, a slot's number
    parameter W = 6,
    parameter SET_W = 6,
    parameter SLOT_W = 2
) (
    input  wire                clk,
    input  wire                rst,
    // first cycle
    input  wire                look,
    input  wire [ADDR_W-1:0]   look_addr,
    // second cycle: the address that was looked up last, and its entry
    output reg  [ADDR_W-1:0]   addr,
    output wire                hit,
    output reg  [W-1:0]        id,          // meaningless without hit
    output reg  [SLOT_W-1:0]   low,         // low bits of how many requests its last set has
    output wire                full,        // as many as it can
    // the request
    output wire                any_free,
    output wire [W-1:0]        free_id,
    input  wire                take,        // it gets the free entry
    input  wire                add,         // it goes into the last set
    input  wire                link,        // or into a new last set
    // RET and drain
    input  wire [SET_W-1:0]    ret_head,
    output wire                ret_known,   // ret_head is a returnable entry
    output wire                ret_hit,     // that of the request
    input  wire                to_head,     // after this edge ret_head is under drain, if any is
    input  wire                draining,    // the entry `gone` is under drain, and not released
    output reg  [W-1:0]        gone,
    output reg  [SLOT_W-1:0]   gone_low,    // of that under drain
    input  wire                release_it,  // `gone` becomes free
    // for those who observe
    output reg  [N-1:0]        used,
    output wire [N-1:0]        taken,       // one-hot: this one is taken
    output reg  [N*SLOT_W-1:0] lows
);
    localparam [N-1:0] ENTRY0 = 1;
    localparam [SLOT_W-1:0] ONE = 1;
    localparam [SLOT_W-1:0] FULL = SLOTS[SLOT_W-1:0];

    wire [N-1:0]      at_gone = ENTRY0 << gone;
    wire [N-1:0]      at_ret = ENTRY0 << ret_head;
    wire [N-1:0]      matchable = used & ~(at_gone & {N{draining}});
    wire [N-1:0]      match, free;
    wire [W-1:0]      match_id;
    wire [SLOT_W-1:0] match_low, ret_low;
    reg               held_hit;

    // ---- first cycle. The free entry stores the address before it is taken: until then it means nothing.
    mshr_cam #(
        .N     (N),
        .ADDR_W(ADDR_W),
        .GATE  (0)
    ) u_cam (
        .clk      (clk),
        .matchable(matchable),
        .awake    ({N{1'b1}}),
        .asleep   ({N{1'b0}}),
        .sought   (look_addr),
        .match    (match),
        .store    (free),
        .addr     (addr)
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
    ) u_match_low (
        .sel (match),
        .cols(lows),
        .word(match_low)
    );

    // ---- second cycle
    wire [SLOT_W-1:0] next_low = (SLOTS == 1 || !hit || link) ? ONE : add ? low + ONE : low;
    wire              taken_here = take || add || link;
    // What was found does not know of the request of this cycle: if both are for one address, the register does.
    wire              keep = !look || (taken_here && look_addr == addr);

    assign hit  = held_hit && !(draining && id == gone);
    assign full = low == FULL;

    always @(posedge clk) begin
        if (look) addr <= look_addr;
        id       <= keep ? (hit ? id : free_id) : match_id;
        low      <= keep ? next_low : match_low;
    end
    always @(posedge clk `MT_OR_RST)
        if (rst) held_hit <= 1'b0;
        else held_hit <= keep ? hit || take : |match;

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

    wire [N-1:0] store_low = hit ? ENTRY0 << id : free;
    integer      b;
    always @(posedge clk `MT_OR_RST)
        if (rst) used <= {N{1'b0}};
        else used <= (used & ~(at_gone & {N{release_it}})) | taken;
    always @(posedge clk)
        for (b = 0; b < SLOT_W; b = b + 1) lows[b*N+:N] <= (lows[b*N+:N] & ~store_low) | (store_low & {N{next_low[b]}});

    // ---- RET and drain
    mt_onehot_mux #(
        .N(N),
        .W(SLOT_W)
    ) u_ret_low (
        .sel (at_ret),
        .cols(lows),
        .word(ret_low)
    );
    assign ret_known = |(matchable & at_ret);
    assign ret_hit   = hit && {{(SET_W - W) {1'b0}}, id} == ret_head;

    always @(posedge clk)
        if (to_head) begin
            gone     <= ret_head[W-1:0];
            gone_low <= ret_hit ? next_low : ret_low;
        end
endmodule

`default_nettype wire
