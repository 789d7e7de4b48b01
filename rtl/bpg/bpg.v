// SPDX-License-Identifier: Apache-2.0
// bpg: the Bypassing Parameter Generator. The contract, cycle by cycle, is docs/understand/bpg.md; the ports are cmodel/bpg/bpg_ports.h.
//   take    access and failure, which come late, are put into registers
//   look    the shadow arrays (bpg_shadow) are looked up and changed; the counters (bpg_counter) count
//   decide  after the interval's last access (bpg_judge)
`default_nettype none
`include "bpg_defs.vh"
`include "mt_reset.vh"

module bpg #(
    // bits of a line number, 1..48
    parameter ADDR_W = 40,
    // bits of a user's number, 1..8
    parameter ID_W = 5,
    // sets of the L1D, 1..4096, a power of two
    parameter SETS = 32,
    // ways of the L1D, 1..16
    parameter WAYS = 4,
    // set-index function of the L1D: 0 bmod, 1 bxor, 2 fermi, 3 xor, 6 d_prime, 7 ipoly
    parameter INDEX = 1,
    // sets that are sampled, 1..64, a power of two, at most SETS
    parameter SAMPLED = 4,
    // bits kept of a tag, 1..48, at most ADDR_W - log2(SETS)
    parameter TAG_W = 32,
    // calculators of Adjusted Hits, 1..16
    parameter CALCULATORS = 8,
    // accesses from a decision to the next, 4..1048575, at least CALCULATORS + 4
    parameter INTERVAL = 1000,
    // bits of a hit counter, 2..16
    parameter HIT_W = 10,
    // bits of the failure counter, 2..16
    parameter FAIL_W = 12,
    // bits that the hits are shifted to the left before failures are taken from them, 0..7
    parameter HIT_SCALE = 3,
    // 1: the st_ ports show the state, for verification; 0: they are 0, and what only they read is gone
    parameter OBSERVE = 1
) (
    input  wire                                                                       clk,
    input  wire                                                                       rst,
    input  wire                                                                       launch,
    input  wire                                                                       cube_valid,
    input  wire [(CALCULATORS < 2 ? 1 : $clog2(CALCULATORS))-1:0]                     cube_index,
    input  wire [`BPG_CUBE_W-1:0]                                                     cube_value,
    input  wire [ID_W-1:0]                                                            ask_id,
    output wire                                                                       ask_past,
    output wire [$clog2(CALCULATORS+1)-1:0]                                           lmax,
    output wire                                                                       update,
    input  wire                                                                       acc_valid,   // late
    input  wire [2:0]                                                                 acc_op,      // late
    input  wire [ADDR_W-1:0]                                                          acc_addr,    // late
    input  wire [ID_W-1:0]                                                            acc_id,      // late
    input  wire                                                                       fail,        // late
    output wire                                                                       st_look,
    output wire [(SETS < 2 ? 1 : $clog2(SETS))-1:0]                                   st_set,
    output wire                                                                       st_sampled,
    output wire [CALCULATORS-1:0]                                                     st_found,
    output wire [`BPG_COUNT_W-1:0]                                                    st_count,
    output wire [FAIL_W-1:0]                                                          st_fails,
    output wire [CALCULATORS*HIT_W-1:0]                                               st_hits,
    output wire                                                                       st_judged,
    output wire [$clog2(CALCULATORS+1)-1:0]                                           st_judged_k,
    output wire [(HIT_W + HIT_SCALE > FAIL_W - 1 ? HIT_W + HIT_SCALE : FAIL_W - 1):0] st_adjusted
);
    // Not 0 where SAMPLED or TAG_W is, so that every tool comes as far as the reason.
    localparam ROWS = (SAMPLED < 1) ? 1 : SAMPLED;
    localparam KEPT_W = (TAG_W < 1) ? 1 : TAG_W;
    localparam SET_BITS = (SETS < 2) ? 0 : $clog2(SETS);
    localparam SET_W = (SET_BITS < 1) ? 1 : SET_BITS;
    localparam ROW_BITS = $clog2(ROWS);
    localparam SKIP = SET_BITS - ROW_BITS;  // low bits of a set number, 0 in a sampled one
    localparam [ROWS-1:0] ROW0 = 1;
    localparam INDEX_W = (CALCULATORS < 2) ? 1 : $clog2(CALCULATORS);
    localparam LMAX_W = $clog2(CALCULATORS + 1);
    localparam COUNT_W = $clog2(INTERVAL);
    localparam LAST_COUNT = INTERVAL - 1;
    localparam [COUNT_W-1:0] LAST = LAST_COUNT[COUNT_W-1:0];
    localparam [COUNT_W-1:0] ONE = 1;
    localparam ADJUSTED_W = ((HIT_W + HIT_SCALE > FAIL_W - 1) ? HIT_W + HIT_SCALE : FAIL_W - 1) + 1;

    bpg_legal #(
        .ADDR_W     (ADDR_W),
        .ID_W       (ID_W),
        .SETS       (SETS),
        .WAYS       (WAYS),
        .INDEX      (INDEX),
        .SAMPLED    (SAMPLED),
        .TAG_W      (TAG_W),
        .CALCULATORS(CALCULATORS),
        .INTERVAL   (INTERVAL),
        .HIT_W      (HIT_W),
        .FAIL_W     (FAIL_W),
        .HIT_SCALE  (HIT_SCALE),
        .OBSERVE    (OBSERVE)
    ) u_legal ();

    // ---- take: of the line, set and tag
    wire [SET_W-1:0] acc_key, acc_set;
    reg              look, failed;
    reg [2:0]        op;
    reg [SET_W-1:0]  set;
    reg [KEPT_W-1:0] tag;
    reg [ID_W-1:0]   id;
    mt_set_index #(
        .ADDR_W(ADDR_W),
        .SETS  (SETS),
        .INDEX (INDEX),
        .SET_W (SET_W),
        .KEY_W (SET_W)
    ) u_set_index (
        .line    (acc_addr),
        .key     (acc_key),
        .held_key(acc_key),
        .set     (acc_set)
    );
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            look   <= 1'b0;
            failed <= 1'b0;
        end else begin
            look   <= acc_valid && !launch;
            failed <= fail && !launch;
        end
    always @(posedge clk) begin
        op  <= acc_op;
        set <= acc_set;
        tag <= acc_addr[SET_BITS+:KEPT_W];
        id  <= acc_id;
    end

    // ---- look: where
    wire             sampled;
    wire [ROWS-1:0]  at;  // one-hot: the row; a register, since all tags wait for it
    generate
        if (ROW_BITS > 0) begin : gen_row
            wire [ROW_BITS-1:0] row = acc_set[SET_BITS-1-:ROW_BITS];
            reg  [    ROWS-1:0] row_at;
            always @(posedge clk) row_at <= ROW0 << row;
            assign at = row_at;
        end else begin : gen_no_row
            assign at = 1'b1;
        end
        if (SKIP > 0) begin : gen_sampled
            assign sampled = set[SKIP-1:0] == {SKIP{1'b0}};
        end else begin : gen_all_sampled
            assign sampled = 1'b1;
        end
    endgenerate

    // ---- look: the calculators
    wire                         seen = look && sampled;
    wire                         enters = op == `BPG_LOAD || op == `BPG_WRITE;
    reg  [COUNT_W-1:0]           count;
    wire                         last = look && count == LAST;
    wire [CALCULATORS-1:0]       found;
    reg  [CALCULATORS-1:0]       hit;    // the hits of the cycle before: they are known too late to be counted at once
    reg                          ended;  // the interval's last access was looked at in the cycle before
    wire [CALCULATORS*HIT_W-1:0] hits_total, hits_next;  // with `hit`; and what stays of it
    wire [FAIL_W-1:0]            fails, fails_total;

    genvar k;
    generate
        for (k = 1; k <= CALCULATORS; k = k + 1) begin : gen_calculator
            wire mine = seen && {{(32 - ID_W) {1'b0}}, id} < k;
            bpg_shadow #(
                .ROWS (ROWS),
                .WAYS (WAYS),
                .TAG_W(KEPT_W)
            ) u_shadow (
                .clk   (clk),
                .rst   (rst),
                .clear (launch),
                .at    (at),
                .tag   (tag),
                .enter (mine && enters),
                .update(mine && op == `BPG_UPDATE),
                .evict (mine && op == `BPG_EVICT),
                .found (found[k-1])
            );
            always @(posedge clk `MT_OR_RST)
                if (rst) hit[k-1] <= 1'b0;
                else hit[k-1] <= mine && op == `BPG_LOAD && found[k-1] && !launch;
            wire [HIT_W-1:0] unused_hits;
            bpg_counter #(
                .W(HIT_W)
            ) u_hits (
                .clk  (clk),
                .rst  (rst),
                .clear(launch),
                .one  (hit[k-1]),
                .halve(ended),
                .count(unused_hits),
                .total(hits_total[(k-1)*HIT_W+:HIT_W]),
                .next (hits_next[(k-1)*HIT_W+:HIT_W])
            );
`ifdef FORMAL
            (* hierconn *) wire [ROWS-1:0] \u_shadow.at ;
            (* hierconn *) wire [KEPT_W-1:0] \u_shadow.tag ;
            (* hierconn *) wire \u_shadow.rst , \u_shadow.clear , \u_shadow.enter , \u_shadow.update , \u_shadow.evict , \u_shadow.found ;
            wire [ROWS+KEPT_W+4:0] f_shadow = {
                \u_shadow.at , \u_shadow.tag , \u_shadow.rst || \u_shadow.clear , \u_shadow.enter , \u_shadow.update , \u_shadow.evict , \u_shadow.found
            };
`endif
        end
    endgenerate
    wire [FAIL_W-1:0] unused_fails_next;
    bpg_counter #(
        .W(FAIL_W)
    ) u_fails (
        .clk  (clk),
        .rst  (rst),
        .clear(launch),
        .one  (failed),
        .halve(last),
        .count(fails),
        .total(fails_total),
        .next (unused_fails_next)
    );
    always @(posedge clk `MT_OR_RST)
        if (rst) ended <= 1'b0;
        else ended <= last && !launch;
    always @(posedge clk `MT_OR_RST)
        if (rst) count <= {COUNT_W{1'b0}};
        else if (launch || last) count <= {COUNT_W{1'b0}};
        else if (look) count <= count + ONE;

    // ---- decide
    wire                  judged;
    wire [LMAX_W-1:0]     judged_k;
    wire [ADJUSTED_W-1:0] adjusted;
    bpg_judge #(
        .CALCULATORS(CALCULATORS),
        .HIT_W      (HIT_W),
        .FAIL_W     (FAIL_W),
        .HIT_SCALE  (HIT_SCALE),
        .INDEX_W    (INDEX_W),
        .LMAX_W     (LMAX_W),
        .ADJUSTED_W (ADJUSTED_W)
    ) u_judge (
        .clk       (clk),
        .rst       (rst),
        .clear     (launch),
        .cube_valid(cube_valid),
        .cube_index(cube_index),
        .cube_value(cube_value),
        .start     (last),
        .fails     (fails_total),
        .started   (ended),
        .hits      (hits_total),
        .lmax      (lmax),
        .update    (update),
        .judged    (judged),
        .judged_k  (judged_k),
        .adjusted  (adjusted)
    );

    // ---- ask
    assign ask_past = lmax != CALCULATORS[LMAX_W-1:0] && {{LMAX_W{1'b0}}, ask_id} >= {{ID_W{1'b0}}, lmax};

    // ---- observed state
    generate
        if (OBSERVE != 0) begin : gen_observe
            assign st_look     = look;
            assign st_set      = set;
            assign st_sampled  = sampled;
            assign st_found    = found;
            assign st_count    = {{(`BPG_COUNT_W - COUNT_W) {1'b0}}, count};
            assign st_fails    = fails;
            assign st_hits     = hits_next;  // `hit` is of the cycle before
            assign st_judged   = judged;
            assign st_judged_k = judged_k;
            assign st_adjusted = adjusted;
        end else begin : gen_no_observe
            wire unused_state = &{1'b0, look, set, sampled, found, count, fails, hits_next, judged, judged_k, adjusted};
            assign st_look     = 1'b0;
            assign st_set      = {SET_W{1'b0}};
            assign st_sampled  = 1'b0;
            assign st_found    = {CALCULATORS{1'b0}};
            assign st_count    = {`BPG_COUNT_W{1'b0}};
            assign st_fails    = {FAIL_W{1'b0}};
            assign st_hits     = {CALCULATORS * HIT_W{1'b0}};
            assign st_judged   = 1'b0;
            assign st_judged_k = {LMAX_W{1'b0}};
            assign st_adjusted = {ADJUSTED_W{1'b0}};
        end
    endgenerate

`ifdef FORMAL
`include "bpg_contract.vh"
`endif
endmodule

`default_nettype wire
