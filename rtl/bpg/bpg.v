// SPDX-License-Identifier: Apache-2.0
// bpg: the Bypassing Parameter Generator. Cycle-by-cycle contract: docs/understand/bpg.md; ports:
// rtl/bpg/ports.md.
//   take    registers the access and the failure, which are late inputs
//   look    looks up and updates the shadow arrays (bpg_shadow), and updates the counters (bpg_counter)
//   decide  computes lmax after the interval's last access (bpg_judge)
`default_nettype none
`include "bpg_defs.vh"
`include "mt_reset.vh"

module bpg #(
    // line number width, 1..48 bits
    parameter ADDR_W = 40,
    // user ID width (warp or CTA slot number), 1..8 bits
    parameter ID_W = 5,
    // number of L1D sets, 1..4096, a power of two
    parameter SETS = 32,
    // number of L1D ways, 1..16
    parameter WAYS = 4,
    // set-index function of the L1D: 0 bmod, 1 bxor, 2 fermi, 3 xor, 6 d_prime, 7 ipoly
    parameter INDEX = 1,
    // number of sampled sets, 1..64, a power of two, at most SETS
    parameter SAMPLED = 4,
    // stored tag width, 1..48 bits, at most ADDR_W - log2(SETS)
    parameter TAG_W = 32,
    // number of Adjusted Hits calculators, 1..16
    parameter CALCULATORS = 8,
    // number of accesses between two decisions, 4..1048575, at least CALCULATORS + 4
    parameter INTERVAL = 1000,
    // hit counter width, 2..16 bits
    parameter HIT_W = 10,
    // failure counter width, 2..16 bits
    parameter FAIL_W = 12,
    // left shift of the hit count before the failures are subtracted, 0..7
    parameter HIT_SCALE = 3
) ( // late: may arrive after the outputs of the cycle are computed
    input  wire                                                   clk,
    input  wire                                                   rst,
    input  wire                                                   launch,
    input  wire                                                   cube_valid,
    input  wire [(CALCULATORS < 2 ? 1 : $clog2(CALCULATORS))-1:0] cube_index,
    input  wire [`BPG_CUBE_W-1:0]                                 cube_value,
    input  wire [ID_W-1:0]                                        ask_id,
    output wire                                                   ask_past,
    output wire [$clog2(CALCULATORS+1)-1:0]                       lmax,
    output wire                                                   update,
    input  wire                                                   acc_valid,  // late
    input  wire [2:0]                                             acc_op,     // late
    input  wire [ADDR_W-1:0]                                      acc_addr,   // late
    input  wire [ID_W-1:0]                                        acc_id,     // late
    input  wire                                                   fail        // late
);
    // clamped so that an illegal value reaches its ILLEGAL_ message
    localparam ROWS = (SAMPLED < 1) ? 1 : (SAMPLED > 64) ? 64 : SAMPLED;
    localparam KEPT_W = (TAG_W < 1) ? 1 : TAG_W;
    localparam SET_BITS = (SETS < 2) ? 0 : $clog2(SETS);
    localparam SET_W = (SET_BITS < 1) ? 1 : SET_BITS;
    localparam ROW_BITS = $clog2(ROWS);
    localparam SKIP = SET_BITS - ROW_BITS;  // number of low bits of a set number that are 0 in a sampled set
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
        .HIT_SCALE  (HIT_SCALE)
    ) u_legal ();

    // ---- take: the line's set and tag
    wire [SET_W-1:0] acc_key, acc_set;
    reg              look, failed;
    reg [2:0]        op;
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
        tag <= acc_addr[SET_BITS+:KEPT_W];
        id  <= acc_id;
    end

    // ---- look: row
    wire             sampled;
    wire [ROWS-1:0]  at;  // one-hot: the row, registered because all tags wait for it
    generate
        if (ROW_BITS > 0) begin : gen_row
            wire [ROW_BITS-1:0] row = acc_set[SET_BITS-1-:ROW_BITS];
            reg  [    ROWS-1:0] row_at;
            always @(posedge clk) row_at <= ROW0 << row;
            assign at = row_at;
        end else begin : gen_no_row
            wire unused_set = &{1'b0, acc_set};
            assign at = 1'b1;
        end
        if (SKIP > 0) begin : gen_sampled
            reg [SKIP-1:0] low;
            always @(posedge clk) low <= acc_set[SKIP-1:0];
            assign sampled = low == {SKIP{1'b0}};
        end else begin : gen_all_sampled
            assign sampled = 1'b1;
        end
    endgenerate

    // ---- look: calculators
    wire                         seen = look && sampled;
    wire                         enters = op == `BPG_LOAD || op == `BPG_WRITE;
    reg  [COUNT_W-1:0]           count;
    wire                         last = look && count == LAST;
    wire [CALCULATORS-1:0]       found;
    reg  [CALCULATORS-1:0]       hit;    // hits of the previous cycle, which arrive too late to be counted there
    reg                          ended;  // the interval's last access was looked up in the previous cycle
    wire [CALCULATORS*HIT_W-1:0] hits;   // hit counts including `hit`
    wire [FAIL_W-1:0]            fails;  // failure count including `failed`

    genvar k;
    generate
        for (k = 1; k <= CALCULATORS; k = k + 1) begin : gen_calculator
            wire mine = seen && {{(32 - ID_W) {1'b0}}, id} < k;
            bpg_shadow #(
                .ROWS (ROWS),
                .WAYS (WAYS < 1 ? 1 : WAYS),  // clamped so that an illegal value reaches its ILLEGAL_ message
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
            bpg_counter #(
                .W(HIT_W)
            ) u_hits (
                .clk  (clk),
                .rst  (rst),
                .clear(launch),
                .one  (hit[k-1]),
                .halve(ended),
                .total(hits[(k-1)*HIT_W+:HIT_W])
            );
`ifdef FORMAL
            (* hierconn *) wire [ROWS-1:0] \u_shadow.at ;
            (* hierconn *) wire [KEPT_W-1:0] \u_shadow.tag ;
            (* hierconn *) wire \u_shadow.rst , \u_shadow.clear , \u_shadow.enter , \u_shadow.update , \u_shadow.evict ,
                \u_shadow.found ;
            wire [ROWS+KEPT_W+4:0] f_shadow = {
                \u_shadow.at , \u_shadow.tag , \u_shadow.rst || \u_shadow.clear ,
                \u_shadow.enter , \u_shadow.update , \u_shadow.evict , \u_shadow.found
            };
`endif
        end
    endgenerate
    bpg_counter #(
        .W(FAIL_W)
    ) u_fails (
        .clk  (clk),
        .rst  (rst),
        .clear(launch),
        .one  (failed),
        .halve(last),
        .total(fails)
    );
    always @(posedge clk `MT_OR_RST)
        if (rst) ended <= 1'b0;
        else ended <= last;
    always @(posedge clk `MT_OR_RST)
        if (rst) count <= {COUNT_W{1'b0}};
        else if (launch || last) count <= {COUNT_W{1'b0}};
        else if (look) count <= count + ONE;

    // ---- decide
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
        .fails     (fails),
        .started   (ended),
        .hits      (hits),
        .lmax      (lmax),
        .update    (update)
    );

    // ---- query
    assign ask_past = lmax != CALCULATORS[LMAX_W-1:0] && {{LMAX_W{1'b0}}, ask_id} >= {{ID_W{1'b0}}, lmax};

`ifdef FORMAL
`include "bpg_contract.vh"
`endif
endmodule

`default_nettype wire
