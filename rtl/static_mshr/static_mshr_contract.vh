// Contract of static_mshr: what its ports promise (mshr_contract.vh), and what its state keeps so that they can.
// Wires with `hierconn` are registers of the parts, by their names; a name that is not there stops the run.
localparam F_SETS = ENTRIES;
localparam F_RESERVED = ENTRIES;
localparam F_LINKS = 0;
localparam F_WALK = 0;
`include "mshr_contract.vh"

(* hierconn *) wire [ENTRIES*FILL_W-1:0] \u_fill.fill ;
(* hierconn *) wire [ENTRIES*ADDR_W-1:0] \u_cam.tag ;
(* hierconn *) wire [SLOT_W-1:0] \u_drain.slot ;
// one word of the slots, chosen by the solver: mt_ram_slice_contract.vh
(* hierconn *) wire [$clog2(ENTRIES*SLOTS)-1:0] \u_slots.u_info.gen_slice[0].u_slice.f_addr ;
(* hierconn *) wire [F_DATA_W-1:0] \u_slots.u_info.gen_slice[0].u_slice.f_word ;
(* hierconn *) wire [F_DATA_W-1:0] \u_slots.u_info.gen_slice[0].u_slice.f_read_word ;
(* hierconn *) wire \u_slots.u_info.gen_slice[0].u_slice.f_is_written ;
(* hierconn *) wire \u_slots.u_info.gen_slice[0].u_slice.f_is_read ;
(* hierconn *) wire \u_slots.u_info.gen_slice[0].u_slice.f_read_known ;

wire [31:0]         f_ram_addr = \u_slots.u_info.gen_slice[0].u_slice.f_addr ;
wire [31:0]         f_ram_set = f_ram_addr / SLOTS;
wire [31:0]         f_ram_slot = f_ram_addr % SLOTS;
wire [F_DATA_W-1:0] f_ram_word = \u_slots.u_info.gen_slice[0].u_slice.f_word ;
wire [F_DATA_W-1:0] f_ram_read_word = \u_slots.u_info.gen_slice[0].u_slice.f_read_word ;
wire                f_ram_written = \u_slots.u_info.gen_slice[0].u_slice.f_is_written ;
wire                f_ram_read = \u_slots.u_info.gen_slice[0].u_slice.f_is_read ;
wire                f_ram_read_known = \u_slots.u_info.gen_slice[0].u_slice.f_read_known ;
wire [SLOT_W-1:0]   f_slot = \u_drain.slot ;

localparam [ENTRIES-1:0] F_ENTRY0 = 1;
wire [ENTRIES-1:0]  f_drained = (F_ENTRY0 << cur) & {ENTRIES{active}};
wire [ENTRIES*FILL_W-1:0] f_rows;
wire [ENTRIES-1:0]  i_fill, i_match, i_heads, i_address, i_block, i_word, i_state;

genvar g, h;
generate
    for (g = 0; g < ENTRIES; g = g + 1) begin : f_of_entry
        wire [FILL_W-1:0]  fill;
        wire [ADDR_W-1:0]  tag;
        wire [ENTRIES-1:0] same_tag;
        wire               in_live = m[g] && f_live && f_head == g;
        wire               in_drain = f_drained[g] && f_drain;
        wire [3:0]         st = st_state[4*g+:4];

        for (h = 0; h < FILL_W; h = h + 1) begin : f_fill_bit
            assign fill[h] = \u_fill.fill [h*ENTRIES+g];
        end
        for (h = 0; h < ADDR_W; h = h + 1) begin : f_tag_bit
            assign tag[h] = \u_cam.tag [h*ENTRIES+g];
        end
        for (h = 0; h < ENTRIES; h = h + 1) begin : f_to
            assign same_tag[h] = f_of_entry[h].tag == tag;
        end
        assign f_rows[g*FILL_W+:FILL_W] = fill;

        assign i_fill[g]    = fill <= F_SLOTS;
        assign i_match[g]   = m[g] == (!is_free[g] && !f_drained[g]);
        assign i_heads[g]   = f_heads[g] == m[g];
        // no two entries that can match have the same address
        assign i_address[g] = !m[g] || (same_tag & m & ~(F_ENTRY0 << g)) == 0;
        // the chosen block: whose entries are whose; how much they hold; that the chosen request is in its slot
        assign i_block[g]   = (!m[g] || (tag == f_x) == in_live) && (!in_live || fill == f_fill) && (!in_drain || fill == f_end_fill);
        assign i_word[g]    = !(f_kset == 0 && fill > f_kslot && f_ram_set == g && f_ram_slot == f_kslot)
            || ((!in_live || (f_ram_written && f_ram_word == f_word)) && (!in_drain || (f_ram_written && f_ram_word == f_dword)));
        // S4 is S2 after a merge was refused
        assign i_state[g]   = is_free[g] ? st == `MSHR_S0 : f_drained[g] ? st == `MSHR_S5
            : fill == F_SLOTS ? st == `MSHR_S2 || st == `MSHR_S4 : st == `MSHR_S1;
    end
endgenerate

reg  [FILL_W-1:0] f_cur_fill;
integer           f_s;
always @* begin
    f_cur_fill = {FILL_W{1'b0}};
    for (f_s = 0; f_s < ENTRIES; f_s = f_s + 1) f_cur_fill = f_cur_fill | (f_rows[f_s*FILL_W+:FILL_W] & {FILL_W{cur == f_s}});
    if (f_run) begin
        a_fill:     assert (&i_fill);
        a_match:    assert (&i_match);
        a_heads:    assert (&i_heads);
        a_address:  assert (&i_address);
        a_one_hot:  assert ((match & (match - 1'b1)) == 0);
        a_block:    assert (&i_block);
        a_word:     assert (&i_word);
        a_state:    assert (f_err || &i_state);
        a_free:     assert (f_err || n_free == f_free_heads);

        // the drain
        a_busy:     assert (active == f_busy);
        a_cur:      assert (!active || (|(~is_free & (F_ENTRY0 << cur)) && f_slot < f_cur_fill));

        // the chosen block
        a_live:     assert (!f_live || (|(m & (F_ENTRY0 << f_head)) && f_set == 0 && f_fill != 0 && f_fill <= F_SLOTS));
        a_drain:    assert (!f_drain || (active && f_dset == 0 && f_end_set == 0 && f_slot == f_dslot));
        a_read:     assert (!active || f_ram_read == (f_ram_set == cur && f_ram_slot == f_slot));
        a_response: assert (!(f_at_chosen && f_ram_read) || (f_ram_read_known && f_ram_read_word == f_dword));
        // in the word of the slots that the solver has chosen, so in every word
        p_word:     assert (!(f_at_chosen && f_ram_read) || f_out == f_dword);

        c_word:     cover (f_at_chosen && f_ram_read && f_rsp && f_kset == 0 && f_kslot == 1);
    end
end
