// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of cap: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module cap_bench #(
    parameter VECTORS = "cap.vec"
);
    reg          clk;
    reg  [30:0] in, next_in;
    reg  [9:0] given, next_given;
    reg  [10:0] want, next_want;
    reg  [4:0] cmp, next_cmp;
    wire [10:0] got;
    wire [10:0] mask;
    wire [10:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[0:0] = {1{cmp[0]}};
    assign mask[3:1] = {3{cmp[1]}};
    assign mask[4:4] = {1{cmp[2]}};
    assign mask[7:5] = {3{cmp[3]}};
    assign mask[10:8] = {3{cmp[4]}};

    cap #(
        .GROUPS(4), .AVAIL_W(10), .SIZE_W(6), .C_NUM(11), .C_DEN(10), .OVER(3)
    ) dut (
        .clk            (clk),
        .rst            (given[0] ? in[0:0] : 1'bx),
        .set_valid      (given[1] ? in[1:1] : 1'bx),
        .set_group      (given[2] ? in[3:2] : 2'bx),
        .set_req        (given[3] ? in[9:4] : 6'bx),
        .agg_valid      (given[4] ? in[10:10] : 1'bx),
        .agg            (given[5] ? in[16:11] : 6'bx),
        .ask_valid      (given[6] ? in[17:17] : 1'bx),
        .ask_group      (given[7] ? in[19:18] : 2'bx),
        .ask_avail      (given[8] ? in[29:20] : 10'bx),
        .ask_full       (given[9] ? in[30:30] : 1'bx),
        .ans_valid      (got[0:0]),
        .ans_size       (got[3:1]),
        .st_ask         (got[4:4]),
        .st_limit       (got[7:5]),
        .st_fit         (got[10:8])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, cap_bench);
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
            if (|wrong[0:0] !== 1'b0) $display("ans_valid: %h instead of %h", got[0:0], want[0:0]);
            if (|wrong[3:1] !== 1'b0) $display("ans_size: %h instead of %h", got[3:1], want[3:1]);
            if (|wrong[4:4] !== 1'b0) $display("st_ask: %h instead of %h", got[4:4], want[4:4]);
            if (|wrong[7:5] !== 1'b0) $display("st_limit: %h instead of %h", got[7:5], want[7:5]);
            if (|wrong[10:8] !== 1'b0) $display("st_fit: %h instead of %h", got[10:8], want[10:8]);
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
