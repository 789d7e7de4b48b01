// SPDX-License-Identifier: Apache-2.0
// Part of the contracts of the MSHRs: the chosen request leaves unchanged.
// One slot word, chosen by the solver, is tracked: mt_ram_1r1w_contract.vh. Wires with `hierconn` connect by name to
// registers of submodules. The including module supplies, for each set, f_rows (fill counts), f_live_at and f_drain_at
// (the set at position f_kset in the live and the drained super-entry of the chosen block).
localparam F_RAM_W = (F_SETS * SLOTS < 2) ? 1 : $clog2(F_SETS * SLOTS);
(* hierconn *) wire [F_RAM_W-1:0] \u_slots.gen_ram.u_ram.f_addr ;
(* hierconn *) wire [F_PAYLOAD_W-1:0] \u_slots.gen_ram.u_ram.f_word ;
(* hierconn *) wire [F_PAYLOAD_W-1:0] \u_slots.gen_ram.u_ram.f_read_word ;
(* hierconn *) wire \u_slots.gen_ram.u_ram.f_is_written ;
(* hierconn *) wire \u_slots.gen_ram.u_ram.f_is_read ;
(* hierconn *) wire \u_slots.gen_ram.u_ram.f_read_known ;

wire [SLOT_W-1:0]   f_slot = cur_slot;
wire [F_RAM_W-1:0]  f_ram_addr = \u_slots.gen_ram.u_ram.f_addr ;
wire [F_PAYLOAD_W-1:0] f_ram_word = \u_slots.gen_ram.u_ram.f_word ;
wire [F_PAYLOAD_W-1:0] f_ram_read_word = \u_slots.gen_ram.u_ram.f_read_word ;
wire                f_ram_written = \u_slots.gen_ram.u_ram.f_is_written ;
wire                f_ram_read = \u_slots.gen_ram.u_ram.f_is_read ;
wire                f_ram_read_known = \u_slots.gen_ram.u_ram.f_read_known ;

// The chosen request is in the tracked word: in the live super-entry, in the super-entry under drain, or as the
// response.
wire [F_SETS-1:0]   f_in_word;
wire                f_live_word = |(f_in_word & f_live_at);
wire                f_drain_word = |(f_in_word & f_drain_at);
wire                f_out_word = f_at_chosen && f_ram_read;
// Sets in which the chosen request's number equals its slot's number; sets that contain the request.
wire [F_SETS-1:0]   f_live_num, f_drain_num, f_has;
genvar              f_g;
generate
    for (f_g = 0; f_g < F_SETS; f_g = f_g + 1) begin : f_word_of
        assign f_in_word[f_g] = f_ram_addr == f_g * SLOTS + f_kslot && f_has[f_g];
        assign f_has[f_g] = f_rows[f_g*FILL_W+:FILL_W] > f_kslot;
        assign f_live_num[f_g] = f_num == f_g * SLOTS + f_kslot;
        assign f_drain_num[f_g] = f_dnum == f_g * SLOTS + f_kslot;
    end
endgenerate

always @* begin
    if (f_run) begin
        a_word:     assert (!(f_live_word && !(f_ram_written && f_ram_word == f_word)) &&
                            !(f_drain_word && !(f_ram_written && f_ram_word == f_dword)));
        a_num:      assert (!(|(f_has & f_live_at & ~f_live_num)) && !(|(f_has & f_drain_at & ~f_drain_num)));
        a_read:     assert (!active || f_ram_read == (f_ram_addr == cur * SLOTS + f_slot));
        a_response: assert (!f_out_word || (f_ram_read_known && f_ram_read_word == f_dword));
        // true of the tracked slot word, so of every slot word
        p_word:     assert (!f_out_word || f_out == f_dword);
    end
end
