// SPDX-License-Identifier: Apache-2.0
// Self-checking bench of cache_example: applies recorded inputs and compares each output that means something, every cycle, in four states.
// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others
// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with "PASS", or with $fatal at the first difference. +wave=FILE writes waves.
// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator.
`default_nettype none

module cache_example_bench #(
    parameter VECTORS = "cache_example.vec"
);
    reg          clk;
    reg  [171:0] in, next_in;
    reg  [17:0] given, next_given;
    reg  [232:0] want, next_want;
    reg  [26:0] cmp, next_cmp;
    wire [232:0] got;
    wire [232:0] mask;
    wire [232:0] wrong = (got ^ want) & mask;
    reg  [8*1024-1:0] vectors, wave;  // names of files
    integer      file, read, cycle;

    assign mask[0:0] = {1{cmp[0]}};
    assign mask[1:1] = {1{cmp[1]}};
    assign mask[5:2] = {4{cmp[2]}};
    assign mask[6:6] = {1{cmp[3]}};
    assign mask[7:7] = {1{cmp[4]}};
    assign mask[71:8] = {64{cmp[5]}};
    assign mask[72:72] = {1{cmp[6]}};
    assign mask[74:73] = {2{cmp[7]}};
    assign mask[90:75] = {16{cmp[8]}};
    assign mask[98:91] = {8{cmp[9]}};
    assign mask[101:99] = {3{cmp[10]}};
    assign mask[103:102] = {2{cmp[11]}};
    assign mask[104:104] = {1{cmp[12]}};
    assign mask[105:105] = {1{cmp[13]}};
    assign mask[121:106] = {16{cmp[14]}};
    assign mask[129:122] = {8{cmp[15]}};
    assign mask[132:130] = {3{cmp[16]}};
    assign mask[134:133] = {2{cmp[17]}};
    assign mask[135:135] = {1{cmp[18]}};
    assign mask[199:136] = {64{cmp[19]}};
    assign mask[207:200] = {8{cmp[20]}};
    assign mask[208:208] = {1{cmp[21]}};
    assign mask[209:209] = {1{cmp[22]}};
    assign mask[210:210] = {1{cmp[23]}};
    assign mask[226:211] = {16{cmp[24]}};
    assign mask[228:227] = {2{cmp[25]}};
    assign mask[232:229] = {4{cmp[26]}};

    cache_example #(
        .LINE_BYTES(32), .SETS(4), .WAYS(2), .DATA_W(64), .ADDR_W(16), .ID_W(4), .MSHR_SETS(4), .MSHR_SLOTS(2), .EVICTS(2)
    ) dut (
        .clk            (clk),
        .rst            (given[0] ? in[0:0] : 1'bx),
        .req_valid      (given[1] ? in[1:1] : 1'bx),
        .req_ready      (got[0:0]),
        .req_addr       (given[2] ? in[17:2] : 16'bx),
        .req_write      (given[3] ? in[18:18] : 1'bx),
        .req_id         (given[4] ? in[22:19] : 4'bx),
        .req_data       (given[5] ? in[86:23] : 64'bx),
        .req_mask       (given[6] ? in[94:87] : 8'bx),
        .rsp_valid      (got[1:1]),
        .rsp_ready      (given[7] ? in[95:95] : 1'bx),
        .rsp_id         (got[5:2]),
        .rsp_write      (got[6:6]),
        .rsp_err        (got[7:7]),
        .rsp_data       (got[71:8]),
        .m_arvalid      (got[72:72]),
        .m_arready      (given[8] ? in[96:96] : 1'bx),
        .m_arid         (got[74:73]),
        .m_araddr       (got[90:75]),
        .m_arlen        (got[98:91]),
        .m_arsize       (got[101:99]),
        .m_arburst      (got[103:102]),
        .m_rvalid       (given[9] ? in[97:97] : 1'bx),
        .m_rready       (got[104:104]),
        .m_rid          (given[10] ? in[99:98] : 2'bx),
        .m_rdata        (given[11] ? in[163:100] : 64'bx),
        .m_rresp        (given[12] ? in[165:164] : 2'bx),
        .m_rlast        (given[13] ? in[166:166] : 1'bx),
        .m_awvalid      (got[105:105]),
        .m_awready      (given[14] ? in[167:167] : 1'bx),
        .m_awaddr       (got[121:106]),
        .m_awlen        (got[129:122]),
        .m_awsize       (got[132:130]),
        .m_awburst      (got[134:133]),
        .m_wvalid       (got[135:135]),
        .m_wready       (given[15] ? in[168:168] : 1'bx),
        .m_wdata        (got[199:136]),
        .m_wstrb        (got[207:200]),
        .m_wlast        (got[208:208]),
        .m_bvalid       (given[16] ? in[169:169] : 1'bx),
        .m_bready       (got[209:209]),
        .m_bresp        (given[17] ? in[171:170] : 2'bx),
        .fail           (got[210:210]),
        .fail_addr      (got[226:211]),
        .err            (got[228:227]),
        .st_wait        (got[232:229])
    );

    initial begin
        if ($value$plusargs("wave=%s", wave)) begin
            $dumpfile(wave);
            $dumpvars(0, cache_example_bench);
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
            if (|wrong[1:1] !== 1'b0) $display("rsp_valid: %h instead of %h", got[1:1], want[1:1]);
            if (|wrong[5:2] !== 1'b0) $display("rsp_id: %h instead of %h", got[5:2], want[5:2]);
            if (|wrong[6:6] !== 1'b0) $display("rsp_write: %h instead of %h", got[6:6], want[6:6]);
            if (|wrong[7:7] !== 1'b0) $display("rsp_err: %h instead of %h", got[7:7], want[7:7]);
            if (|wrong[71:8] !== 1'b0) $display("rsp_data: %h instead of %h", got[71:8], want[71:8]);
            if (|wrong[72:72] !== 1'b0) $display("m_arvalid: %h instead of %h", got[72:72], want[72:72]);
            if (|wrong[74:73] !== 1'b0) $display("m_arid: %h instead of %h", got[74:73], want[74:73]);
            if (|wrong[90:75] !== 1'b0) $display("m_araddr: %h instead of %h", got[90:75], want[90:75]);
            if (|wrong[98:91] !== 1'b0) $display("m_arlen: %h instead of %h", got[98:91], want[98:91]);
            if (|wrong[101:99] !== 1'b0) $display("m_arsize: %h instead of %h", got[101:99], want[101:99]);
            if (|wrong[103:102] !== 1'b0) $display("m_arburst: %h instead of %h", got[103:102], want[103:102]);
            if (|wrong[104:104] !== 1'b0) $display("m_rready: %h instead of %h", got[104:104], want[104:104]);
            if (|wrong[105:105] !== 1'b0) $display("m_awvalid: %h instead of %h", got[105:105], want[105:105]);
            if (|wrong[121:106] !== 1'b0) $display("m_awaddr: %h instead of %h", got[121:106], want[121:106]);
            if (|wrong[129:122] !== 1'b0) $display("m_awlen: %h instead of %h", got[129:122], want[129:122]);
            if (|wrong[132:130] !== 1'b0) $display("m_awsize: %h instead of %h", got[132:130], want[132:130]);
            if (|wrong[134:133] !== 1'b0) $display("m_awburst: %h instead of %h", got[134:133], want[134:133]);
            if (|wrong[135:135] !== 1'b0) $display("m_wvalid: %h instead of %h", got[135:135], want[135:135]);
            if (|wrong[199:136] !== 1'b0) $display("m_wdata: %h instead of %h", got[199:136], want[199:136]);
            if (|wrong[207:200] !== 1'b0) $display("m_wstrb: %h instead of %h", got[207:200], want[207:200]);
            if (|wrong[208:208] !== 1'b0) $display("m_wlast: %h instead of %h", got[208:208], want[208:208]);
            if (|wrong[209:209] !== 1'b0) $display("m_bready: %h instead of %h", got[209:209], want[209:209]);
            if (|wrong[210:210] !== 1'b0) $display("fail: %h instead of %h", got[210:210], want[210:210]);
            if (|wrong[226:211] !== 1'b0) $display("fail_addr: %h instead of %h", got[226:211], want[226:211]);
            if (|wrong[228:227] !== 1'b0) $display("err: %h instead of %h", got[228:227], want[228:227]);
            if (|wrong[232:229] !== 1'b0) $display("st_wait: %h instead of %h", got[232:229], want[232:229]);
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
