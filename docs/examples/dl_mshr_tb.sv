// SPDX-License-Identifier: Apache-2.0
// A test bench of dl_mshr to copy: random requests, a memory that replies in any order, a scoreboard. The block is wrapped in its interface (rtl/sv/dl_mshr_sv.sv), and
// its port assertions are bound to it (rtl/sv/dl_mshr_bind.sv). docs/use/systemverilog.md has the command.
//   +requests=N  number of requests (default 20000)      +seed=S  seed of the random values (default 1)
// It ends with PASS and the count of each situation, or with $fatal after a wrong response, a missing response, or a situation that did not occur.
module dl_mshr_tb #(
    parameter int SETS = 8,
    parameter int HEADS = SETS * 5 / 8,
    parameter int SLOTS = 2,
    parameter int ADDR_W = 10,
    parameter int OFF_W = 5,
    parameter int ID_W = 16,
    parameter int DATA_W = 32
);
    logic clk = 1'b0;
    logic rst = 1'b1;
    always #5 clk = !clk;

    typedef logic [$clog2(SETS)-1:0] head_t;
    typedef struct packed {  // payload of a request
        logic [OFF_W-1:0]    off;
        logic [ID_W-1:0]     id;
        logic                write;
        logic [DATA_W-1:0]   data;
        logic [DATA_W/8-1:0] mask;
    } request_t;
    localparam int PAYLOAD_W = $bits(request_t);

    dl_mshr_if #(.SETS(SETS), .SLOTS(SLOTS), .ADDR_W(ADDR_W), .PAYLOAD_W(PAYLOAD_W)) bus (.clk, .rst);
    dl_mshr_sv #(.SETS(SETS), .HEADS(HEADS), .SLOTS(SLOTS), .ADDR_W(ADDR_W), .PAYLOAD_W(PAYLOAD_W)) dut (.bus);

    // ---- random values. Verilator 5.006 does not solve a `constraint`, so each distribution is a function.
    int unsigned busy_requests, busy_responses, busy_memory;  // percentage of cycles, redrawn every 500 cycles
    function automatic logic chance(input int unsigned percent);
        return $urandom_range(99) < percent;
    endfunction
    function automatic int unsigned pace();
        case ($urandom_range(3))
            0: return 100;
            1: return 5;
            default: return $urandom_range(95, 20);
        endcase
    endfunction
    // half of the requests go to four lines, so that they merge, the others to 64
    function automatic logic [ADDR_W-1:0] random_address();
        return ADDR_W'(chance(50) ? $urandom_range(3) : $urandom_range(63));
    endfunction

    function automatic request_t random_request();
        request_t r;
        r.off   = OFF_W'($urandom);
        r.id    = ID_W'($urandom);
        r.write = chance(30);
        r.data  = DATA_W'($urandom);
        r.mask  = (DATA_W / 8)'($urandom);
        return r;
    endfunction

    // ---- scoreboard
    request_t          waiting[SETS][$];  // requests of each head, in order of arrival
    logic [ADDR_W-1:0] address[SETS];
    logic              open[SETS];        // the head is in use and its line has not arrived
    request_t          drain[$];          // requests of the line that drains
    logic              late, stale;       // the line of the last lookup drains; its drain has ended
    int                accepted, answered;

    function automatic void fail(input string what);
        $fatal(1, "FAIL after %0d requests, %0d responses: %s", accepted, answered, what);
    endfunction
    // returns the head that waits for an address, or -1
    function automatic int owner(input logic [ADDR_W-1:0] addr);
        for (int h = 0; h < SETS; h++) if (open[h] && address[h] == addr) return h;
        return -1;
    endfunction
    function automatic void take_request();
        int       h = owner(req_addr);
        request_t r = bus.req_payload;
        if (stale) fail("a request is accepted after the drain of its line, without another lookup");
        if (bus.req_primary != (h < 0 && !late)) fail("primary or merged, and should not be");
        accepted++;
        if (late) begin
            drain.push_back(r);
            return;
        end
        if (h < 0) begin
            h = 32'(bus.req_head);
            if (open[h] || waiting[h].size() != 0) fail("a head that is in use is given");
            open[h]    = 1'b1;
            address[h] = req_addr;
            to_memory(head_t'(h));
        end
        waiting[h].push_back(r);
    endfunction
    function automatic void take_return();
        int h = 32'(bus.ret_head);
        if (drain.size() != 0) fail("a line is taken while another one drains");
        drain = waiting[h];
        waiting[h].delete();
        open[h] = 1'b0;
        late    = (bus.look ? bus.look_addr : req_addr) == address[h];
    endfunction
    function automatic void take_response();
        request_t r;
        if (drain.size() == 0) fail("a response, and nothing drains");
        r = drain.pop_front();
        if (bus.rsp_payload != r) fail("a response in wrong order, or a wrong payload");
        if (bus.rsp_last != (drain.size() == 0)) fail("rsp_last");
        answered++;
        if (bus.rsp_last) begin
            stale = late;
            late  = 1'b0;
        end
    endfunction

    // ---- memory: returns the lines that are due in random order
    head_t fetches[$];
    int    due[$];
    int    cycle;
    function automatic void to_memory(input head_t head);
        fetches.push_back(head);
        due.push_back(cycle + int'($urandom_range(40, 1)));
    endfunction
    // returns the index of a fetch that is due, or -1
    function automatic int ready_fetch();
        int first = int'($urandom_range(SETS - 1));
        for (int i = 0; i < fetches.size(); i++) begin
            int j = (first + i) % fetches.size();
            if (due[j] <= cycle) return j;
        end
        return -1;
    endfunction

    // ---- situations that must occur
    typedef enum {PRIMARY, MERGED, ENTRY_FULL, MERGE_FULL, MERGED_WITH_RET, MERGED_LATE, STALE, RET_WITH_LAST, BACK_PRESSURE, MET} met_t;
    int met[MET];
    function automatic void note();
        logic request = bus.req_valid && bus.req_ready;
        logic ret = bus.ret_valid && bus.ret_ready;
        met[PRIMARY]         += int'(request && bus.req_primary);
        met[MERGED]          += int'(request && !bus.req_primary);
        met[ENTRY_FULL]      += int'(bus.req_valid && bus.req_refuse == 2'd1);
        met[MERGE_FULL]      += int'(bus.req_valid && bus.req_refuse == 2'd2);
        met[MERGED_WITH_RET] += int'(request && ret && !bus.req_primary && address[bus.ret_head] == req_addr);
        met[MERGED_LATE]     += int'(request && late);
        met[STALE]           += int'(bus.req_valid && bus.req_refuse == 2'd3);
        met[RET_WITH_LAST]   += int'(ret && bus.rsp_valid && bus.rsp_last);
        met[BACK_PRESSURE]   += int'(bus.rsp_valid && !bus.rsp_ready);
    endfunction

    // ---- stimulus: a request that is not accepted stays or is withdrawn; a RET stays. The address of the next request is looked up in the
    // cycle in which the current one is accepted or withdrawn, which allows one request per cycle. A request may come cycles after its lookup.
    // Refusal code 3 asks for another lookup.
    logic              withdraws = 1'b0;
    logic [ADDR_W-1:0] next_addr = '0;  // address of the next request
    logic [ADDR_W-1:0] req_addr;         // address of the last lookup
    int                pause;            // cycles until the next request
    wire               again = bus.req_valid && bus.req_refuse == 2'd3;
    wire               next = !again && (bus.req_valid ? bus.req_ready || withdraws : pause == 0);
    assign bus.look      = next || again;
    assign bus.look_addr = again ? req_addr : next_addr;
    int requests, seed, last_progress;
    task automatic drive(input logic more);
        int f, delay;
        logic wanted;
        if (cycle % 500 == 0) begin
            busy_requests  = pace();
            busy_responses = pace();
            busy_memory    = pace();
        end
        withdraws <= chance(20);
        if (pause != 0) begin
            pause         <= pause - 1;
            bus.req_valid <= pause == 1;
        end
        if (next) begin
            wanted = more && chance(busy_requests);
            delay  = wanted && chance(20) ? int'($urandom_range(12, 1)) : 0;
            pause         <= delay;
            next_addr     <= random_address();
            bus.req_valid <= wanted && delay == 0;
            req_addr      <= next_addr;
            bus.req_payload <= random_request();
        end
        if (!bus.ret_valid || bus.ret_ready) begin
            f = chance(busy_memory) ? ready_fetch() : -1;
            bus.ret_valid <= f >= 0;
            bus.ret_head  <= head_t'($urandom);  // ignored without ret_valid
            if (f >= 0) begin
                bus.ret_head <= fetches[f];
                fetches.delete(f);
                due.delete(f);
            end
        end
        bus.rsp_ready <= chance(busy_responses);
    endtask

    initial begin
        if (!$value$plusargs("requests=%d", requests)) requests = 20000;
        if (requests < 1) $fatal(1, "+requests must be a positive number");
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        void'($urandom(seed));
        foreach (open[h]) open[h] = 1'b0;
        bus.req_valid = 1'b0;
        bus.ret_valid = 1'b0;
        bus.rsp_ready = 1'b0;
        #25 rst = 1'b0;
    end
    always @(posedge clk) begin
        cycle <= cycle + 1;
        if (!rst) begin
            note();
            if (bus.req_valid && bus.req_ready) take_request();
            if (bus.rsp_valid && bus.rsp_ready) take_response();
            if (bus.look) begin
                late  = 1'b0;
                stale = 1'b0;
            end
            if (bus.ret_valid && bus.ret_ready) take_return();
            if (bus.err) fail("err");
            if (bus.rsp_valid && bus.rsp_ready || bus.req_valid && bus.req_ready) last_progress = cycle;
            if (cycle - last_progress > 5000) fail("nothing moves");
            if (accepted >= requests && answered == accepted) finish_test();
            drive(accepted < requests);
        end
    end
    function automatic void finish_test();
        for (met_t m = m.first(); m != MET; m = m.next()) begin
            $display("%-16s %0d", m.name(), met[m]);
            if (met[m] == 0) fail("a situation that was not met");
        end
        $display("PASS %0d requests, %0d cycles", accepted, cycle);
        $finish;
    endfunction
endmodule
