// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of cart: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module cart_bench #(
    parameter VECTORS = "cart.vec"
);
    reg          clk;
    reg  [47:0] in, next_in;
    reg  [4:0] given, next_given;
    reg  [82:0] want, next_want;
    reg  [7:0] cmp, next_cmp;
    wire [82:0] got;
    wire [82:0] mask;
    wire [82:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[0:0] = {1{cmp[0]}};
    assign mask[2:1] = {2{cmp[1]}};
    assign mask[3:3] = {1{cmp[2]}};
    assign mask[24:4] = {21{cmp[3]}};
    assign mask[48:25] = {24{cmp[4]}};
    assign mask[51:49] = {3{cmp[5]}};
    assign mask[69:52] = {18{cmp[6]}};
    assign mask[82:70] = {13{cmp[7]}};

    cart #(
        .ADDR_W(21), .ID_W(24), .DEPTH(2), .BANKS(4), .BANK_MASK(6), .COL_MASK(57), .ROWS(2), .COLS(2), .POLICY(0), .AGE_LIMIT(0), .FILL(0), .COL_DROP(0), .HOLD(1)
    ) dut (
        .clk            (clk),
        .rst            (given[0] ? in[0:0] : 1'bx),
        .fill_valid     (given[1] ? in[1:1] : 1'bx),
        .fill_addr      (given[2] ? in[22:2] : 21'bx),
        .fill_id        (given[3] ? in[46:23] : 24'bx),
        .fill_ready     (got[0:0]),
        .fill_refuse    (got[2:1]),
        .drain_valid    (got[3:3]),
        .drain_addr     (got[24:4]),
        .drain_id       (got[48:25]),
        .drain_why      (got[51:49]),
        .drain_ready    (given[4] ? in[47:47] : 1'bx),
        .st_requests    (got[69:52]),
        .st_queues      (got[82:70])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, cart_bench);
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
            if (|wrong[0:0] !== 1'b0) $display("fill_ready: %h instead of %h", got[0:0], want[0:0]);
            if (|wrong[2:1] !== 1'b0) $display("fill_refuse: %h instead of %h", got[2:1], want[2:1]);
            if (|wrong[3:3] !== 1'b0) $display("drain_valid: %h instead of %h", got[3:3], want[3:3]);
            if (|wrong[24:4] !== 1'b0) $display("drain_addr: %h instead of %h", got[24:4], want[24:4]);
            if (|wrong[48:25] !== 1'b0) $display("drain_id: %h instead of %h", got[48:25], want[48:25]);
            if (|wrong[51:49] !== 1'b0) $display("drain_why: %h instead of %h", got[51:49], want[51:49]);
            if (|wrong[69:52] !== 1'b0) $display("st_requests: %h instead of %h", got[69:52], want[69:52]);
            if (|wrong[82:70] !== 1'b0) $display("st_queues: %h instead of %h", got[82:70], want[82:70]);
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
