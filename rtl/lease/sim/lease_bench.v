// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of lease: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module lease_bench #(
    parameter VECTORS = "lease.vec"
);
    reg          clk;
    reg  [23:0] in, next_in;
    reg  [7:0] given, next_given;
    reg  [58:0] want, next_want;
    reg  [8:0] cmp, next_cmp;
    wire [58:0] got;
    wire [58:0] mask;
    wire [58:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[0:0] = {1{cmp[0]}};
    assign mask[2:1] = {2{cmp[1]}};
    assign mask[12:3] = {10{cmp[2]}};
    assign mask[13:13] = {1{cmp[3]}};
    assign mask[15:14] = {2{cmp[4]}};
    assign mask[18:16] = {3{cmp[5]}};
    assign mask[30:19] = {12{cmp[6]}};
    assign mask[42:31] = {12{cmp[7]}};
    assign mask[58:43] = {16{cmp[8]}};

    lease #(
        .LANES(2), .ENTRIES(3), .BLOCK_W(4), .COUNT_W(4), .PAGES(4), .GROUPS(3), .DUTY(30), .PERIOD(121), .LIFE_W(10), .WEIGHT(1)
    ) dut (
        .clk            (clk),
        .rst            (given[0] ? in[0:0] : 1'bx),
        .quota_valid    (given[1] ? in[1:1] : 1'bx),
        .quota_group    (given[2] ? in[3:2] : 2'bx),
        .quota          (given[3] ? in[5:4] : 2'bx),
        .acc_valid      (given[4] ? in[7:6] : 2'bx),
        .acc_block      (given[5] ? in[15:8] : 8'bx),
        .acc_page       (given[6] ? in[19:16] : 4'bx),
        .acc_group      (given[7] ? in[23:20] : 4'bx),
        .upd_valid      (got[0:0]),
        .upd_group      (got[2:1]),
        .upd_lease      (got[12:3]),
        .duty           (got[13:13]),
        .st_phase       (got[15:14]),
        .st_used        (got[18:16]),
        .st_count       (got[30:19]),
        .st_pages       (got[42:31]),
        .st_missed      (got[58:43])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, lease_bench);
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
            if (|wrong[0:0] !== 1'b0) $display("upd_valid: %h instead of %h", got[0:0], want[0:0]);
            if (|wrong[2:1] !== 1'b0) $display("upd_group: %h instead of %h", got[2:1], want[2:1]);
            if (|wrong[12:3] !== 1'b0) $display("upd_lease: %h instead of %h", got[12:3], want[12:3]);
            if (|wrong[13:13] !== 1'b0) $display("duty: %h instead of %h", got[13:13], want[13:13]);
            if (|wrong[15:14] !== 1'b0) $display("st_phase: %h instead of %h", got[15:14], want[15:14]);
            if (|wrong[18:16] !== 1'b0) $display("st_used: %h instead of %h", got[18:16], want[18:16]);
            if (|wrong[30:19] !== 1'b0) $display("st_count: %h instead of %h", got[30:19], want[30:19]);
            if (|wrong[42:31] !== 1'b0) $display("st_pages: %h instead of %h", got[42:31], want[42:31]);
            if (|wrong[58:43] !== 1'b0) $display("st_missed: %h instead of %h", got[58:43], want[58:43]);
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
