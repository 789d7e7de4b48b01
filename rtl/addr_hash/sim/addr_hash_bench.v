// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of addr_hash: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module addr_hash_bench #(
    parameter VECTORS = "addr_hash.vec"
);
    reg          clk;
    reg  [13:0] in, next_in;
    reg  [2:0] given, next_given;
    reg  [21:0] want, next_want;
    reg  [3:0] cmp, next_cmp;
    wire [21:0] got;
    wire [21:0] mask;
    wire [21:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[0:0] = {1{cmp[0]}};
    assign mask[5:1] = {5{cmp[1]}};
    assign mask[9:6] = {4{cmp[2]}};
    assign mask[21:10] = {12{cmp[3]}};

    addr_hash #(
        .ADDR_W(12), .SETS(32), .INDEX(4), .PARTITIONS(12), .MAP(0), .INTERLEAVE(1), .LATENCY(2)
    ) dut (
        .clk            (clk),
        .rst            (given[0] ? in[0:0] : 1'bx),
        .acc_valid      (given[1] ? in[1:1] : 1'bx),
        .acc_line       (given[2] ? in[13:2] : 12'bx),
        .out_valid      (got[0:0]),
        .out_set        (got[5:1]),
        .out_part       (got[9:6]),
        .out_rest       (got[21:10])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, addr_hash_bench);
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
            if (|wrong[0:0] !== 1'b0) $display("out_valid: %h instead of %h", got[0:0], want[0:0]);
            if (|wrong[5:1] !== 1'b0) $display("out_set: %h instead of %h", got[5:1], want[5:1]);
            if (|wrong[9:6] !== 1'b0) $display("out_part: %h instead of %h", got[9:6], want[9:6]);
            if (|wrong[21:10] !== 1'b0) $display("out_rest: %h instead of %h", got[21:10], want[21:10]);
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
