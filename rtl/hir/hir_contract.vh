// Contract of hir: each page set that was touched leaves once, in the order of first touch, with its counters. By the page set and page that
// hir_ways_contract.vh chooses, and the place in the order that hir_order_contract.vh chooses. f_first: the place of that page set.
localparam F_N = ROWS * COLS;
localparam [ALL_W-1:0] F_NONE = 0;
(* hierconn *) wire [ROW_W-1:0] \u_ways.f_row ;
(* hierconn *) wire [TAG_W-1:0] \u_ways.f_tag ;
(* hierconn *) wire [PAGE_W-1:0] \u_ways.f_page ;
(* hierconn *) wire \u_ways.f_in ;
(* hierconn *) wire \u_ways.f_running ;
(* hierconn *) wire \u_ways.f_mine ;
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

reg                     f_run, f_stood, f_missed;  // missed: a hit of it was lost since the last flush was completed
reg [ALL_W-1:0]         f_first;
reg [SET_W-1:0]         f_stood_set;
reg [PAGES*COUNT_W-1:0] f_stood_counts;
initial f_run = 1'b0;
always @(posedge clk) begin
    f_run <= 1'b1;
    if (\u_ways.f_mine && !f_in) f_first <= count;
    f_missed       <= !rst && !done && (f_missed || (\u_ways.f_mine && !found && full));
    f_stood        <= out_valid && !out_ready && !rst;
    f_stood_set    <= out_set;
    f_stood_counts <= out_counts;
end

always @* begin
    if (!f_run) r_reset: `RULE_hir (rst);
    first_is_first: assert (\u_order.f_running == f_run && (f_run || !\u_ways.f_running ));
    if (f_run) begin
        // the page set is sent at its place, and at no other
        sent_if_touched: assert (!(out_valid && f_out == f_place && out_set == f_set) || (f_in && f_first == f_place));
        sent_at_first:   assert (!(out_valid && f_out == f_place && f_in && f_first == f_place) ||
                                 (out_set == f_set && out_counts[\u_ways.f_page *COUNT_W+:COUNT_W] == \u_ways.f_count ));
        in_order:        assert (!f_in || clear || f_first < count);
        stands:          assert (!f_stood || (out_valid && out_set == f_stood_set && out_counts == f_stood_counts));
        held_off:        assert (hit_ready == !busy && (!\u_order.send || !look));
        said_lost:       assert (!f_missed || lost != {LOST_W{1'b0}});
        lost_if_full:    assert (!(\u_ways.f_mine && !f_in && full) || &\u_ways.f_valid_at );
        counted:         assert (clear || count == f_entries);
        none_after:      assert (!clear || (count == F_NONE && !look && !busy));

        // the order names the entry of the page set at its place and nowhere else, and of its row valid ones only
        named_there: assert (clear || !(f_in && f_first == f_place) || (f_kept_row == f_row && WAY0 << f_kept_way == f_way));
        named_once:  assert (clear || !(f_in && f_first != f_place && f_place < count) || f_kept_row != f_row || WAY0 << f_kept_way != f_way);
        named_valid: assert (clear || !(f_place < count && f_kept_row == f_row) || |(\u_ways.f_valid_at & (WAY0 << f_kept_way)));
        // what stands at the output
        shown:       assert (!out_valid || (out_row == f_shown_row && out_way == WAY0 << f_shown_way));
        shown_clean: assert (!out_valid || (\u_ways.f_read_clean && \u_ways.f_read_row == out_row));
        shown_only:  assert (\u_order.send ? 1'b1 : out_way == {COLS{1'b0}});
        running:     assert (\u_ways.f_running || clear);

        c_sent: cover (out_valid && out_ready && f_in && f_first == f_place && f_out == f_place && (f_place != F_NONE || F_N < 2));
        c_lost: cover (f_missed && out_valid);
        c_both: cover (look && busy && f_in);
    end
end
