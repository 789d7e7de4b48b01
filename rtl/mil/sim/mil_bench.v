// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of mil: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module mil_bench #(
    parameter VECTORS = "mil.vec"
);
    reg          clk;
    reg  [38:0] in, next_in;
    reg  [12:0] given, next_given;
    reg  [167:0] want, next_want;
    reg  [13:0] cmp, next_cmp;
    wire [167:0] got;
    wire [167:0] mask;
    wire [167:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[2:0] = {3{cmp[0]}};
    assign mask[11:3] = {9{cmp[1]}};
    assign mask[26:12] = {15{cmp[2]}};
    assign mask[29:27] = {3{cmp[3]}};
    assign mask[31:30] = {2{cmp[4]}};
    assign mask[46:32] = {15{cmp[5]}};
    assign mask[61:47] = {15{cmp[6]}};
    assign mask[82:62] = {21{cmp[7]}};
    assign mask[94:83] = {12{cmp[8]}};
    assign mask[109:95] = {15{cmp[9]}};
    assign mask[118:110] = {9{cmp[10]}};
    assign mask[142:119] = {24{cmp[11]}};
    assign mask[166:143] = {24{cmp[12]}};
    assign mask[167:167] = {1{cmp[13]}};

    mil #(
        .KERNELS(3), .SCHEDULERS(4), .INTERVAL_W(4), .RF_W(7), .INFLIGHT_W(5), .MINST_W(5), .RATIO_MAX(6), .QUOTA_W(8), .LIMIT(2), .ORDER(1), .ZERO(0)
    ) dut (
        .clk            (clk),
        .rst            (given[0] ? in[0:0] : 1'bx),
        .set_valid      (given[1] ? in[1:1] : 1'bx),
        .set_kernel     (given[2] ? in[3:2] : 2'bx),
        .set_limit      (given[3] ? in[8:4] : 5'bx),
        .live           (given[4] ? in[11:9] : 3'bx),
        .start          (given[5] ? in[14:12] : 3'bx),
        .want           (given[6] ? in[17:15] : 3'bx),
        .go             (got[2:0]),
        .room           (got[11:3]),
        .iss            (given[7] ? in[26:18] : 9'bx),
        .done           (given[8] ? in[32:27] : 6'bx),
        .acc_valid      (given[9] ? in[33:33] : 1'bx),
        .acc_kernel     (given[10] ? in[35:34] : 2'bx),
        .fail_valid     (given[11] ? in[36:36] : 1'bx),
        .fail_kernel    (given[12] ? in[38:37] : 2'bx),
        .limit          (got[26:12]),
        .update         (got[29:27]),
        .err            (got[31:30]),
        .st_inflight    (got[46:32]),
        .st_max         (got[61:47]),
        .st_rf          (got[82:62]),
        .st_req         (got[94:83]),
        .st_minst       (got[109:95]),
        .st_ratio       (got[118:110]),
        .st_quota       (got[142:119]),
        .st_share       (got[166:143]),
        .st_busy        (got[167:167])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, mil_bench);
        end
        if (!$value$plusargs("vectors=%s", vectors)) $sformat(vectors, "%0s", VECTORS);
        file = $fopen(vectors, "r");
        if (file == 0) begin
`ifdef VERILATOR
            // $fatal would abort the program, with a core dump
            $display("no file of vectors: %0s", vectors);
            $c("std::exit(1);");
`else
            $fatal(1, "no file of vectors: %0s", vectors);
`endif
        end
        clk = 1'b0;
        cycle = 0;
        read = $fscanf(file, "%h %h %h %h", next_in, next_given, next_want, next_cmp);
        while (read == 4) begin
            // not by $fscanf itself: in Verilator 5.006 nothing follows what that writes
            in = next_in;
            given = next_given;
            want = next_want;
            cmp = next_cmp;
            #5;
            if (|wrong[2:0] !== 1'b0) $display("go: %h instead of %h", got[2:0], want[2:0]);
            if (|wrong[11:3] !== 1'b0) $display("room: %h instead of %h", got[11:3], want[11:3]);
            if (|wrong[26:12] !== 1'b0) $display("limit: %h instead of %h", got[26:12], want[26:12]);
            if (|wrong[29:27] !== 1'b0) $display("update: %h instead of %h", got[29:27], want[29:27]);
            if (|wrong[31:30] !== 1'b0) $display("err: %h instead of %h", got[31:30], want[31:30]);
            if (|wrong[46:32] !== 1'b0) $display("st_inflight: %h instead of %h", got[46:32], want[46:32]);
            if (|wrong[61:47] !== 1'b0) $display("st_max: %h instead of %h", got[61:47], want[61:47]);
            if (|wrong[82:62] !== 1'b0) $display("st_rf: %h instead of %h", got[82:62], want[82:62]);
            if (|wrong[94:83] !== 1'b0) $display("st_req: %h instead of %h", got[94:83], want[94:83]);
            if (|wrong[109:95] !== 1'b0) $display("st_minst: %h instead of %h", got[109:95], want[109:95]);
            if (|wrong[118:110] !== 1'b0) $display("st_ratio: %h instead of %h", got[118:110], want[118:110]);
            if (|wrong[142:119] !== 1'b0) $display("st_quota: %h instead of %h", got[142:119], want[142:119]);
            if (|wrong[166:143] !== 1'b0) $display("st_share: %h instead of %h", got[166:143], want[166:143]);
            if (|wrong[167:167] !== 1'b0) $display("st_busy: %h instead of %h", got[167:167], want[167:167]);
            if (|wrong !== 1'b0) $fatal(1, "FAIL: cycle %0d", cycle);
            clk = 1'b1;
            #5;
            clk = 1'b0;
            cycle = cycle + 1;
            read = $fscanf(file, "%h %h %h %h", next_in, next_given, next_want, next_cmp);
        end
        if (cycle == 0) $fatal(1, "no vectors in the file");
        $display("PASS %0d cycles", cycle);
        $finish;
    end
endmodule

`default_nettype wire
