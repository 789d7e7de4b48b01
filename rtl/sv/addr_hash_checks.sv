// SPDX-License-Identifier: Apache-2.0
// Port assertions of addr_hash: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/addr_hash.rules.
module addr_hash_checks #(
    // bits of a line number, 1..48
    parameter ADDR_W = 40,
    // sets of the L1D, 1..4096, a power of two
    parameter SETS = 32,
    // memory partitions, 1..256
    parameter PARTITIONS = 16,
    // log2 of the consecutive lines in one partition, 0..10
    parameter INTERLEAVE = 1,
    // cycles from an access to its outputs, 1 or 2
    parameter LATENCY = 1
) (
    input  logic clk,
    input  logic rst,
    input  logic acc_valid,
    input  logic [ADDR_W-1:0] acc_line,
    input  logic out_valid,
    input  logic [(SETS < 2 ? 1 : $clog2(SETS))-1:0] out_set,
    input  logic [(PARTITIONS < 2 ? 1 : $clog2(PARTITIONS))-1:0] out_part,
    input  logic [ADDR_W-1:0] out_rest
);
    // From the first reset on, but in cycles of reset.
    logic seen_reset = 1'b0;
    always @(posedge clk) if (rst) seen_reset <= 1'b1;
    wire on = seen_reset && !rst;

    // What the ports have shown so far: the accesses on their way, and where the first line since the reset lives.
    logic [LATENCY-1:0]         asked;
    logic [LATENCY*ADDR_W-1:0]  lines;
    logic                       watch;
    logic [ADDR_W-1:0]          watch_line;
    logic [$bits(out_set)-1:0]  watch_set;
    logic [$bits(out_part)-1:0] watch_part;
    logic [ADDR_W-1:0]          watch_rest;
    wire [ADDR_W-1:0]           out_line = lines[LATENCY*ADDR_W-1-:ADDR_W];
    wire                        watched = out_valid && watch && out_line == watch_line;
    wire                        other = out_valid && watch && out_line != watch_line;
    always_ff @(posedge clk) begin
        asked <= rst ? '0 : LATENCY'({asked, acc_valid});
        lines <= (LATENCY * ADDR_W)'({lines, acc_line});
        if (out_valid && !watch) begin
            watch      <= 1'b1;
            watch_line <= out_line;
            watch_set  <= out_set;
            watch_part <= out_part;
            watch_rest <= out_rest;
        end
        if (rst) watch <= 1'b0;
    end


    // ---- what the user owes the block
    owed_known_acc_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(acc_valid)))
        else $error("addr_hash: owed_known_acc_valid: acc_valid is known in every cycle");
    owed_known_acc_line:
        assert property (@(posedge clk) on && (acc_valid) |-> (!$isunknown(acc_line)))
        else $error("addr_hash: owed_known_acc_line: acc_line is known where it means something");

    // ---- what the block keeps
    check_known_out_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(out_valid)))
        else $error("addr_hash: check_known_out_valid: out_valid is known");
    check_known_out_set:
        assert property (@(posedge clk) on && (out_valid) |-> (!$isunknown(out_set)))
        else $error("addr_hash: check_known_out_set: out_set is known where it means something");
    check_known_out_part:
        assert property (@(posedge clk) on && (out_valid) |-> (!$isunknown(out_part)))
        else $error("addr_hash: check_known_out_part: out_part is known where it means something");
    check_known_out_rest:
        assert property (@(posedge clk) on && (out_valid) |-> (!$isunknown(out_rest)))
        else $error("addr_hash: check_known_out_rest: out_rest is known where it means something");
    check_answer:
        assert property (@(posedge clk) on |-> (out_valid == asked[LATENCY-1]))
        else $error("addr_hash: check_answer: each access shows LATENCY cycles later");
    check_same_place:
        assert property (@(posedge clk) on && (watched) |-> ({out_set, out_part, out_rest} === {watch_set, watch_part, watch_rest}))
        else $error("addr_hash: check_same_place: a line always lives in the same place");
    check_own_place:
        assert property (@(posedge clk) on && (other) |-> ({out_part, out_rest} != {watch_part, watch_rest}))
        else $error("addr_hash: check_own_place: two lines never share a partition and a place there");
    check_chunk:
        assert property (@(posedge clk) on && (out_valid) |-> ((out_rest ^ out_line) % (ADDR_W)'(2 ** INTERLEAVE) == '0))
        else $error("addr_hash: check_chunk: the lines of a chunk stay together, in their order");
endmodule
