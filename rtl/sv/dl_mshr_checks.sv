// SPDX-License-Identifier: Apache-2.0
// Port assertions of dl_mshr: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/dl_mshr.rules.
module dl_mshr_checks #(
    // slot sets, 2..256
    parameter SETS = 64,
    // slots of a set, 1..64
    parameter SLOTS = 4,
    // bits of a block address, 1..48
    parameter ADDR_W = 25,
    // bits of the offset in a block, 1..16
    parameter OFF_W = 7,
    // bits of a requester id, 1..32
    parameter ID_W = 8,
    // bits of write data a slot, 0 for none, or a multiple of 8 up to 1024
    parameter DATA_W = 0,
    // bits of payload a slot, which leave as they came; 0 for none, up to 512
    parameter PAYLOAD_W = 0,
    // 1: rsp_addr is the block address of the response, 0: it is 0; 0, 1
    parameter ADDR_OUT = 0,
    // sets that have an address and can be heads, 2..SETS; below SETS the others can only be attached, and a lookup takes two cycles; SETS: the block of the paper
    parameter HEADS = SETS < 4 ? 2 : SETS * 5 / 8,
    // cycles of a lookup: 1, or with HEADS below SETS 2
    parameter LOOKUP = HEADS < SETS ? 2 : 1,
    // how the tail is found: 0 walk, 1 pointer in the head, 2 ring
    parameter TAIL = 2
) (
    input  logic clk,
    input  logic rst,
    input  logic look,
    input  logic [ADDR_W-1:0] look_addr,
    input  logic req_valid,
    input  logic [ADDR_W-1:0] req_addr,
    input  logic [OFF_W-1:0] req_off,
    input  logic [ID_W-1:0] req_id,
    input  logic req_write,
    input  logic [(DATA_W > 0 ? DATA_W : 1)-1:0] req_data,
    input  logic [(DATA_W >= 8 ? DATA_W/8 : 1)-1:0] req_mask,
    input  logic [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0] req_payload,
    input  logic req_ready,
    input  logic [1:0] req_refuse,
    input  logic req_primary,
    input  logic [$clog2(SETS)-1:0] req_head,
    input  logic [($clog2(SETS*SLOTS))-1:0] req_slot,
    input  logic ret_valid,
    input  logic [$clog2(SETS)-1:0] ret_head,
    input  logic ret_ready,
    input  logic rsp_valid,
    input  logic rsp_ready,
    input  logic rsp_last,
    input  logic [OFF_W-1:0] rsp_off,
    input  logic [ID_W-1:0] rsp_id,
    input  logic rsp_write,
    input  logic [(DATA_W > 0 ? DATA_W : 1)-1:0] rsp_data,
    input  logic [(DATA_W >= 8 ? DATA_W/8 : 1)-1:0] rsp_mask,
    input  logic [(PAYLOAD_W > 0 ? PAYLOAD_W : 1)-1:0] rsp_payload,
    input  logic [($clog2(SETS*SLOTS))-1:0] rsp_slot,
    input  logic [ADDR_W-1:0] rsp_addr,
    input  logic [1:0] err
);
    // From the first reset on, but in cycles of reset.
    logic seen_reset = 1'b0;
    always @(posedge clk) if (rst) seen_reset <= 1'b1;
    wire on = seen_reset && !rst;

    localparam IDS = SETS;
    localparam HEAD_W = $clog2(SETS);
    localparam MERGES = SETS * SLOTS;  // requests of one head, at most
    // What the ports have shown so far: the heads that were given and have not come back, with address and number of requests; what is left of the drain.
    localparam COUNT_W = $clog2(MERGES + 1);
    logic [IDS-1:0]           waiting;
    logic [ADDR_W-1:0]        address [IDS];
    logic [COUNT_W-1:0]       requests[IDS];
    logic [COUNT_W-1:0]       left;
    logic                     stopped;    // RET named no head that waits
    logic [ADDR_W-1:0]        looked;     // the address of the last lookup
    logic                     looked_up;  // since reset
    wire [ADDR_W-1:0]         sought = LOOKUP == 2 ? looked : req_addr;
    logic                     here;     // sought has a head that waits: owner
    logic [HEAD_W-1:0] owner;
    wire                      asked = req_valid && req_ready;
    wire                      returned = ret_valid && ret_ready;
    wire                      answered = rsp_valid && rsp_ready;
    wire                      ret_good = 32'(ret_head) < HEADS && waiting[ret_head];
    wire                      joins = asked && !req_primary && owner == ret_head;  // in the cycle of its RET
    always_comb begin
        here  = 1'b0;
        owner = '0;
        for (int i = 0; i < IDS; i++)
            if (waiting[i] && address[i] == sought) begin
                here  = 1'b1;
                owner = i[HEAD_W-1:0];
            end
    end
    always_ff @(posedge clk) begin
        if (look) looked <= look_addr;
        if (look) looked_up <= 1'b1;
        if (answered) left <= left - 1'b1;
        if (asked && !req_primary) requests[owner] <= requests[owner] + 1'b1;
        if (returned && ret_good) begin
            left              <= requests[ret_head] + COUNT_W'(joins);
            waiting[ret_head] <= 1'b0;
        end
        if (returned && !ret_good) stopped <= 1'b1;
        if (asked && req_primary && 32'(req_head) < HEADS) begin
            waiting[req_head]  <= 1'b1;
            address[req_head]  <= sought;
            requests[req_head] <= COUNT_W'(1);
        end
        if (rst) begin
            waiting   <= '0;
            left      <= '0;
            stopped   <= 1'b0;
            looked_up <= 1'b0;
        end
    end

    // One request is watched from its entry to its response, then another.
    // (Icarus takes $bits of a port for 0 here.)
    localparam WORD_W = 1 + OFF_W + ID_W;
    localparam DATA_PW = DATA_W > 0 ? DATA_W + DATA_W / 8 : 2;
    localparam PAYLOAD_PW = PAYLOAD_W > 0 ? PAYLOAD_W : 1;
    localparam SLOT_W = $clog2(IDS * SLOTS);
    logic                     watch, watch_drains;
    logic [HEAD_W-1:0] watch_head;
    logic [COUNT_W-1:0]       watch_before;  // requests of its head before it, then responses
    logic [WORD_W-1:0]        watch_word;
    logic [DATA_PW-1:0]       watch_data;
    logic [PAYLOAD_PW-1:0]    watch_payload;
    logic [SLOT_W-1:0]        watch_slot;
    logic [ADDR_W-1:0]        watch_addr;
    wire                      watch_now = rsp_valid && watch && watch_drains && watch_before == '0;
    always_ff @(posedge clk) begin
        if (watch && watch_drains && answered) begin
            watch_before <= watch_before - 1'b1;
            if (watch_before == '0) watch <= 1'b0;
        end
        if (watch && returned && ret_head == watch_head && !watch_drains) watch_drains <= 1'b1;
        if (asked && !watch) begin
            watch         <= 1'b1;
            watch_head    <= req_primary ? req_head : owner;
            watch_before  <= req_primary ? '0 : requests[owner];
            watch_drains  <= returned && joins;
            watch_word    <= {req_write, req_off, req_id};
            watch_data    <= {req_data, req_mask};
            watch_payload <= req_payload;
            watch_slot    <= req_slot;
            watch_addr    <= sought;
        end
        if (rst) watch <= 1'b0;
    end

    logic                     held;  // the response of the cycle before was not taken
    logic [WORD_W+PAYLOAD_PW+SLOT_W+ADDR_W:0] held_word;
    always_ff @(posedge clk) begin
        held      <= rsp_valid && !rsp_ready && !rst;
        held_word <= {rsp_last, rsp_write, rsp_off, rsp_id, rsp_payload, rsp_slot, rsp_addr};
    end


    // ---- what the user owes the block
    owed_known_look:
        assert property (@(posedge clk) on |-> (!$isunknown(look)))
        else $error("dl_mshr: owed_known_look: look is known in every cycle");
    owed_known_look_addr:
        assert property (@(posedge clk) on && (look) |-> (!$isunknown(look_addr)))
        else $error("dl_mshr: owed_known_look_addr: look_addr is known where it means something");
    owed_known_req_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(req_valid)))
        else $error("dl_mshr: owed_known_req_valid: req_valid is known in every cycle");
    owed_known_req_addr:
        assert property (@(posedge clk) on && (req_valid) |-> (!$isunknown(req_addr)))
        else $error("dl_mshr: owed_known_req_addr: req_addr is known where it means something");
    owed_known_req_off:
        assert property (@(posedge clk) on && (req_valid) |-> (!$isunknown(req_off)))
        else $error("dl_mshr: owed_known_req_off: req_off is known where it means something");
    owed_known_req_id:
        assert property (@(posedge clk) on && (req_valid) |-> (!$isunknown(req_id)))
        else $error("dl_mshr: owed_known_req_id: req_id is known where it means something");
    owed_known_req_write:
        assert property (@(posedge clk) on && (req_valid) |-> (!$isunknown(req_write)))
        else $error("dl_mshr: owed_known_req_write: req_write is known where it means something");
    owed_known_req_data:
        assert property (@(posedge clk) on && (req_valid && req_write) |-> (!$isunknown(req_data)))
        else $error("dl_mshr: owed_known_req_data: req_data is known where it means something");
    owed_known_req_mask:
        assert property (@(posedge clk) on && (req_valid && req_write) |-> (!$isunknown(req_mask)))
        else $error("dl_mshr: owed_known_req_mask: req_mask is known where it means something");
    owed_known_req_payload:
        assert property (@(posedge clk) on && (req_valid) |-> (!$isunknown(req_payload)))
        else $error("dl_mshr: owed_known_req_payload: req_payload is known where it means something");
    owed_known_ret_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(ret_valid)))
        else $error("dl_mshr: owed_known_ret_valid: ret_valid is known in every cycle");
    owed_known_ret_head:
        assert property (@(posedge clk) on && (ret_valid) |-> (!$isunknown(ret_head)))
        else $error("dl_mshr: owed_known_ret_head: ret_head is known where it means something");
    owed_known_rsp_ready:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_ready)))
        else $error("dl_mshr: owed_known_rsp_ready: rsp_ready is known where it means something");
    owed_looked:
        assert property (@(posedge clk) on && (req_valid && LOOKUP == 2) |-> (looked_up && req_addr == looked))
        else $error("dl_mshr: owed_looked: with LOOKUP=2 a request is for the address of the last lookup");
    owed_ret_waiting:
        assert property (@(posedge clk) on && (returned && !stopped) |-> (ret_good))
        else $error("dl_mshr: owed_ret_waiting: RET names a head that was given and has not come back");

    // ---- what the block keeps
    check_known_req_ready:
        assert property (@(posedge clk) on && (req_valid) |-> (!$isunknown(req_ready)))
        else $error("dl_mshr: check_known_req_ready: req_ready is known where it means something");
    check_known_req_refuse:
        assert property (@(posedge clk) on && (req_valid) |-> (!$isunknown(req_refuse)))
        else $error("dl_mshr: check_known_req_refuse: req_refuse is known where it means something");
    check_known_req_primary:
        assert property (@(posedge clk) on && (req_valid && req_ready) |-> (!$isunknown(req_primary)))
        else $error("dl_mshr: check_known_req_primary: req_primary is known where it means something");
    check_known_req_head:
        assert property (@(posedge clk) on && (req_valid && req_ready && req_primary) |-> (!$isunknown(req_head)))
        else $error("dl_mshr: check_known_req_head: req_head is known where it means something");
    check_known_req_slot:
        assert property (@(posedge clk) on && (req_valid && req_ready) |-> (!$isunknown(req_slot)))
        else $error("dl_mshr: check_known_req_slot: req_slot is known where it means something");
    check_known_ret_ready:
        assert property (@(posedge clk) on |-> (!$isunknown(ret_ready)))
        else $error("dl_mshr: check_known_ret_ready: ret_ready is known");
    check_known_rsp_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(rsp_valid)))
        else $error("dl_mshr: check_known_rsp_valid: rsp_valid is known");
    check_known_rsp_last:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_last)))
        else $error("dl_mshr: check_known_rsp_last: rsp_last is known where it means something");
    check_known_rsp_off:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_off)))
        else $error("dl_mshr: check_known_rsp_off: rsp_off is known where it means something");
    check_known_rsp_id:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_id)))
        else $error("dl_mshr: check_known_rsp_id: rsp_id is known where it means something");
    check_known_rsp_write:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_write)))
        else $error("dl_mshr: check_known_rsp_write: rsp_write is known where it means something");
    check_known_rsp_data:
        assert property (@(posedge clk) on && (rsp_valid && rsp_write) |-> (!$isunknown(rsp_data)))
        else $error("dl_mshr: check_known_rsp_data: rsp_data is known where it means something");
    check_known_rsp_mask:
        assert property (@(posedge clk) on && (rsp_valid && rsp_write) |-> (!$isunknown(rsp_mask)))
        else $error("dl_mshr: check_known_rsp_mask: rsp_mask is known where it means something");
    check_known_rsp_payload:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_payload)))
        else $error("dl_mshr: check_known_rsp_payload: rsp_payload is known where it means something");
    check_known_rsp_slot:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_slot)))
        else $error("dl_mshr: check_known_rsp_slot: rsp_slot is known where it means something");
    check_known_rsp_addr:
        assert property (@(posedge clk) on && (rsp_valid) |-> (!$isunknown(rsp_addr)))
        else $error("dl_mshr: check_known_rsp_addr: rsp_addr is known where it means something");
    check_known_err:
        assert property (@(posedge clk) on |-> (!$isunknown(err)))
        else $error("dl_mshr: check_known_err: err is known");
    check_answer:
        assert property (@(posedge clk) on && (req_valid && !stopped) |-> (req_ready == (req_refuse == 2'd0)))
        else $error("dl_mshr: check_answer: a request is taken, or refused for a reason");
    check_primary:
        assert property (@(posedge clk) on && (asked) |-> (req_primary == !here))
        else $error("dl_mshr: check_primary: a request is primary if no head waits for its address");
    check_head_legal:
        assert property (@(posedge clk) on && (asked && req_primary) |-> (32'(req_head) < HEADS))
        else $error("dl_mshr: check_head_legal: a head is a set that may be one");
    check_head_free:
        assert property (@(posedge clk) on && (asked && req_primary) |-> (!waiting[req_head]))
        else $error("dl_mshr: check_head_free: a head is given once until its RET");
    check_slot_legal:
        assert property (@(posedge clk) on && (asked) |-> (32'(req_slot) < IDS * SLOTS))
        else $error("dl_mshr: check_slot_legal: a request is put into a slot that is there");
    check_entry_full:
        assert property (@(posedge clk) on && (req_valid && req_refuse == 2'd1) |-> (!here))
        else $error("dl_mshr: check_entry_full: entry-full is for an address that waits nowhere");
    check_merge_refused:
        assert property (@(posedge clk) on && (req_valid && req_refuse[1]) |-> (here))
        else $error("dl_mshr: check_merge_refused: merge-full and walk are for an address that waits");
    check_ret_ready:
        assert property (@(posedge clk) on && (!stopped) |-> (ret_ready == (left == '0 || (answered && rsp_last))))
        else $error("dl_mshr: check_ret_ready: RET is taken when nothing drains, or with the last response");
    check_rsp_valid:
        assert property (@(posedge clk) on && (!stopped) |-> (rsp_valid == (left != '0)))
        else $error("dl_mshr: check_rsp_valid: responses begin in the cycle behind RET, and go on to the last");
    check_rsp_last:
        assert property (@(posedge clk) on && (rsp_valid && !stopped) |-> (rsp_last == (left == COUNT_W'(1))))
        else $error("dl_mshr: check_rsp_last: the last response is that of the last request");
    check_rsp_order:
        assert property (@(posedge clk) on && (watch_now && !stopped) |-> ({rsp_write, rsp_off, rsp_id} === watch_word))
        else $error("dl_mshr: check_rsp_order: a head's requests leave as they came, in their order");
    check_rsp_data_order:
        assert property (@(posedge clk) on && (watch_now && rsp_write && !stopped) |-> ({rsp_data, rsp_mask} === watch_data))
        else $error("dl_mshr: check_rsp_data_order: and so do their data");
    check_rsp_payload:
        assert property (@(posedge clk) on && (watch_now && PAYLOAD_W > 0 && !stopped) |-> (rsp_payload === watch_payload))
        else $error("dl_mshr: check_rsp_payload: and their payload");
    check_rsp_slot:
        assert property (@(posedge clk) on && (watch_now && !stopped) |-> (rsp_slot === watch_slot))
        else $error("dl_mshr: check_rsp_slot: rsp_slot is where the request was put");
    check_rsp_addr:
        assert property (@(posedge clk) on && (watch_now && !stopped) |-> (rsp_addr === (ADDR_OUT != 0 ? watch_addr : '0)))
        else $error("dl_mshr: check_rsp_addr: rsp_addr is the block of the request, with ADDR_OUT=1");
    check_rsp_stays:
        assert property (@(posedge clk) on && (held && !stopped) |-> (rsp_valid && {rsp_last, rsp_write, rsp_off, rsp_id, rsp_payload, rsp_slot, rsp_addr} === held_word))
        else $error("dl_mshr: check_rsp_stays: a response stays until it is taken");
    check_err:
        assert property (@(posedge clk) on |-> (err == {1'b0, stopped}))
        else $error("dl_mshr: check_err: an error is a RET that names no head that waits");
    check_stopped:
        assert property (@(posedge clk) on && (stopped) |-> (!req_ready && !ret_ready && !rsp_valid))
        else $error("dl_mshr: check_stopped: behind an error the block stands still");
    check_refuse_codes:
        assert property (@(posedge clk) on && (req_valid && TAIL != 0) |-> (req_refuse != 2'd3))
        else $error("dl_mshr: check_refuse_codes: only a walk is refused with 3");
endmodule
