// SPDX-License-Identifier: Apache-2.0
// Number of free entries, and the full entries, of static_mshr with LOOKUP=2, for the contract and for the observer.
// The including module has the wires used and fill_lows.
reg [CNT_W-1:0]   f_n_free;
reg [ENTRIES-1:0] f_full_low;
integer           f_o;
always @* begin
    f_n_free = {CNT_W{1'b0}};
    for (f_o = 0; f_o < ENTRIES; f_o = f_o + 1) begin
        f_n_free        = f_n_free + {{(CNT_W - 1) {1'b0}}, !used[f_o]};
        f_full_low[f_o] = fill_lows[f_o*SLOT_W+:SLOT_W] == SLOTS[SLOT_W-1:0];
    end
end
