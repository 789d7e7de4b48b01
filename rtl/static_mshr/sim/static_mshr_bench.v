// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of static_mshr: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module static_mshr_bench #(
    parameter VECTORS = "static_mshr.vec"
);
    reg          clk;
    reg  [70:0] in, next_in;
    reg  [13:0] given, next_given;
    reg  [102:0] want, next_want;
    reg  [19:0] cmp, next_cmp;
    wire [102:0] got;
    wire [102:0] mask;
    wire [102:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[0:0] = {1{cmp[0]}};
    assign mask[2:1] = {2{cmp[1]}};
    assign mask[3:3] = {1{cmp[2]}};
    assign mask[6:4] = {3{cmp[3]}};
    assign mask[11:7] = {5{cmp[4]}};
    assign mask[12:12] = {1{cmp[5]}};
    assign mask[13:13] = {1{cmp[6]}};
    assign mask[14:14] = {1{cmp[7]}};
    assign mask[21:15] = {7{cmp[8]}};
    assign mask[29:22] = {8{cmp[9]}};
    assign mask[30:30] = {1{cmp[10]}};
    assign mask[46:31] = {16{cmp[11]}};
    assign mask[48:47] = {2{cmp[12]}};
    assign mask[53:49] = {5{cmp[13]}};
    assign mask[58:54] = {5{cmp[14]}};
    assign mask[70:59] = {12{cmp[15]}};
    assign mask[72:71] = {2{cmp[16]}};
    assign mask[75:73] = {3{cmp[17]}};
    assign mask[78:76] = {3{cmp[18]}};
    assign mask[102:79] = {24{cmp[19]}};

    static_mshr #(
        .ENTRIES(6), .SLOTS(3), .ADDR_W(12), .OFF_W(7), .ID_W(8), .DATA_W(16), .PAYLOAD_W(5), .ADDR_OUT(1), .LOOKUP(1)
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
        .req_payload    (given[10] ? in[65:61] : 5'bx),
        .req_ready      (got[0:0]),
        .req_refuse     (got[2:1]),
        .req_primary    (got[3:3]),
        .req_head       (got[6:4]),
        .req_slot       (got[11:7]),
        .ret_valid      (given[11] ? in[66:66] : 1'bx),
        .ret_head       (given[12] ? in[69:67] : 3'bx),
        .ret_ready      (got[12:12]),
        .rsp_valid      (got[13:13]),
        .rsp_ready      (given[13] ? in[70:70] : 1'bx),
        .rsp_last       (got[14:14]),
        .rsp_off        (got[21:15]),
        .rsp_id         (got[29:22]),
        .rsp_write      (got[30:30]),
        .rsp_data       (got[46:31]),
        .rsp_mask       (got[48:47]),
        .rsp_payload    (got[53:49]),
        .rsp_slot       (got[58:54]),
        .rsp_addr       (got[70:59]),
        .err            (got[72:71]),
        .st_free_heads  (got[75:73]),
        .st_free_shared (got[78:76]),
        .st_state       (got[102:79])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, static_mshr_bench);
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
            if (|wrong[11:7] !== 1'b0) $display("req_slot: %h instead of %h", got[11:7], want[11:7]);
            if (|wrong[12:12] !== 1'b0) $display("ret_ready: %h instead of %h", got[12:12], want[12:12]);
            if (|wrong[13:13] !== 1'b0) $display("rsp_valid: %h instead of %h", got[13:13], want[13:13]);
            if (|wrong[14:14] !== 1'b0) $display("rsp_last: %h instead of %h", got[14:14], want[14:14]);
            if (|wrong[21:15] !== 1'b0) $display("rsp_off: %h instead of %h", got[21:15], want[21:15]);
            if (|wrong[29:22] !== 1'b0) $display("rsp_id: %h instead of %h", got[29:22], want[29:22]);
            if (|wrong[30:30] !== 1'b0) $display("rsp_write: %h instead of %h", got[30:30], want[30:30]);
            if (|wrong[46:31] !== 1'b0) $display("rsp_data: %h instead of %h", got[46:31], want[46:31]);
            if (|wrong[48:47] !== 1'b0) $display("rsp_mask: %h instead of %h", got[48:47], want[48:47]);
            if (|wrong[53:49] !== 1'b0) $display("rsp_payload: %h instead of %h", got[53:49], want[53:49]);
            if (|wrong[58:54] !== 1'b0) $display("rsp_slot: %h instead of %h", got[58:54], want[58:54]);
            if (|wrong[70:59] !== 1'b0) $display("rsp_addr: %h instead of %h", got[70:59], want[70:59]);
            if (|wrong[72:71] !== 1'b0) $display("err: %h instead of %h", got[72:71], want[72:71]);
            if (|wrong[75:73] !== 1'b0) $display("st_free_heads: %h instead of %h", got[75:73], want[75:73]);
            if (|wrong[78:76] !== 1'b0) $display("st_free_shared: %h instead of %h", got[78:76], want[78:76]);
            if (|wrong[102:79] !== 1'b0) $display("st_state: %h instead of %h", got[102:79], want[102:79]);
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
