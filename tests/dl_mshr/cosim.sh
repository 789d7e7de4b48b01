#!/bin/bash
# dl_mshr in lockstep alone: the size points of the paper and odd ones, every tail, both releases. Each run has to reach
# its coverage floors; a recording of each point is replayed by Icarus in four states.
. tests/lib.bash

while read -r point; do
    [ -n "$point" ] || continue
    params=$(printf -- '-p %s ' $point)
    expect 0 "$MEMTWIN" cosim dl_mshr $params --cycles 150000 --seed 11
    expect 0 "$MEMTWIN" cosim dl_mshr $params --cycles 4000 --seed 12 --model-only --record "$work/point.vec"
    expect 0 "$MEMTWIN" replay "$work/point.vec" --engine icarus
    echo "dl_mshr $point"
done <<'POINTS'
SETS=128 SLOTS=2 RESERVED_HEADS=64
SETS=64 SLOTS=4 RESERVED_HEADS=32
SETS=64 SLOTS=2 RESERVED_HEADS=32 DATA_W=1024 ID_W=16
SETS=8 SLOTS=2 RESERVED_HEADS=4
SETS=8 SLOTS=2 RESERVED_HEADS=4 TAIL=1
SETS=8 SLOTS=2 RESERVED_HEADS=0 TAIL=0 GATE=0
SETS=3 SLOTS=3 RESERVED_HEADS=1 TAIL=1 EARLY_FREE=1 DATA_W=8
SETS=5 SLOTS=1 RESERVED_HEADS=2 TAIL=0
SETS=5 SLOTS=8 RESERVED_HEADS=0 EARLY_FREE=1
SETS=5 SLOTS=64 RESERVED_HEADS=2
SETS=3 SLOTS=1 RESERVED_HEADS=2 ADDR_W=1 OFF_W=1 ID_W=1
POINTS
finish
