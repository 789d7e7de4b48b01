// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of hir: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module hir_bench #(
    parameter VECTORS = "hir.vec"
);
    reg          clk;
    reg  [13:0] in, next_in;
    reg  [5:0] given, next_given;
    reg  [45:0] want, next_want;
    reg  [12:0] cmp, next_cmp;
    wire [45:0] got;
    wire [45:0] mask;
    wire [45:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[0:0] = {1{cmp[0]}};
    assign mask[1:1] = {1{cmp[1]}};
    assign mask[2:2] = {1{cmp[2]}};
    assign mask[10:3] = {8{cmp[3]}};
    assign mask[18:11] = {8{cmp[4]}};
    assign mask[19:19] = {1{cmp[5]}};
    assign mask[35:20] = {16{cmp[6]}};
    assign mask[36:36] = {1{cmp[7]}};
    assign mask[38:37] = {2{cmp[8]}};
    assign mask[39:39] = {1{cmp[9]}};
    assign mask[40:40] = {1{cmp[10]}};
    assign mask[41:41] = {1{cmp[11]}};
    assign mask[45:42] = {4{cmp[12]}};

    hir #(
        .SETS(4), .WAYS(2), .SET_W(8), .PAGES(4), .COUNT_W(2), .LOST_W(16)
    ) dut (
        .clk            (clk),
        .rst            (given[0] ? in[0:0] : 1'bx),
        .hit_valid      (given[1] ? in[1:1] : 1'bx),
        .hit_set        (given[2] ? in[9:2] : 8'bx),
        .hit_page       (given[3] ? in[11:10] : 2'bx),
        .hit_ready      (got[0:0]),
        .flush          (given[4] ? in[12:12] : 1'bx),
        .busy           (got[1:1]),
        .out_valid      (got[2:2]),
        .out_set        (got[10:3]),
        .out_counts     (got[18:11]),
        .out_last       (got[19:19]),
        .out_ready      (given[5] ? in[13:13] : 1'bx),
        .lost           (got[35:20]),
        .st_look        (got[36:36]),
        .st_row         (got[38:37]),
        .st_found       (got[39:39]),
        .st_lose        (got[40:40]),
        .st_way         (got[41:41]),
        .st_count       (got[45:42])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, hir_bench);
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
            if (|wrong[0:0] !== 1'b0) $display("hit_ready: %h instead of %h", got[0:0], want[0:0]);
            if (|wrong[1:1] !== 1'b0) $display("busy: %h instead of %h", got[1:1], want[1:1]);
            if (|wrong[2:2] !== 1'b0) $display("out_valid: %h instead of %h", got[2:2], want[2:2]);
            if (|wrong[10:3] !== 1'b0) $display("out_set: %h instead of %h", got[10:3], want[10:3]);
            if (|wrong[18:11] !== 1'b0) $display("out_counts: %h instead of %h", got[18:11], want[18:11]);
            if (|wrong[19:19] !== 1'b0) $display("out_last: %h instead of %h", got[19:19], want[19:19]);
            if (|wrong[35:20] !== 1'b0) $display("lost: %h instead of %h", got[35:20], want[35:20]);
            if (|wrong[36:36] !== 1'b0) $display("st_look: %h instead of %h", got[36:36], want[36:36]);
            if (|wrong[38:37] !== 1'b0) $display("st_row: %h instead of %h", got[38:37], want[38:37]);
            if (|wrong[39:39] !== 1'b0) $display("st_found: %h instead of %h", got[39:39], want[39:39]);
            if (|wrong[40:40] !== 1'b0) $display("st_lose: %h instead of %h", got[40:40], want[40:40]);
            if (|wrong[41:41] !== 1'b0) $display("st_way: %h instead of %h", got[41:41], want[41:41]);
            if (|wrong[45:42] !== 1'b0) $display("st_count: %h instead of %h", got[45:42], want[45:42]);
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
