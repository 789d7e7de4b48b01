// SPDX-License-Identifier: Apache-2.0
// What the ports of the MSHRs guarantee (docs/understand/dl_mshr.md), checked by a monitor that sees only the ports.
// The including module defines F_SETS, F_HEADS (number of sets that can be heads), F_RESERVED (number of sets, from
// set 0, that can only be heads), F_LINKS (1: sets are linked), F_WALK (1: the tail is found by a walk), F_SPLIT (1:
// the other sets can only be attached), F_LOOKS (1: the address is looked up before the request), SET_W, CNT_W and
// SLOT_W, and drives f_look, f_look_addr and f_req_addr. The user must follow one rule: if F_LOOKS=1, it looks an
// address up before it makes the request. A wrong RET must raise the documented error and have no other effect.
//
// The solver chooses a block, f_x, and a position in the order of arrival: after f_kset full sets and f_kslot slots.
// The monitor tracks the live super-entry of the block, the one under drain, and the request at that position in each.
localparam F_PAYLOAD_W = PAYLOAD_W > 0 ? PAYLOAD_W : 1;
localparam F_NUM_W = (F_SETS * SLOTS < 2) ? 1 : $clog2(F_SETS * SLOTS);
localparam [SET_W:0]   F_SETS_N = F_SETS;
localparam FILL_W = $clog2(SLOTS + 1);
localparam [FILL_W-1:0] F_SLOTS = SLOTS;
localparam [FILL_W-1:0] F_ONE = 1;

(* anyconst *) reg [ADDR_W-1:0] f_x;
(* anyconst *) reg [CNT_W-1:0]  f_kset;
(* anyconst *) reg [FILL_W-1:0] f_kslot;

reg                f_run;    // reset has been applied
reg  [F_SETS-1:0]  f_heads;  // heads whose fetch is in flight
reg                f_busy;   // a drain is in progress
reg                f_err;
// the live super-entry of block f_x: its head, the number of full sets before its tail and of requests in the tail, and
// the chosen request
reg                f_live;
reg  [SET_W-1:0]   f_head;
reg  [CNT_W-1:0]   f_set;
reg  [FILL_W-1:0]  f_fill;
reg  [F_PAYLOAD_W-1:0] f_word;
reg  [F_NUM_W-1:0] f_num;    // slot number of the chosen request
reg  [CNT_W-1:0]   f_way;    // number of links that the walk has followed for the request
// the block's super-entry under drain: its contents, and the position of the next response
reg                f_drain;
reg  [CNT_W-1:0]   f_dset, f_end_set;
reg  [FILL_W-1:0]  f_dslot, f_end_fill;
reg  [F_PAYLOAD_W-1:0] f_dword;
reg  [F_NUM_W-1:0] f_dnum;
reg                f_gap;    // a request merged with the last response

// Address of the request.
reg  [ADDR_W-1:0]   f_looked;
reg                 f_looked_up;
wire [ADDR_W-1:0]   f_addr = F_LOOKS != 0 ? f_looked : f_req_addr;
always @(posedge clk) begin
    if (f_look) f_looked <= f_look_addr;
    f_looked_up <= (f_looked_up || f_look) && !rst;
end

reg                 f_before_ret;  // the lookup of f_x was not after its RET
wire                f_late = f_before_ret && f_drain;
wire                f_stale = f_before_ret && !f_drain;
wire                f_here = f_addr == f_x;
wire                f_req_here = req_valid && req_ready && f_here;
wire                f_req = f_req_here && !f_late;
wire                f_grow = f_req_here && f_late;
wire                f_full = (f_late ? f_end_fill : f_fill) == F_SLOTS;
wire                f_ret = ret_valid && ret_ready;
wire                f_ret_good = f_ret && {1'b0, ret_head} < F_SETS_N && f_heads[ret_head];
wire                f_ret_x = f_ret_good && f_live && ret_head == f_head;
wire                f_rsp = rsp_valid && rsp_ready;
wire [F_PAYLOAD_W-1:0] f_out = rsp_payload;
// destination of a request for f_x, and contents of the super-entry after that request
wire [CNT_W-1:0]    f_to_set = !f_live ? {CNT_W{1'b0}} : f_full ? f_set + 1'b1 : f_set;
wire [FILL_W-1:0]   f_to_slot = (!f_live || f_full) ? {FILL_W{1'b0}} : f_fill;
wire [CNT_W-1:0]    f_set_next = f_req ? f_to_set : f_set;
wire [FILL_W-1:0]   f_fill_next = f_req ? f_to_slot + F_ONE : f_fill;
wire                f_stores = f_req && f_to_set == f_kset && f_to_slot == f_kslot;
wire [F_PAYLOAD_W-1:0] f_word_next = f_stores ? req_payload : f_word;
wire [F_NUM_W-1:0]  f_num_next = f_stores ? req_slot : f_num;
wire                f_ends = f_dset == f_end_set && f_dslot + F_ONE == f_end_fill;
wire                f_last = f_ends && !f_grow;
wire                f_step = f_gap || (f_rsp && !(f_ends && f_grow));
// destination of a request for f_x that merges into the super-entry under drain
wire [CNT_W-1:0]    f_grow_set = f_full ? f_end_set + 1'b1 : f_end_set;
wire [FILL_W-1:0]   f_grow_slot = f_full ? {FILL_W{1'b0}} : f_end_fill;
wire                f_grow_stores = f_grow && f_grow_set == f_kset && f_grow_slot == f_kslot;
wire                f_at_chosen = f_drain && rsp_valid && f_dset == f_kset && f_dslot == f_kslot;

initial f_run = 1'b0;
always @(posedge clk) begin
    f_run  <= 1'b1;
    f_err  <= f_err || (f_ret && !f_ret_good);
    f_busy <= (f_busy && !(f_rsp && rsp_last)) || f_ret_good;

    f_live <= (f_live || f_req) && !f_ret_x;
    if (f_req && !f_live) f_head <= req_head;
    f_set  <= f_set_next;
    f_fill <= f_fill_next;
    f_word <= f_word_next;
    f_num  <= f_num_next;
    f_way  <= (F_WALK == 0 || !req_valid || !f_here || !f_live || req_ready || f_ret_x) ? {CNT_W{1'b0}} :
        f_way < f_set ? f_way + 1'b1 : f_way;

    f_drain <= (f_drain && !(f_rsp && rsp_last)) || f_ret_x;
    f_gap   <= f_drain && f_rsp && f_ends && f_grow;
    if (f_step) begin
        f_dset  <= f_dslot + F_ONE == F_SLOTS ? f_dset + 1'b1 : f_dset;
        f_dslot <= f_dslot + F_ONE == F_SLOTS ? {FILL_W{1'b0}} : f_dslot + F_ONE;
    end
    if (f_grow) begin
        f_end_set  <= f_grow_set;
        f_end_fill <= f_grow_slot + F_ONE;
    end
    if (f_grow_stores) begin
        f_dword <= req_payload;
        f_dnum  <= req_slot;
    end
    f_before_ret <= F_LOOKS != 0 && (f_look ? f_ret_x && f_look_addr == f_x : f_before_ret || (f_ret_x && f_here));
    if (f_ret_x) begin
        f_dset     <= {CNT_W{1'b0}};
        f_dslot    <= {FILL_W{1'b0}};
        f_end_set  <= f_set_next;
        f_end_fill <= f_fill_next;
        f_dword    <= f_word_next;
        f_dnum     <= f_num_next;
    end

    if (f_ret_good) f_heads[ret_head] <= 1'b0;
    if (req_valid && req_ready && req_primary) f_heads[req_head] <= 1'b1;
    if (rst) begin
        f_err   <= 1'b0;
        f_busy  <= 1'b0;
        f_live  <= 1'b0;
        f_way   <= {CNT_W{1'b0}};
        f_drain <= 1'b0;
        f_gap   <= 1'b0;
        f_before_ret <= 1'b0;
        f_heads <= {F_SETS{1'b0}};
    end
end

// The response of the previous cycle, if it was not accepted.
reg                f_kept;
reg [F_PAYLOAD_W+F_NUM_W-1:0] f_kept_out;
wire [F_PAYLOAD_W+F_NUM_W-1:0] f_shown = {f_out, rsp_slot};
always @(posedge clk) begin
    f_kept     <= rsp_valid && !rsp_ready && !rst && !(f_ret && !f_ret_good);
    f_kept_out <= f_shown;
end

// Free sets according to st_state, their numbers, and the lowest free set of each pool.
reg  [F_SETS-1:0] f_free;
reg  [CNT_W-1:0]  f_free_heads, f_free_shared;
reg               f_any_head, f_any_shared;
reg  [SET_W-1:0]  f_first;
reg               f_misplaced;  // a reserved set is in S6..S10, or an attach-only set in S1..S5
integer           f_i;
always @* begin
    f_free_heads        = {CNT_W{1'b0}};
    f_free_shared       = {CNT_W{1'b0}};
    f_any_head          = 1'b0;
    f_any_shared        = 1'b0;
    f_first             = {SET_W{1'b0}};
    f_misplaced         = 1'b0;
    for (f_i = F_SETS - 1; f_i >= 0; f_i = f_i - 1) begin
        f_free[f_i] = st_state[4*f_i+:4] == `MSHR_S0;
        if (f_free[f_i]) begin
            f_first = f_i[SET_W-1:0];
            if (f_i < F_RESERVED) begin
                f_any_head   = 1'b1;
                f_free_heads = f_free_heads + 1'b1;
            end else begin
                f_any_shared  = 1'b1;
                f_free_shared = f_free_shared + 1'b1;
            end
        end else if (f_i < F_RESERVED ? st_state[4*f_i+:4] >= `MSHR_S6 && st_state[4*f_i+:4] <= `MSHR_S10
                                      : F_SPLIT != 0 && st_state[4*f_i+:4] <= `MSHR_S5) begin
            f_misplaced = 1'b1;
        end
    end
end

wire       f_room = f_any_head || (f_any_shared && F_SPLIT == 0);
wire       f_walks = F_WALK != 0 && f_live && f_way < f_set;
wire       f_new = !f_live && !f_late;
wire       f_takes = !f_stale && (f_new ? f_room : !f_walks && (!f_full || (F_LINKS != 0 && f_any_shared)));
wire [1:0] f_refuse = f_takes ? `MSHR_REFUSE_NONE : f_stale ? `MSHR_REFUSE_STALE : f_new ? `MSHR_REFUSE_ENTRY_FULL :
    f_walks ? `MSHR_REFUSE_WALK : `MSHR_REFUSE_MERGE_FULL;

always @* begin
    if (!f_run) r_reset: assume (rst);
    r_looked: assume (F_LOOKS == 0 || !req_valid || f_looked_up);
    if (f_run) begin
        p_err: assert (err == (f_err ? `MSHR_ERR_RETURN : `MSHR_OK));
        p_stopped: assert (!f_err || !(req_ready || ret_ready || rsp_valid) && req_refuse == `MSHR_REFUSE_NONE);
        if (!f_err) begin
            // a RET that names a nonexistent set changes no set
            p_free_heads:  assert (st_free_heads == f_free_heads);
            p_free_shared: assert (st_free_shared == f_free_shared);
            p_reserved:    assert (!f_misplaced);
            if ((F_LOOKS != 0 ? f_looked_up : req_valid) && f_here) begin
                p_ready:   assert (req_ready == f_takes);
                p_refuse:  assert (req_refuse == f_refuse);
                p_primary: assert (req_primary == f_new);
                p_head:    assert (!(req_ready && req_primary) || req_head == f_first);
            end
            // RET waits for the end of a drain that a request may join
            p_ret_ready: assert (!f_busy ? ret_ready : !ret_ready || (f_rsp && rsp_last));
            p_ret_last:  assert (!f_drain || !(f_rsp && rsp_last) || ret_ready == !f_late);
            p_rsp_valid: assert (f_drain ? rsp_valid == !f_gap : f_busy || !rsp_valid);
            p_last:      assert (!f_drain || rsp_last == f_last);
            p_stable:    assert (!f_kept || f_shown == f_kept_out);
            p_slot:      assert (!f_at_chosen || rsp_slot == f_dnum);
        end
        p_of_busy: assert (!f_drain || f_busy);
        p_of_head: assert (!f_live || f_heads[f_head]);
        p_lookup:  assert (!f_before_ret || (f_looked_up && f_here && !f_live));
        p_grown:   assert (!f_gap || (f_drain && !f_ends));

        c_back_pressure: cover (f_kept && f_drain);
        c_entry_full:    cover (req_valid && f_here && req_refuse == `MSHR_REFUSE_ENTRY_FULL);
        c_merge_full:    cover (req_valid && f_here && req_refuse == `MSHR_REFUSE_MERGE_FULL);
        c_err:           cover (f_err);
        c_err_at_last:   cover (f_ret && !f_ret_good && f_busy);
    end
end

generate
    if (F_SETS > 1) begin : f_two_entries
        always @* begin
            if (f_run) begin
                c_both:         cover (f_drain && f_live && f_at_chosen && f_rsp && f_last);
                c_back_to_back: cover (f_ret_x && f_busy);
            end
        end
    end
    if (F_LINKS != 0 || SLOTS > 1) begin : f_merge
        always @* if (f_run) c_at_ret: cover (f_ret_x && f_req);
    end
    if (F_LOOKS != 0 && (F_LINKS != 0 || SLOTS > 1)) begin : f_late_merge
        always @* begin
            if (f_run) begin
                c_late:      cover (f_grow && !f_rsp);
                c_late_last: cover (f_gap && rsp_ready);
                c_stale:     cover (req_valid && f_here && req_refuse == `MSHR_REFUSE_STALE && f_stale &&
                                    (f_busy || F_SETS == 1));
            end
        end
    end
endgenerate
