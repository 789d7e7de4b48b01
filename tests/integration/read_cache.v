// SPDX-License-Identifier: Apache-2.0
// Bench of docs/examples/read_cache.v: random requests, a memory that answers in any order, random back-pressure at
// both ends. Every request gets one response, with its word, and those for one line are in order. Requests join drains,
// also with the last response, and are looked up again. Ends with PASS and counts.
`default_nettype none

module read_cache_bench #(
    parameter REQUESTS = 20000,
    parameter SPREAD = 5,  // bits of the line numbers used
    parameter SLOTS = 2,
    parameter SEED = 1
);
    localparam HEAD_W = 4;
    reg               clk = 1'b0;
    reg               rst = 1'b1;
    reg               in_valid = 1'b0;
    wire              in_ready;
    reg  [9:0]        in_addr = 10'd0;
    reg  [1:0]        in_off = 2'd0;
    reg  [7:0]        in_id = 8'd0;
    wire              out_valid;
    reg               out_ready = 1'b0;
    wire [7:0]        out_id;
    wire [31:0]       out_word;
    wire              mem_valid;
    reg               mem_ready = 1'b0;
    wire [9:0]        mem_addr;
    wire [HEAD_W-1:0] mem_head;
    reg               ret_valid = 1'b0;
    wire              ret_ready;
    reg  [HEAD_W-1:0] ret_head = 0;
    reg  [127:0]      ret_line = 128'd0;
    wire              err;

    wire              empty;
    read_cache #(.SLOTS(SLOTS)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_addr(in_addr), .in_off(in_off), .in_id(in_id),
        .out_valid(out_valid), .out_ready(out_ready), .out_id(out_id), .out_word(out_word),
        .mem_valid(mem_valid), .mem_ready(mem_ready), .mem_addr(mem_addr), .mem_head(mem_head),
        .ret_valid(ret_valid), .ret_ready(ret_ready), .ret_head(ret_head), .ret_line(ret_line),
        .empty(empty), .err(err)
    );

    // word OFF of line ADDR
    function [31:0] word(input [9:0] addr, input [1:0] off);
        word = {addr, off, 20'h5a5a5} * 32'h9e3779b1;
    endfunction

    reg         open[0:255];      // an ID that waits for its response
    reg [31:0]  want[0:255];
    reg [9:0]   line[0:255];      // its line, and the number of requests before it
    integer     age[0:255];
    reg         wanted[0:15];     // lines in flight, by head
    reg [9:0]   wanted_addr[0:15];
    integer     asked, answered, fetched, again, joined, gaps, cycles, i, start, seed;
    reg         taken, picked;

    task fail(input integer why);
        begin
            $display("FAIL %0d in cycle %0d", why, cycles);
            $finish_and_return(1);
        end
    endtask

    initial begin
        for (i = 0; i < 256; i = i + 1) open[i] = 1'b0;
        for (i = 0; i < 16; i = i + 1) wanted[i] = 1'b0;
        asked = 0; answered = 0; fetched = 0; again = 0; joined = 0; gaps = 0; cycles = 0;
        seed = SEED;
        taken = 1'b1;
        #1 clk = 1'b1; #1 clk = 1'b0; rst = 1'b0;
        while (answered < REQUESTS && cycles < 8 * REQUESTS) begin
            // inputs of this cycle: a request that was not accepted is held
            if (taken) begin
                in_valid = asked < REQUESTS && $random(seed) % 4 != 0;
                in_addr = $random(seed) & ((1 << SPREAD) - 1);
                in_off = $random(seed);
                in_id = $random(seed);
                if (open[in_id]) in_valid = 1'b0;
            end
            out_ready = $random(seed) % 8 != 0;
            mem_ready = $random(seed) % 4 != 0;
            if (!ret_valid && $random(seed) % 4 == 0) begin
                start = $random(seed) & 15;
                picked = 1'b0;
                for (i = 0; i < 16; i = i + 1)
                    if (!picked && wanted[(start + i) & 15]) begin
                        picked = 1'b1;
                        ret_valid = 1'b1;
                        ret_head = (start + i) & 15;
                        ret_line = {word(wanted_addr[ret_head], 3), word(wanted_addr[ret_head], 2),
                                    word(wanted_addr[ret_head], 1), word(wanted_addr[ret_head], 0)};
                    end
            end
            #1;
            // effects at the end of the cycle
            if (err !== 1'b0) fail(1);
            again = again + dut.again;
            joined = joined + (dut.u_mshr.late && dut.req_valid && dut.req_ready);
            gaps = gaps + dut.u_mshr.u_drain.gap;
            if (^{in_ready, out_valid, mem_valid, ret_ready} === 1'bx) fail(2);
            taken = !in_valid || in_ready;
            if (in_valid && in_ready) begin
                open[in_id] = 1'b1;
                want[in_id] = word(in_addr, in_off);
                line[in_id] = in_addr;
                age[in_id] = asked;
                asked = asked + 1;
            end
            if (out_valid && out_ready) begin
                if (!open[out_id]) fail(3);
                if (out_word !== want[out_id]) fail(4);
                for (i = 0; i < 256; i = i + 1)
                    if (open[i] && line[i] == line[out_id] && age[i] < age[out_id]) fail(8);
                open[out_id] = 1'b0;
                answered = answered + 1;
            end
            picked = ret_valid && ret_ready;
            if (picked) wanted[ret_head] = 1'b0;
            if (mem_valid && mem_ready) begin
                if (wanted[mem_head]) fail(5);
                wanted[mem_head] = 1'b1;
                wanted_addr[mem_head] = mem_addr;
                fetched = fetched + 1;
            end
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            if (picked) ret_valid = 1'b0;
            cycles = cycles + 1;
        end
        if (answered != REQUESTS) fail(6);
        if (!empty) fail(7);
        $display("PASS %0d requests, %0d lines fetched, %0d joined a drain, %0d with its last response, %0d looked up again, %0d cycles",
                 answered, fetched, joined, gaps, again, cycles);
        $finish;
    end
endmodule

`default_nettype wire
