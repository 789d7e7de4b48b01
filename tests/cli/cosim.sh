#!/bin/bash
# Each block alone: random stimulus at several parameter points, no mismatch, coverage over its floor; recordings of the model
# replayed by the Verilog in both simulators. tests/long/cosim.sh has the same for a million cycles.
. tests/lib.bash

cosim() { # BLOCK CYCLES NAME=VALUE...
    local block=$1 cycles=$2
    shift 2
    expect 0 "$MEMTWIN" cosim "$block" $(printf -- '-p %s ' "$@") --cycles "$cycles"
    echo "$block $*: $(tail -n 1 "$work/out")"
    grep -q '^verdict: PASS$' "$work/out" || complain "$block $*: $(tail -n 3 "$work/out")"
}

cosim dl_mshr 150000 SETS=128 SLOTS=2 RESERVED_HEADS=64
cosim dl_mshr 150000 SETS=64 SLOTS=4 RESERVED_HEADS=32 TAIL=1
cosim dl_mshr 100000 SETS=64 SLOTS=2 RESERVED_HEADS=32 DATA_W=1024
cosim dl_mshr 150000 SETS=8 SLOTS=2 RESERVED_HEADS=4 TAIL=0
cosim dl_mshr 150000 SETS=3 SLOTS=1 RESERVED_HEADS=1 EARLY_FREE=1
cosim dl_mshr 150000 SETS=5 SLOTS=8 RESERVED_HEADS=2 TAIL=1 GATE=0
cosim static_mshr 150000 ENTRIES=32 SLOTS=8
cosim static_mshr 100000 ENTRIES=3 SLOTS=1 DATA_W=64

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
