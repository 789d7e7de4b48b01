// SPDX-License-Identifier: Apache-2.0
// Contract of hir, at its ports: each touched page set leaves once, in the order of first touch, with its counters.
// This is checked for the page set f_set and the page \u_ways.f_page of hir_ways_contract.vh, and for the position of
// hir_order_contract.vh.
localparam F_N = ROWS * COLS;
localparam [ALL_W-1:0] F_NONE = 0;
(* hierconn *) wire [ROW_W-1:0] \u_ways.f_row ;
(* hierconn *) wire [TAG_W-1:0] \u_ways.f_tag ;
(* hierconn *) wire [PAGE_W-1:0] \u_ways.f_page ;
(* hierconn *) wire \u_ways.f_in ;
(* hierconn *) wire \u_ways.f_running ;
(* hierconn *) wire \u_ways.f_mine ;
(* hierconn *) wire \u_ways.f_touched ;
(* hierconn *) wire \u_ways.f_read_clean ;
(* hierconn *) wire [COLS-1:0] \u_ways.f_way ;
(* hierconn *) wire [BITS-1:0] \u_ways.f_count ;
(* hierconn *) wire [COLS-1:0] \u_ways.f_valid_at ;
(* hierconn *) wire [F_N-1:0] \u_ways.f_valid ;
(* hierconn *) wire [ROW_W-1:0] \u_ways.f_read_row ;
(* hierconn *) wire [ALL_W-1:0] \u_order.f_place ;
(* hierconn *) wire [ALL_W-1:0] \u_order.f_out ;
(* hierconn *) wire [ENTRY_W-1:0] \u_order.f_kept ;
(* hierconn *) wire [ENTRY_W-1:0] \u_order.f_shown ;
(* hierconn *) wire \u_order.send ;
(* hierconn *) wire \u_order.f_running ;
wire                    f_in = \u_ways.f_in ;
wire [COLS-1:0]         f_way = \u_ways.f_way ;
wire [ROW_W-1:0]        f_row = \u_ways.f_row ;
wire [ALL_W-1:0]        f_place = \u_order.f_place ;
wire [ALL_W-1:0]        f_out = \u_order.f_out ;
wire [WAY_W-1:0]        f_kept_way, f_shown_way;
wire [ROW_W-1:0]        f_kept_row, f_shown_row;
assign {f_kept_way, f_kept_row}   = \u_order.f_kept ;
assign {f_shown_way, f_shown_row} = \u_order.f_shown ;
wire [SET_W-1:0] f_set;
generate
    if (ROW_BITS > 0) begin : gen_f_set
        assign f_set = {\u_ways.f_tag , f_row};
    end else begin : gen_f_no_row
        assign f_set = \u_ways.f_tag ;
    end
endgenerate

integer         f_i;
reg [ALL_W-1:0] f_entries;
always @* begin
    f_entries = F_NONE;
    for (f_i = 0; f_i < F_N; f_i = f_i + 1) f_entries = f_entries + {{ALL_W - 1{1'b0}}, \u_ways.f_valid [f_i]};
end

// The hit accepted in the previous cycle, and whether it belonged to the page set.
reg                     f_came;
reg  [SET_W-1:0]        f_came_set;
reg  [PAGE_W-1:0]       f_came_page;
wire                    f_here = f_came && f_came_set == f_set;
wire                    f_lose = !found && full;
wire                    f_its_page = f_came_page == \u_ways.f_page ;
// Since the last completed flush: the page set was touched and has an entry; its position in the order; the number of
// hits of the page; the number of lost hits. left: the page set has left, as the entry at the chosen position. sent:
// the number of entries that have left.
reg                     f_run, f_entered, f_missed, f_left;
reg  [ALL_W-1:0]        f_first, f_sent;
reg  [BITS-1:0]         f_hits;
reg  [LOST_W-1:0]       f_lost;
// busy; busy for more than one cycle; all entries have left, or there were none
reg                     f_busy, f_second;
wire                    f_leaves = out_valid && out_ready;
wire                    f_done = f_busy && ((f_leaves && out_last) || (f_second && count == F_NONE));
wire                    f_free = rst || f_done;
reg                     f_stood, f_stood_last;
reg [SET_W-1:0]         f_stood_set;
reg [PAGES*COUNT_W-1:0] f_stood_counts;
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run       <= 1'b1;
    f_came      <= hit_valid && hit_ready && !rst;
    f_came_set  <= hit_set;
    f_came_page <= hit_page;

    if (f_here && !f_entered) f_first <= count;
    if (f_here) f_hits <= !f_entered ? {{BITS - 1{1'b0}}, f_its_page} :
        f_hits + {{BITS - 1{1'b0}}, f_its_page && !(&f_hits)};
    f_entered <= !f_free && (f_entered || (f_here && !f_lose));
    f_missed  <= !f_free && (f_missed || (f_here && f_lose));
    f_lost    <= f_free ? {LOST_W{1'b0}} : f_lost + {{LOST_W - 1{1'b0}}, f_came && f_lose && !(&f_lost)};

    f_busy   <= !f_free && (f_busy || flush);
    f_second <= !f_free && f_busy;
    f_sent   <= f_free ? F_NONE : f_sent + {{ALL_W - 1{1'b0}}, f_leaves};
    f_left   <= !f_free && (f_left || (f_leaves && f_sent == f_place && out_set == f_set));

    f_stood        <= out_valid && !out_ready && !rst;
    f_stood_last   <= out_last;
    f_stood_set    <= out_set;
    f_stood_counts <= out_counts;
end

always @* begin
    if (!f_run) r_reset: `RULE_hir (rst);
    first_is_first: assert (\u_order.f_running == f_run && (f_run || !\u_ways.f_running ));
    if (f_run) begin
        // accepted hits
        looked_up:   assert (look == f_came && \u_ways.f_mine == f_here &&
                             (!f_here || \u_ways.f_touched == f_its_page));
        entered:     assert (clear || f_in == f_entered);
        hits:        assert (clear || !f_in || \u_ways.f_count == f_hits);
        shown_found: assert (!f_here || (found == f_entered && f_lose == (!f_entered && &\u_ways.f_valid_at )));
        lost_all:    assert (lost == f_lost && (!f_missed || lost != {LOST_W{1'b0}}));
        held_off:    assert (hit_ready == !busy && (!\u_order.send || !look));
        flushes:     assert (busy == f_busy && done == f_done && (!f_busy || \u_order.send == f_second) &&
                             (!f_second || f_busy));
        // the page set leaves at its position, and at no other
        sent_if_touched: assert (!(out_valid && f_sent == f_place && out_set == f_set) ||
                                 (f_entered && f_first == f_place));
        sent_at_first:   assert (!(out_valid && f_sent == f_place && f_entered && f_first == f_place) ||
                                 (out_set == f_set && out_counts[\u_ways.f_page *COUNT_W+:COUNT_W] == f_hits));
        leaves_once:     assert (!(f_entered && f_first == f_place) || f_left == (f_place < f_sent));
        none_left:       assert (!(f_done && f_entered && f_first == f_place) || f_left ||
                                 (f_leaves && out_set == f_set));
        sent_each:       assert (!out_valid || (f_sent == f_out && out_last == (f_sent + 1'b1 == count)));
        sent_none:       assert (out_valid || (f_sent == F_NONE && !f_left));
        in_order:        assert (!f_in || clear || f_first < count);
        stands:          assert (!f_stood ||
                                 (out_valid && out_set == f_stood_set && out_counts == f_stood_counts &&
                                 out_last == f_stood_last));
        counted:         assert (clear || count == f_entries);
        none_after:      assert (!clear || (count == F_NONE && !look && !busy && !f_entered));

        // the order has the page set's entry only at its position, and has only valid entries of its row
        named_there: assert (clear || !(f_in && f_first == f_place) ||
                             (f_kept_row == f_row && WAY0 << f_kept_way == f_way));
        named_once:  assert (clear || !(f_in && f_first != f_place && f_place < count) || f_kept_row != f_row ||
                             WAY0 << f_kept_way != f_way);
        named_valid: assert (clear || !(f_place < count && f_kept_row == f_row) ||
                             |(\u_ways.f_valid_at & (WAY0 << f_kept_way)));
        // output
        shown:       assert (!out_valid || (out_row == f_shown_row && out_way == WAY0 << f_shown_way));
        shown_clean: assert (!out_valid || (\u_ways.f_read_clean && \u_ways.f_read_row == out_row));
        shown_only:  assert (\u_order.send ? 1'b1 : out_way == {COLS{1'b0}});
        running:     assert (\u_ways.f_running || clear);

        c_sent: cover (out_valid && out_ready && f_entered && f_first == f_place && f_out == f_place &&
                       (f_place != F_NONE || F_N < 2));
        c_lost: cover (f_missed && out_valid);
        c_both: cover (look && busy && f_in);
    end
end
