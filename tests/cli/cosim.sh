#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The MSHRs alone, as a user runs them, at the points tagged cli: no mismatch, coverage over its floor; recordings of the model replayed by the Verilog in both
# simulators. tests/cosim.sh has every block at more points, tests/long/cosim.sh for a million cycles. In tier test the first point of each block.
# tier: test, 10 s; full, 25 s
. tests/lib.bash
. tb/harness/blocks.bash

cosim() { # BLOCK CYCLES NAME=VALUE...
    local block=$1 cycles=$2
    shift 2
    expect 0 "$MEMTWIN" cosim "$block" $(printf -- '-p %s ' "$@") --cycles "$cycles"
    echo "$block $*: $(tail -n 1 "$work/out")"
    grep -q '^verdict: PASS$' "$work/out" || complain "$block $*: $(tail -n 3 "$work/out")"
}

points cli >"$work/points"
[ "${TIER:-full}" = full ] || { sort -u -k 1,1 "$work/points" >"$work/first"; mv "$work/first" "$work/points"; }
[ -s "$work/points" ] || complain "no points"
while read -r block _ cycles point; do cosim "$block" "$cycles" $point </dev/null; done <"$work/points"

# a large one is empty at the end: lines that would come later come then
expect 0 "$MEMTWIN" cosim static_mshr -p ENTRIES=256 -p SLOTS=4 -p ADDR_W=42 -p OFF_W=5 -p ID_W=29 -p DATA_W=256 --model-only

# a recording that cannot be written is refused, before a twin is built
MEMTWIN_TWINS=$work/twins expect 1 "$MEMTWIN" cosim in_fifo --record "$work/no/x.vec"
grep -q "$work/no/x.vec: No such file" "$work/err" || complain "in_fifo, a recording into no folder: $(cat "$work/err")"
[ ! -e "$work/twins" ] || complain "a twin was built for a recording that cannot be written"

# the same seed gives the same run, another one another
for seed in 7 7 8; do
    expect 0 "$MEMTWIN" cosim dl_mshr --model-only --cycles 5000 --seed $seed --record "$work/$seed.vec"
    [ -e "$work/first" ] && [ $seed = 7 ] && { cmp -s "$work/first" "$work/7.vec" || complain "seed 7 twice: different"; }
    cp "$work/$seed.vec" "$work/first"
done
! cmp -s "$work/7.vec" "$work/8.vec" || complain "seeds 7 and 8: the same"

for block in dl_mshr static_mshr; do
    expect 0 "$MEMTWIN" cosim $block --model-only --cycles 20000 --record "$work/x.vec"
    for engine in model twin icarus; do
        expect 0 "$MEMTWIN" replay "$work/x.vec" --engine $engine
        grep -q '^verdict: PASS$' "$work/out" || complain "$block, replay by $engine: $(tail -n 3 "$work/out")"
    done
done
finish
