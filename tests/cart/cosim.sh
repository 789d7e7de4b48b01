#!/bin/bash
# cart in lockstep alone: the tree of the paper, trees of one queue, one row, one column, odd and large ones, each policy, held or not, aged.
# Each run has to reach its coverage floors; a recording of each point is replayed by Icarus in four states.
. tests/lib.bash

while read -r point; do
    [ -n "$point" ] || continue
    params=$(printf -- '-p %s ' $point)
    expect 0 "$MEMTWIN" cosim cart $params --cycles 150000 --seed 11
    expect 0 "$MEMTWIN" cosim cart $params --cycles 4000 --seed 12 --model-only --record "$work/point.vec"
    expect 0 "$MEMTWIN" replay "$work/point.vec" --engine icarus
    echo "cart $point"
done <<'POINTS'
ROWS=4 COLS=2 DEPTH=2
ROWS=4 COLS=2 DEPTH=2 HOLD=0
ROWS=4 COLS=2 DEPTH=2 AGE_LIMIT=8
ROWS=4 COLS=2 DEPTH=2 POLICY=1
ROWS=4 COLS=2 DEPTH=2 POLICY=1 HOLD=0
ROWS=4 COLS=2 DEPTH=2 POLICY=2
ROWS=4 COLS=2 DEPTH=2 POLICY=2 HOLD=0
ROWS=1 COLS=1 DEPTH=1 BANKS=2 BANK_MASK=2 COL_MASK=4 ADDR_W=3 ID_W=1
ROWS=3 COLS=5 DEPTH=3 BANKS=4 BANK_MASK=40 COL_MASK=3 ADDR_W=48 ID_W=32
ROWS=5 COLS=3 DEPTH=1 BANKS=2 BANK_MASK=1073741824 COL_MASK=2 ADDR_W=31 AGE_LIMIT=37
ROWS=1 COLS=8 DEPTH=7 BANKS=8 BANK_MASK=7 COL_MASK=8 ADDR_W=9
ROWS=8 COLS=1 DEPTH=5 BANKS=8 BANK_MASK=448 COL_MASK=1 POLICY=2
ROWS=8 COLS=8 DEPTH=1 BANKS=2 BANK_MASK=1 COL_MASK=6 AGE_LIMIT=2
ROWS=2 COLS=2 DEPTH=17 BANKS=4 BANK_MASK=6 COL_MASK=129 POLICY=1
POINTS
finish
