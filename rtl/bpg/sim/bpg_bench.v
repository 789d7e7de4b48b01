// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of bpg: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module bpg_bench #(
    parameter VECTORS = "bpg.vec"
);
    reg          clk;
    reg  [48:0] in, next_in;
    reg  [10:0] given, next_given;
    reg  [102:0] want, next_want;
    reg  [12:0] cmp, next_cmp;
    wire [102:0] got;
    wire [102:0] mask;
    wire [102:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[0:0] = {1{cmp[0]}};
    assign mask[3:1] = {3{cmp[1]}};
    assign mask[4:4] = {1{cmp[2]}};
    assign mask[5:5] = {1{cmp[3]}};
    assign mask[8:6] = {3{cmp[4]}};
    assign mask[9:9] = {1{cmp[5]}};
    assign mask[13:10] = {4{cmp[6]}};
    assign mask[33:14] = {20{cmp[7]}};
    assign mask[45:34] = {12{cmp[8]}};
    assign mask[85:46] = {40{cmp[9]}};
    assign mask[86:86] = {1{cmp[10]}};
    assign mask[89:87] = {3{cmp[11]}};
    assign mask[102:90] = {13{cmp[12]}};

    bpg #(
        .ADDR_W(12), .ID_W(5), .SETS(8), .WAYS(4), .INDEX(1), .SAMPLED(2), .TAG_W(9), .CALCULATORS(4), .INTERVAL(40), .HIT_W(10), .FAIL_W(12), .HIT_SCALE(2)
    ) dut (
        .clk            (clk),
        .rst            (given[0] ? in[0:0] : 1'bx),
        .launch         (given[1] ? in[1:1] : 1'bx),
        .cube_valid     (given[2] ? in[2:2] : 1'bx),
        .cube_index     (given[3] ? in[4:3] : 2'bx),
        .cube_value     (given[4] ? in[21:5] : 17'bx),
        .ask_id         (given[5] ? in[26:22] : 5'bx),
        .ask_past       (got[0:0]),
        .lmax           (got[3:1]),
        .update         (got[4:4]),
        .acc_valid      (given[6] ? in[27:27] : 1'bx),
        .acc_op         (given[7] ? in[30:28] : 3'bx),
        .acc_addr       (given[8] ? in[42:31] : 12'bx),
        .acc_id         (given[9] ? in[47:43] : 5'bx),
        .fail           (given[10] ? in[48:48] : 1'bx),
        .st_look        (got[5:5]),
        .st_set         (got[8:6]),
        .st_sampled     (got[9:9]),
        .st_found       (got[13:10]),
        .st_count       (got[33:14]),
        .st_fails       (got[45:34]),
        .st_hits        (got[85:46]),
        .st_judged      (got[86:86]),
        .st_judged_k    (got[89:87]),
        .st_adjusted    (got[102:90])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, bpg_bench);
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
            if (|wrong[0:0] !== 1'b0) $display("ask_past: %h instead of %h", got[0:0], want[0:0]);
            if (|wrong[3:1] !== 1'b0) $display("lmax: %h instead of %h", got[3:1], want[3:1]);
            if (|wrong[4:4] !== 1'b0) $display("update: %h instead of %h", got[4:4], want[4:4]);
            if (|wrong[5:5] !== 1'b0) $display("st_look: %h instead of %h", got[5:5], want[5:5]);
            if (|wrong[8:6] !== 1'b0) $display("st_set: %h instead of %h", got[8:6], want[8:6]);
            if (|wrong[9:9] !== 1'b0) $display("st_sampled: %h instead of %h", got[9:9], want[9:9]);
            if (|wrong[13:10] !== 1'b0) $display("st_found: %h instead of %h", got[13:10], want[13:10]);
            if (|wrong[33:14] !== 1'b0) $display("st_count: %h instead of %h", got[33:14], want[33:14]);
            if (|wrong[45:34] !== 1'b0) $display("st_fails: %h instead of %h", got[45:34], want[45:34]);
            if (|wrong[85:46] !== 1'b0) $display("st_hits: %h instead of %h", got[85:46], want[85:46]);
            if (|wrong[86:86] !== 1'b0) $display("st_judged: %h instead of %h", got[86:86], want[86:86]);
            if (|wrong[89:87] !== 1'b0) $display("st_judged_k: %h instead of %h", got[89:87], want[89:87]);
            if (|wrong[102:90] !== 1'b0) $display("st_adjusted: %h instead of %h", got[102:90], want[102:90]);
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
