// SPDX-License-Identifier: Apache-2.0
// Port assertions of bpg: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/bpg.rules.
module bpg_checks #(
    // bits of a line number, 1..48
    parameter ADDR_W = 40,
    // bits of a user's number, 1..8
    parameter ID_W = 5,
    // calculators of Adjusted Hits, 1..16
    parameter CALCULATORS = 8,
    // accesses from a decision to the next, 4..1048575, at least CALCULATORS + 4
    parameter INTERVAL = 1000
) (
    input  logic clk,
    input  logic rst,
    input  logic launch,
    input  logic cube_valid,
    input  logic [(CALCULATORS < 2 ? 1 : $clog2(CALCULATORS))-1:0] cube_index,
    input  logic [16:0] cube_value,
    input  logic [ID_W-1:0] ask_id,
    input  logic ask_past,
    input  logic [$clog2(CALCULATORS+1)-1:0] lmax,
    input  logic update,
    input  logic acc_valid,
    input  logic [2:0] acc_op,
    input  logic [ADDR_W-1:0] acc_addr,
    input  logic [ID_W-1:0] acc_id,
    input  logic fail
);
    // From the first reset on, but in cycles of reset.
    logic seen_reset = 1'b0;
    always @(posedge clk) if (rst) seen_reset <= 1'b1;
    wire on = seen_reset && !rst;

    // Entries of the table that were written; accesses of the interval; which cycles behind its last one this is.
    localparam LMAX_W = $clog2(CALCULATORS + 1);
    localparam K = CALCULATORS;
    logic [K-1:0]                                  written = '0;
    logic [$clog2(INTERVAL)-1:0]                   taken;
    logic [K+3:0]                                  behind;
    logic                                          started;  // reset or launch in the cycle before
    logic [LMAX_W-1:0]                             was_lmax;
    always @(posedge clk) if (cube_valid && 32'(cube_index) < K) written[cube_index] <= 1'b1;
    always_ff @(posedge clk) begin
        started  <= launch || rst;
        was_lmax <= lmax;
        behind   <= {behind[K+2:0], acc_valid && 32'(taken) == INTERVAL - 1};
        if (acc_valid) taken <= 32'(taken) == INTERVAL - 1 ? '0 : taken + 1'b1;
        if (launch || rst) begin
            behind <= '0;
            taken  <= '0;
        end
    end


    // ---- what the user owes the block
    owed_known_launch:
        assert property (@(posedge clk) on |-> (!$isunknown(launch)))
        else $error("bpg: owed_known_launch: launch is known in every cycle");
    owed_known_cube_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(cube_valid)))
        else $error("bpg: owed_known_cube_valid: cube_valid is known in every cycle");
    owed_known_cube_index:
        assert property (@(posedge clk) on && (cube_valid) |-> (!$isunknown(cube_index)))
        else $error("bpg: owed_known_cube_index: cube_index is known where it means something");
    owed_known_cube_value:
        assert property (@(posedge clk) on && (cube_valid) |-> (!$isunknown(cube_value)))
        else $error("bpg: owed_known_cube_value: cube_value is known where it means something");
    owed_known_acc_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(acc_valid)))
        else $error("bpg: owed_known_acc_valid: acc_valid is known in every cycle");
    owed_known_acc_op:
        assert property (@(posedge clk) on && (acc_valid) |-> (!$isunknown(acc_op)))
        else $error("bpg: owed_known_acc_op: acc_op is known where it means something");
    owed_known_acc_addr:
        assert property (@(posedge clk) on && (acc_valid) |-> (!$isunknown(acc_addr)))
        else $error("bpg: owed_known_acc_addr: acc_addr is known where it means something");
    owed_known_acc_id:
        assert property (@(posedge clk) on && (acc_valid) |-> (!$isunknown(acc_id)))
        else $error("bpg: owed_known_acc_id: acc_id is known where it means something");
    owed_known_fail:
        assert property (@(posedge clk) on |-> (!$isunknown(fail)))
        else $error("bpg: owed_known_fail: fail is known in every cycle");
    owed_cube_value:
        assert property (@(posedge clk) on && (cube_valid) |-> (cube_value <= 17'h10000))
        else $error("bpg: owed_cube_value: an entry of the table is at most 1.0");
    owed_cubes:
        assert property (@(posedge clk) on && (update) |-> (&written))
        else $error("bpg: owed_cubes: all entries of the table are written before a decision");

    // ---- what the block keeps
    check_known_ask_past:
        assert property (@(posedge clk) on && (!$isunknown(ask_id)) |-> (!$isunknown(ask_past)))
        else $error("bpg: check_known_ask_past: ask_past is known");
    check_known_lmax:
        assert property (@(posedge clk) on |-> (!$isunknown(lmax)))
        else $error("bpg: check_known_lmax: lmax is known");
    check_known_update:
        assert property (@(posedge clk) on |-> (!$isunknown(update)))
        else $error("bpg: check_known_update: update is known");
    check_lmax:
        assert property (@(posedge clk) on |-> (lmax >= LMAX_W'(1) && lmax <= LMAX_W'(K)))
        else $error("bpg: check_lmax: lmax is 1 to CALCULATORS");
    check_ask_past:
        assert property (@(posedge clk) on && (!$isunknown(ask_id)) |-> (ask_past == (lmax < LMAX_W'(K) && 32'(ask_id) >= 32'(lmax))))
        else $error("bpg: check_ask_past: users from lmax on bypass the cache");
    check_started:
        assert property (@(posedge clk) on && (started) |-> (lmax == LMAX_W'(K) && !update))
        else $error("bpg: check_started: reset and launch let all in");
    check_lmax_stays:
        assert property (@(posedge clk) on && (!started && !update) |-> (lmax == was_lmax))
        else $error("bpg: check_lmax_stays: lmax changes by a decision");
    check_update:
        assert property (@(posedge clk) on |-> (update == behind[K+3]))
        else $error("bpg: check_update: a decision shows CALCULATORS + 4 cycles behind the last access of its interval");
endmodule
