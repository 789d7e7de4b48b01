// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of dl_mshr: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module dl_mshr_bench #(
    parameter VECTORS = "dl_mshr.vec"
);
    reg          clk;
    reg  [65:0] in, next_in;
    reg  [12:0] given, next_given;
    reg  [85:0] want, next_want;
    reg  [15:0] cmp, next_cmp;
    wire [85:0] got;
    wire [85:0] mask;
    wire [85:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[0:0] = {1{cmp[0]}};
    assign mask[2:1] = {2{cmp[1]}};
    assign mask[3:3] = {1{cmp[2]}};
    assign mask[6:4] = {3{cmp[3]}};
    assign mask[7:7] = {1{cmp[4]}};
    assign mask[8:8] = {1{cmp[5]}};
    assign mask[9:9] = {1{cmp[6]}};
    assign mask[16:10] = {7{cmp[7]}};
    assign mask[24:17] = {8{cmp[8]}};
    assign mask[25:25] = {1{cmp[9]}};
    assign mask[41:26] = {16{cmp[10]}};
    assign mask[43:42] = {2{cmp[11]}};
    assign mask[45:44] = {2{cmp[12]}};
    assign mask[49:46] = {4{cmp[13]}};
    assign mask[53:50] = {4{cmp[14]}};
    assign mask[85:54] = {32{cmp[15]}};

    dl_mshr #(
        .SETS(8), .SLOTS(2), .ADDR_W(12), .OFF_W(7), .ID_W(8), .DATA_W(16), .RESERVED_HEADS(4), .TAIL(2), .GATE(1), .EARLY_FREE(0), .HEADS(8), .LOOKUP(1)
    ) dut (
        .clk            (clk),
        .rst            (given[0] ? in[0:0] : 1'bx),
        .look           (given[1] ? in[1:1] : 1'bx),
        .look_addr      (given[2] ? in[13:2] : 12'bx),
        .req_valid      (given[3] ? in[14:14] : 1'bx),
        .req_addr       (given[4] ? in[26:15] : 12'bx),
        .req_off        (given[5] ? in[33:27] : 7'bx),
        .req_id         (given[6] ? in[41:34] : 8'bx),
        .req_write      (given[7] ? in[42:42] : 1'bx),
        .req_data       (given[8] ? in[58:43] : 16'bx),
        .req_mask       (given[9] ? in[60:59] : 2'bx),
        .req_ready      (got[0:0]),
        .req_refuse     (got[2:1]),
        .req_primary    (got[3:3]),
        .req_head       (got[6:4]),
        .ret_valid      (given[10] ? in[61:61] : 1'bx),
        .ret_head       (given[11] ? in[64:62] : 3'bx),
        .ret_ready      (got[7:7]),
        .rsp_valid      (got[8:8]),
        .rsp_ready      (given[12] ? in[65:65] : 1'bx),
        .rsp_last       (got[9:9]),
        .rsp_off        (got[16:10]),
        .rsp_id         (got[24:17]),
        .rsp_write      (got[25:25]),
        .rsp_data       (got[41:26]),
        .rsp_mask       (got[43:42]),
        .err            (got[45:44]),
        .st_free_heads  (got[49:46]),
        .st_free_shared (got[53:50]),
        .st_state       (got[85:54])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, dl_mshr_bench);
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
            if (|wrong[0:0] !== 1'b0) $display("req_ready: %h instead of %h", got[0:0], want[0:0]);
            if (|wrong[2:1] !== 1'b0) $display("req_refuse: %h instead of %h", got[2:1], want[2:1]);
            if (|wrong[3:3] !== 1'b0) $display("req_primary: %h instead of %h", got[3:3], want[3:3]);
            if (|wrong[6:4] !== 1'b0) $display("req_head: %h instead of %h", got[6:4], want[6:4]);
            if (|wrong[7:7] !== 1'b0) $display("ret_ready: %h instead of %h", got[7:7], want[7:7]);
            if (|wrong[8:8] !== 1'b0) $display("rsp_valid: %h instead of %h", got[8:8], want[8:8]);
            if (|wrong[9:9] !== 1'b0) $display("rsp_last: %h instead of %h", got[9:9], want[9:9]);
            if (|wrong[16:10] !== 1'b0) $display("rsp_off: %h instead of %h", got[16:10], want[16:10]);
            if (|wrong[24:17] !== 1'b0) $display("rsp_id: %h instead of %h", got[24:17], want[24:17]);
            if (|wrong[25:25] !== 1'b0) $display("rsp_write: %h instead of %h", got[25:25], want[25:25]);
            if (|wrong[41:26] !== 1'b0) $display("rsp_data: %h instead of %h", got[41:26], want[41:26]);
            if (|wrong[43:42] !== 1'b0) $display("rsp_mask: %h instead of %h", got[43:42], want[43:42]);
            if (|wrong[45:44] !== 1'b0) $display("err: %h instead of %h", got[45:44], want[45:44]);
            if (|wrong[49:46] !== 1'b0) $display("st_free_heads: %h instead of %h", got[49:46], want[49:46]);
            if (|wrong[53:50] !== 1'b0) $display("st_free_shared: %h instead of %h", got[53:50], want[53:50]);
            if (|wrong[85:54] !== 1'b0) $display("st_state: %h instead of %h", got[85:54], want[85:54]);
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
