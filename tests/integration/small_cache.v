// SPDX-License-Identifier: Apache-2.0
// Bench of docs/examples/small_cache.v: random loads and stores, a memory that answers in any order, random back-pressure
// at both ends. Every load gets one response, with the word of the last store before it, and those for one line are in
// order. Requests join drains and are looked up again; the MSHR refuses none otherwise. At the end, the memory has every
// store. Ends with PASS and counts.
`default_nettype none

module small_cache_bench #(
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
    reg               in_write = 1'b0;
    reg  [31:0]       in_word = 32'd0;
    wire              out_valid;
    reg               out_ready = 1'b0;
    wire [7:0]        out_id;
    wire [31:0]       out_word;
    wire              mem_valid;
    reg               mem_ready = 1'b0;
    wire [9:0]        mem_addr;
    wire [HEAD_W-1:0] mem_head;
    wire              mem_write;
    wire [1:0]        mem_off;
    wire [31:0]       mem_word;
    reg               ret_valid = 1'b0;
    wire              ret_ready;
    reg  [HEAD_W-1:0] ret_head = 0;
    reg  [127:0]      ret_line = 128'd0;
    wire              err;

    wire              empty;
    small_cache #(.SLOTS(SLOTS)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_addr(in_addr), .in_off(in_off), .in_id(in_id),
        .in_write(in_write), .in_word(in_word),
        .out_valid(out_valid), .out_ready(out_ready), .out_id(out_id), .out_word(out_word),
        .mem_valid(mem_valid), .mem_ready(mem_ready), .mem_addr(mem_addr), .mem_head(mem_head),
        .mem_write(mem_write), .mem_off(mem_off), .mem_word(mem_word),
        .ret_valid(ret_valid), .ret_ready(ret_ready), .ret_head(ret_head), .ret_line(ret_line),
        .empty(empty), .err(err)
    );

    reg [31:0]  latest[0:4095];   // words, {line, offset}, with every store that has entered the cache
    reg [31:0]  memory[0:4095];   // words, with every store that has reached the memory
    reg         open[0:255];      // an ID that waits for its response
    reg [31:0]  want[0:255];
    reg [9:0]   line[0:255];      // its line, and the number of requests before it
    integer     age[0:255];
    reg         wanted[0:15];     // lines in flight, by head
    reg [127:0] wanted_line[0:15];
    integer     asked, answered, stored, stored_hit, fetched, again, joined, cycles, i, start, seed;
    reg         taken, picked;

    task fail(input integer why);
        begin
            $display("FAIL %0d in cycle %0d", why, cycles);
            $finish_and_return(1);
        end
    endtask

    initial begin
        for (i = 0; i < 256; i = i + 1) open[i] = 1'b0;
        for (i = 0; i < 4096; i = i + 1) begin
            memory[i] = {i[11:0], 20'h5a5a5} * 32'h9e3779b1;
            latest[i] = memory[i];
        end
        for (i = 0; i < 16; i = i + 1) wanted[i] = 1'b0;
        asked = 0; answered = 0; stored = 0; stored_hit = 0; fetched = 0; again = 0; joined = 0; cycles = 0;
        seed = SEED;
        taken = 1'b1;
        #1 clk = 1'b1; #1 clk = 1'b0; rst = 1'b0;
        while ((answered < REQUESTS || dut.valid || mem_valid) && cycles < 8 * REQUESTS) begin
            // inputs of this cycle: a request that was not accepted is held
            if (taken) begin
                in_valid = asked < REQUESTS && $random(seed) % 4 != 0;
                in_addr = $random(seed) & ((1 << SPREAD) - 1);
                in_off = $random(seed);
                in_id = $random(seed);
                in_write = $random(seed) % 4 == 0;
                in_word = $random(seed);
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
                        ret_line = wanted_line[ret_head];
                    end
            end
            #1;
            // effects at the end of the cycle
            if (err !== 1'b0) fail(1);
            again = again + dut.again;
            joined = joined + (dut.u_mshr.late && dut.req_valid && dut.req_ready);
            if (^{in_ready, out_valid, mem_valid, ret_ready} === 1'bx) fail(2);
            taken = !in_valid || in_ready;
            if (dut.req_valid && !dut.req_ready && !dut.stale) fail(9);
            stored_hit = stored_hit + dut.store_hit;
            if (in_valid && in_ready && in_write) begin
                latest[{in_addr, in_off}] = in_word;
                stored = stored + 1;
            end else if (in_valid && in_ready) begin
                open[in_id] = 1'b1;
                want[in_id] = latest[{in_addr, in_off}];
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
            if (mem_valid && mem_ready && mem_write) memory[{mem_addr, mem_off}] = mem_word;
            else if (mem_valid && mem_ready) begin
                if (wanted[mem_head]) fail(5);
                wanted[mem_head] = 1'b1;
                wanted_line[mem_head] = {memory[{mem_addr, 2'd3}], memory[{mem_addr, 2'd2}],
                                         memory[{mem_addr, 2'd1}], memory[{mem_addr, 2'd0}]};
                fetched = fetched + 1;
            end
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            if (picked) ret_valid = 1'b0;
            cycles = cycles + 1;
        end
        if (answered != REQUESTS) fail(6);
        if (!empty) fail(7);
        for (i = 0; i < 4096; i = i + 1) if (memory[i] !== latest[i]) fail(10);
        $display("PASS %0d loads, %0d stores, %0d of them hits, %0d lines fetched, %0d joined a drain, %0d looked up again, %0d cycles",
                 answered, stored, stored_hit, fetched, joined, again, cycles);
        $finish;
    end
endmodule

`default_nettype wire
