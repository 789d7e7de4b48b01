// SPDX-License-Identifier: Apache-2.0
// addr_hash: computes an access's L1D set, partition, and line number in that partition. Cycle-by-cycle contract:
// docs/understand/addr_hash.md; ports: rtl/addr_hash/ports.md.
//   take   computes the key of the set and the key of the partition from an access, a late input
//   split  computes the set, partition and rest from the keys, in the same cycle or, if LATENCY=2, in the next
`default_nettype none
`include "mt_reset.vh"

module addr_hash #(
    // line number width, 1..48 bits
    parameter ADDR_W = 40,
    // number of L1D sets, 1..4096, a power of two
    parameter SETS = 32,
    // set-index function of the L1D: 0 bmod, 1 bxor, 2 fermi, 3 xor, 4 pmod, 5 a_prime, 6 d_prime, 7 ipoly, 8 ipoly_sum
    parameter INDEX = 1,
    // number of memory partitions, 1..256
    parameter PARTITIONS = 16,
    // partition map: 0 modulo, 1 xor, 2 xor_next, 3 prime, 4 a_prime, 5 d_prime, 6 ipoly
    parameter MAP = 0,
    // log2 of the number of consecutive lines mapped to one partition, 0..10
    parameter INTERLEAVE = 1,
    // latency from an access to its outputs, 1 or 2 cycles
    parameter LATENCY = 1
) (
    input  wire                                                 clk,
    input  wire                                                 rst,
    input  wire                                                 acc_valid,  // late
    input  wire [ADDR_W-1:0]                                    acc_line,   // late
    output reg                                                  out_valid,
    output reg  [(SETS < 2 ? 1 : $clog2(SETS))-1:0]             out_set,
    output reg  [(PARTITIONS < 2 ? 1 : $clog2(PARTITIONS))-1:0] out_part,
    output reg  [ADDR_W-1:0]                                    out_rest
);
    localparam SET_W = (SETS < 2) ? 1 : $clog2(SETS);
    localparam PART_W = (PARTITIONS < 2) ? 1 : $clog2(PARTITIONS);
    localparam KEY_W = (MAP == 4) ? PART_W + 1 : PART_W;
    localparam SET_KEY_W = (INDEX == 4) ? SET_W + 4 : (INDEX == 5) ? SET_W + 5 : SET_W;

    addr_hash_legal #(
        .INDEX  (INDEX),
        .LATENCY(LATENCY)
    ) u_legal ();

    // ---- take
    wire [SET_KEY_W-1:0] set_key;
    wire [    KEY_W-1:0] key;
    wire                 held_valid;
    wire [   ADDR_W-1:0] held_line;
    wire [SET_KEY_W-1:0] held_set_key;
    wire [    KEY_W-1:0] held_key;
    wire [    SET_W-1:0] set;
    wire [   PART_W-1:0] part;
    wire [   ADDR_W-1:0] rest;
    mt_set_index #(
        .ADDR_W(ADDR_W),
        .SETS  (SETS),
        .INDEX (INDEX),
        .SET_W (SET_W),
        .KEY_W (SET_KEY_W)
    ) u_set_index (
        .line    (acc_line),
        .key     (set_key),
        .held_key(held_set_key),
        .set     (set)
    );
    mt_part_map #(
        .ADDR_W    (ADDR_W),
        .PARTITIONS(PARTITIONS),
        .MAP       (MAP),
        .INTERLEAVE(INTERLEAVE),
        .PART_W    (PART_W),
        .KEY_W     (KEY_W)
    ) u_part_map (
        .line     (acc_line),
        .key      (key),
        .held_line(held_line),
        .held_key (held_key),
        .part     (part),
        .rest     (rest)
    );

    generate
        if (LATENCY == 2) begin : gen_two
            reg                 acc_valid_r;
            reg [ADDR_W-1:0]    acc_line_r;
            reg [SET_KEY_W-1:0] set_key_r;
            reg [KEY_W-1:0]     key_r;
            always @(posedge clk `MT_OR_RST)
                if (rst) acc_valid_r <= 1'b0;
                else acc_valid_r <= acc_valid;
            always @(posedge clk) begin
                acc_line_r  <= acc_line;
                set_key_r   <= set_key;
                key_r       <= key;
            end
            assign held_valid   = acc_valid_r;
            assign held_line    = acc_line_r;
            assign held_set_key = set_key_r;
            assign held_key     = key_r;
        end else begin : gen_one
            assign held_valid   = acc_valid;
            assign held_line    = acc_line;
            assign held_set_key = set_key;
            assign held_key     = key;
        end
    endgenerate

    // ---- split
    always @(posedge clk `MT_OR_RST)
        if (rst) out_valid <= 1'b0;
        else out_valid <= held_valid;
    always @(posedge clk) begin
        out_set  <= set;
        out_part <= part;
        out_rest <= rest;
    end

`ifdef FORMAL
`include "addr_hash_contract.vh"
`endif
endmodule

`default_nettype wire
