#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 21 s
# Compares Adjusted(k) and the choice of bpg_judge with exact arithmetic (judge.v) in Verilator, and finds planted faults in Icarus.
. tests/lib.bash

good=rtl/bpg/bpg_judge.v
others=(tests/bpg/judge.v rtl/lib/mt_regfile_1r1w.v)

expect 0 verilator --binary --timing --top judges -CFLAGS -O1 -Irtl/lib -Irtl/bpg $good "${others[@]}" -Mdir "$work/judges" -o judges
expect 0 "$work/judges/judges"
cat "$work/out"
[ "$(grep -c ': [1-9][0-9]* exact$' "$work/out")" -eq 9 ] && [ "$(wc -l <"$work/out")" -eq 9 ] || complain "not nine points, all exact"

# fault WHAT FROM TO: replaces text of bpg_judge.v and expects a difference
fault() {
    sed "s/$2/$3/" $good >"$work/bad.v"
    ! cmp -s $good "$work/bad.v" || complain "$1: the fault can no longer be planted"
    expect 0 iverilog -g2005 -Irtl/lib -Irtl/bpg -s judge -o "$work/bad" "$work/bad.v" "${others[@]}"
    expect 0 vvp -n "$work/bad"
    grep -q '^wrong: ' "$work/out" && echo "found: $1: $(cat "$work/out")" || complain "$1: not found"
}
fault 'a bit of the lowest part more is dropped' ":STEP\], {STEP{1'b0}}}" ":STEP+1], {STEP{1'b0}}, 1'b0}"
fault 'RF is rounded up' ', {FRACTION{1.b1}}}' ", {FRACTION{1'b0}}}"
fault 'the sign is not compared' 'reg signed \(\[ADJUSTED_W-1:0\] best;\)' 'reg \1'
fault 'the highest part is lost' 'i < PARTS' 'i < PARTS - 1'
finish
