#!/bin/bash
# in_fifo in lockstep alone: one place, two, odd and many; narrow and wide ports.
# Each run has to reach its coverage floors; a recording of each point is replayed by Icarus in four states.
. tests/lib.bash

while read -r point; do
    [ -n "$point" ] || continue
    params=$(printf -- '-p %s ' $point)
    expect 0 "$MEMTWIN" cosim in_fifo $params --cycles 150000 --seed 11
    expect 0 "$MEMTWIN" cosim in_fifo $params --cycles 4000 --seed 12 --model-only --record "$work/point.vec"
    expect 0 "$MEMTWIN" replay "$work/point.vec" --engine icarus
    echo "in_fifo $point"
done <<'POINTS'
DEPTH=8
DEPTH=1
DEPTH=2 ADDR_W=1 ID_W=1
DEPTH=5 ADDR_W=48 ID_W=32
DEPTH=64
POINTS
finish
