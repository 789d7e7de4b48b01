#!/bin/bash
# bank_queues in lockstep alone: a queue for each bank and fewer, one place, odd and many, held or not, the bank in any bits.
# Each run has to reach its coverage floors; a recording of each point is replayed by Icarus in four states.
. tests/lib.bash

while read -r point; do
    [ -n "$point" ] || continue
    params=$(printf -- '-p %s ' $point)
    expect 0 "$MEMTWIN" cosim bank_queues $params --cycles 150000 --seed 11
    expect 0 "$MEMTWIN" cosim bank_queues $params --cycles 4000 --seed 12 --model-only --record "$work/point.vec"
    expect 0 "$MEMTWIN" replay "$work/point.vec" --engine icarus
    echo "bank_queues $point"
done <<'POINTS'
DEPTH=16
DEPTH=16 HOLD=0
DEPTH=3 QUEUES=4
DEPTH=1 BANKS=2 BANK_MASK=1 QUEUES=2 ADDR_W=1 ID_W=1
DEPTH=5 BANKS=64 BANK_MASK=1073742095 ADDR_W=48 ID_W=32 QUEUES=8 HOLD=0
DEPTH=64 BANKS=4 BANK_MASK=3 QUEUES=2
POINTS
finish
