// SPDX-License-Identifier: Apache-2.0
// Contract of mil's round robin: the first kernel able to issue after the kernel that issued last is selected.
reg f_behind;
integer f_b;
always @* begin
    f_behind = {1'b0, f_last} < F_K;
    for (f_b = 0; f_b < K; f_b = f_b + 1) f_behind = f_behind && behind[f_b] == (f_b > f_last);
end
always @* if (f_run) begin
    turn:    assert (f_behind);
    nearest: assert (!go[f_k] || !f_can[f_j] || f_turn_k <= f_turn_j);
end
