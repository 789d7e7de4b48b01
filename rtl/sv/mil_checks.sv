// SPDX-License-Identifier: Apache-2.0
// Port assertions of mil: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/mil.rules.
module mil_checks #(
    // kernels on the SM, 1..4
    parameter KERNELS = 2,
    // warp schedulers of the SM: most memory instructions in a cycle, 1..4
    parameter SCHEDULERS = 4,
    // log2 of the requests from a decision to the next, 4..16
    parameter INTERVAL_W = 10,
    // bits of a counter of instructions in flight, 4..10
    parameter INFLIGHT_W = 8,
    // of instructions in flight: 0 none, 1 static, 2 dynamic
    parameter LIMIT = 2,
    // of kernels: 0 none, 1 round robin, 2 quotas
    parameter ORDER = 2
) (
    input  logic clk,
    input  logic rst,
    input  logic set_valid,
    input  logic [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] set_kernel,
    input  logic [INFLIGHT_W-1:0] set_limit,
    input  logic [KERNELS-1:0] live,
    input  logic [KERNELS-1:0] start,
    input  logic [KERNELS-1:0] want,
    input  logic [KERNELS-1:0] go,
    input  logic [(KERNELS*$clog2(SCHEDULERS+1))-1:0] room,
    input  logic [(KERNELS*$clog2(SCHEDULERS+1))-1:0] iss,
    input  logic [(KERNELS*2)-1:0] done,
    input  logic acc_valid,
    input  logic [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] acc_kernel,
    input  logic fail_valid,
    input  logic [(KERNELS < 2 ? 1 : $clog2(KERNELS))-1:0] fail_kernel,
    input  logic [(KERNELS*INFLIGHT_W)-1:0] limit,
    input  logic [KERNELS-1:0] update,
    input  logic [1:0] err
);
    // From the first reset on, but in cycles of reset.
    logic seen_reset = 1'b0;
    always @(posedge clk) if (rst) seen_reset <= 1'b1;
    wire on = seen_reset && !rst;

    // What the ports have shown so far: what is in flight of each kernel, who issued last, whether the user has obeyed, and when limits are due.
    localparam K = KERNELS;
    localparam W = INFLIGHT_W;
    localparam ROOM_W = $clog2(SCHEDULERS + 1);
    logic [K*W-1:0]          flown, was_limit;
    logic [K-1:0]            started, shows, able, beyond, landed, exact, some, stays, first, behind;
    logic [K*INTERVAL_W-1:0] taken;
    logic [K*(W+1)-1:0]      due;  // a bit for each cycle since the last access of an interval
    logic                    obeyed, fine;
    logic [1:0]              was_err;
    logic                    reset_before;
    wire [K-1:0]             can = ORDER == 0 ? able : want & able;
    always_comb begin
        first = '0;
        for (int i = K - 1; i >= 0; i--) if (can[i]) first = K'(1) << i;
        for (int i = K - 1; i >= 0; i--) if (can[i] && behind[i]) first = K'(1) << i;
    end
    for (genvar k = 0; k < K; k++) begin : gen_kernel
        wire [W-1:0]      limit_k = limit[k*W+:W];
        wire [W-1:0]      flown_k = flown[k*W+:W];
        wire [ROOM_W-1:0] room_k = room[k*ROOM_W+:ROOM_W];
        wire [ROOM_W-1:0] iss_k = iss[k*ROOM_W+:ROOM_W];
        wire [31:0]       free = limit_k > flown_k ? 32'(limit_k) - 32'(flown_k) : 0;
        wire [W-1:0]      sum = flown_k + W'(iss_k) - W'(done[k*2+:2]);
        wire              acc_k = acc_valid && 32'(acc_kernel) == k;
        assign able[k]   = room_k != '0;
        assign beyond[k] = iss_k > (go[k] ? room_k : '0);
        assign landed[k] = 32'(done[k*2+:2]) > 32'(flown_k) + 32'(iss_k);
        assign exact[k]  = 32'(room_k) == (free < SCHEDULERS ? free : SCHEDULERS);
        assign some[k]   = limit_k != '0;
        assign stays[k]  = (LIMIT == 2 && started[k]) || update[k] || limit_k == was_limit[k*W+:W];
        assign shows[k]  = LIMIT == 1 ? due[k*(W+1)] : LIMIT == 2 && due[k*(W+1)+W];
        always_ff @(posedge clk) begin
            flown[k*W+:W] <= rst ? '0 : sum;
            if (acc_k) taken[k*INTERVAL_W+:INTERVAL_W] <= taken[k*INTERVAL_W+:INTERVAL_W] + 1'b1;
            if (start[k]) taken[k*INTERVAL_W+:INTERVAL_W] <= INTERVAL_W'(acc_k);
            due[k*(W+1)+:W+1] <= {due[k*(W+1)+:W], LIMIT == 1 ? set_valid && 32'(set_kernel) == k : acc_k && &taken[k*INTERVAL_W+:INTERVAL_W]};
            if (rst || (start[k] && LIMIT == 2)) due[k*(W+1)+:W+1] <= '0;
            if (rst) taken[k*INTERVAL_W+:INTERVAL_W] <= '0;
        end
    end
    wire within_k = !(acc_valid && 32'(acc_kernel) >= K) && !(fail_valid && 32'(fail_kernel) >= K) && !(set_valid && 32'(set_kernel) >= K);
    assign fine = obeyed && !(|beyond) && !(|landed) && within_k;
    always_ff @(posedge clk) begin
        obeyed       <= rst || fine;
        was_err      <= err;
        reset_before <= rst;
        was_limit    <= limit;
        started      <= start;
        for (int i = K - 1; i >= 0; i--) if (iss[i*ROOM_W+:ROOM_W] != '0) behind <= ~((K'(2) << i) - 1'b1);
        if (rst) behind <= '0;
    end


    // ---- what the user owes the block
    owed_known_set_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(set_valid)))
        else $error("mil: owed_known_set_valid: set_valid is known in every cycle");
    owed_known_set_kernel:
        assert property (@(posedge clk) on && (set_valid) |-> (!$isunknown(set_kernel)))
        else $error("mil: owed_known_set_kernel: set_kernel is known where it means something");
    owed_known_set_limit:
        assert property (@(posedge clk) on && (set_valid) |-> (!$isunknown(set_limit)))
        else $error("mil: owed_known_set_limit: set_limit is known where it means something");
    owed_known_acc_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(acc_valid)))
        else $error("mil: owed_known_acc_valid: acc_valid is known in every cycle");
    owed_known_acc_kernel:
        assert property (@(posedge clk) on && (acc_valid) |-> (!$isunknown(acc_kernel)))
        else $error("mil: owed_known_acc_kernel: acc_kernel is known where it means something");
    owed_known_fail_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(fail_valid)))
        else $error("mil: owed_known_fail_valid: fail_valid is known in every cycle");
    owed_known_fail_kernel:
        assert property (@(posedge clk) on && (fail_valid) |-> (!$isunknown(fail_kernel)))
        else $error("mil: owed_known_fail_kernel: fail_kernel is known where it means something");
    owed_known_kernels:
        assert property (@(posedge clk) on |-> (^{live, start, want, iss, done} !== 1'bx))
        else $error("mil: owed_known_kernels: what comes of each kernel is known in every cycle");
    owed_issued:
        assert property (@(posedge clk) on && (obeyed) |-> (!(|beyond)))
        else $error("mil: owed_issued: no more issue than go and room allow");
    owed_done:
        assert property (@(posedge clk) on && (obeyed) |-> (!(|landed)))
        else $error("mil: owed_done: no more are done than are in flight");
    owed_kernel:
        assert property (@(posedge clk) on && (obeyed) |-> (within_k))
        else $error("mil: owed_kernel: a kernel that there is");
    owed_one_of:
        assert property (@(posedge clk) on && (acc_valid) |-> (!fail_valid))
        else $error("mil: owed_one_of: an access is taken or refused");

    // ---- what the block keeps
    check_known_go:
        assert property (@(posedge clk) on |-> (!$isunknown(go)))
        else $error("mil: check_known_go: go is known");
    check_known_room:
        assert property (@(posedge clk) on |-> (!$isunknown(room)))
        else $error("mil: check_known_room: room is known");
    check_known_limit:
        assert property (@(posedge clk) on |-> (!$isunknown(limit)))
        else $error("mil: check_known_limit: limit is known");
    check_known_update:
        assert property (@(posedge clk) on |-> (!$isunknown(update)))
        else $error("mil: check_known_update: update is known");
    check_known_err:
        assert property (@(posedge clk) on |-> (!$isunknown(err)))
        else $error("mil: check_known_err: err is known");
    check_room:
        assert property (@(posedge clk) on && (obeyed) |-> (&exact))
        else $error("mil: check_room: room is what the limit leaves, up to SCHEDULERS");
    check_limit:
        assert property (@(posedge clk) on |-> (&some))
        else $error("mil: check_limit: a limit is 1 at least");
    check_limit_stays:
        assert property (@(posedge clk) on && (!reset_before) |-> (&stays))
        else $error("mil: check_limit_stays: a limit changes with update, or by start");
    check_update:
        assert property (@(posedge clk) on |-> (update == shows))
        else $error("mil: check_update: an update shows when it is due");
    check_go_can:
        assert property (@(posedge clk) on && (ORDER != 0) |-> ((go & ~can) == '0))
        else $error("mil: check_go_can: who goes wants, and has room");
    check_go_one:
        assert property (@(posedge clk) on && (ORDER != 0) |-> ((go & (go - 1'b1)) == '0 && (go != '0) == (can != '0)))
        else $error("mil: check_go_one: one kernel goes if one can");
    check_go_which:
        assert property (@(posedge clk) on && (ORDER != 2 || K == 1) |-> (go == (ORDER == 1 ? first : can)))
        else $error("mil: check_go_which: all with room go, or the next in turn");
    check_err_none:
        assert property (@(posedge clk) on && (obeyed) |-> (err == 2'd0))
        else $error("mil: check_err_none: no fault of a user who obeys");
    check_err_stays:
        assert property (@(posedge clk) on && (!reset_before && was_err != 2'd0) |-> (err == was_err))
        else $error("mil: check_err_stays: the first fault stays");
endmodule
