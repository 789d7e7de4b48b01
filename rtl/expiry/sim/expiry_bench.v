// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of expiry: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module expiry_bench #(
    parameter VECTORS = "expiry.vec"
);
    reg          clk;
    reg  [12:0] in, next_in;
    reg  [7:0] given, next_given;
    reg  [20:0] want, next_want;
    reg  [11:0] cmp, next_cmp;
    wire [20:0] got;
    wire [20:0] mask;
    wire [20:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[0:0] = {1{cmp[0]}};
    assign mask[1:1] = {1{cmp[1]}};
    assign mask[2:2] = {1{cmp[2]}};
    assign mask[5:3] = {3{cmp[3]}};
    assign mask[9:6] = {4{cmp[4]}};
    assign mask[11:10] = {2{cmp[5]}};
    assign mask[12:12] = {1{cmp[6]}};
    assign mask[15:13] = {3{cmp[7]}};
    assign mask[16:16] = {1{cmp[8]}};
    assign mask[17:17] = {1{cmp[9]}};
    assign mask[18:18] = {1{cmp[10]}};
    assign mask[20:19] = {2{cmp[11]}};

    expiry #(
        .ENTRIES(4), .BLOCK_W(3), .PAGES(4), .TAKE(2)
    ) dut (
        .clk            (clk),
        .rst            (given[0] ? in[0:0] : 1'bx),
        .exp_valid      (given[1] ? in[1:1] : 1'bx),
        .exp_block      (given[2] ? in[4:2] : 3'bx),
        .exp_page       (given[3] ? in[6:5] : 2'bx),
        .exp_ready      (got[0:0]),
        .rec_valid      (given[4] ? in[7:7] : 1'bx),
        .rec_block      (given[5] ? in[10:8] : 3'bx),
        .rec_ready      (got[1:1]),
        .take           (given[6] ? in[11:11] : 1'bx),
        .out_valid      (got[2:2]),
        .out_block      (got[5:3]),
        .out_mask       (got[9:6]),
        .out_why        (got[11:10]),
        .out_last       (got[12:12]),
        .out_ready      (given[7] ? in[12:12] : 1'bx),
        .st_entries     (got[15:13]),
        .st_look        (got[16:16]),
        .st_found       (got[17:17]),
        .st_use         (got[18:18]),
        .st_way         (got[20:19])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, expiry_bench);
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
            if (|wrong[0:0] !== 1'b0) $display("exp_ready: %h instead of %h", got[0:0], want[0:0]);
            if (|wrong[1:1] !== 1'b0) $display("rec_ready: %h instead of %h", got[1:1], want[1:1]);
            if (|wrong[2:2] !== 1'b0) $display("out_valid: %h instead of %h", got[2:2], want[2:2]);
            if (|wrong[5:3] !== 1'b0) $display("out_block: %h instead of %h", got[5:3], want[5:3]);
            if (|wrong[9:6] !== 1'b0) $display("out_mask: %h instead of %h", got[9:6], want[9:6]);
            if (|wrong[11:10] !== 1'b0) $display("out_why: %h instead of %h", got[11:10], want[11:10]);
            if (|wrong[12:12] !== 1'b0) $display("out_last: %h instead of %h", got[12:12], want[12:12]);
            if (|wrong[15:13] !== 1'b0) $display("st_entries: %h instead of %h", got[15:13], want[15:13]);
            if (|wrong[16:16] !== 1'b0) $display("st_look: %h instead of %h", got[16:16], want[16:16]);
            if (|wrong[17:17] !== 1'b0) $display("st_found: %h instead of %h", got[17:17], want[17:17]);
            if (|wrong[18:18] !== 1'b0) $display("st_use: %h instead of %h", got[18:18], want[18:18]);
            if (|wrong[20:19] !== 1'b0) $display("st_way: %h instead of %h", got[20:19], want[20:19]);
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
