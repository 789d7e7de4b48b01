#!/bin/bash
# A million cycles of dl_mshr at six parameter points, with several seeds' worth of modes in each; static_mshr with two and
# with eight times the entries and slots of the paper's caches, as long as its coverage floors need; and a million cycles of cart and of bpg at six points each, of hir at three, of bank_queues, of in_fifo.
. tests/lib.bash

for point in "SETS=128 SLOTS=2 RESERVED_HEADS=64" "SETS=64 SLOTS=4 RESERVED_HEADS=32 TAIL=1" \
    "SETS=64 SLOTS=2 RESERVED_HEADS=32 DATA_W=1024" "SETS=8 SLOTS=2 RESERVED_HEADS=4 TAIL=0" \
    "SETS=3 SLOTS=1 RESERVED_HEADS=1 EARLY_FREE=1" "SETS=5 SLOTS=8 RESERVED_HEADS=2 TAIL=1 GATE=0 DATA_W=64"; do
    expect 0 "$MEMTWIN" cosim dl_mshr $(printf -- '-p %s ' $point) --cycles 1000000
    echo "dl_mshr $point"
    tail -n 3 "$work/out"
done
while read -r cycles point; do
    expect 0 "$MEMTWIN" cosim static_mshr $(printf -- '-p %s ' $point) --cycles "$cycles"
    echo "static_mshr $point"
    tail -n 3 "$work/out"
done <<'POINTS'
1000000 ENTRIES=64 SLOTS=16
1000000 ENTRIES=64 SLOTS=8 DATA_W=1024 ID_W=16
8300000 ENTRIES=256 SLOTS=64
4200000 ENTRIES=256 SLOTS=32 DATA_W=1024 ID_W=16
POINTS
expect 0 "$MEMTWIN" cosim dl_mshr -p SETS=64 -p SLOTS=64 -p RESERVED_HEADS=32 --cycles 2000000
while read -r point; do
    block=${point%% *}
    expect 0 "$MEMTWIN" cosim "$block" $(printf -- '-p %s ' ${point#* }) --cycles 1000000
    echo "$point"
    tail -n 3 "$work/out"
done <<'POINTS'
cart ROWS=4 COLS=2 DEPTH=2
cart ROWS=8 COLS=8 DEPTH=8
cart ROWS=3 COLS=5 DEPTH=7 AGE_LIMIT=1000
cart ROWS=4 COLS=2 DEPTH=4 POLICY=1
cart ROWS=5 COLS=3 DEPTH=2 POLICY=2 HOLD=0
cart ROWS=4 COLS=2 DEPTH=2 AGE_LIMIT=16 HOLD=0
bank_queues DEPTH=16
in_fifo DEPTH=64
bpg SETS=32
bpg HIT_SCALE=0
bpg CALCULATORS=16 WAYS=16 SAMPLED=1 TAG_W=12 FAIL_W=16
bpg CALCULATORS=16 WAYS=16 SETS=64 SAMPLED=64 INDEX=2 HIT_SCALE=0 INTERVAL=20
bpg SETS=1 SAMPLED=1 WAYS=1 CALCULATORS=1 INTERVAL=5
bpg INDEX=0 WAYS=7 SAMPLED=16 TAG_W=6 INTERVAL=3000
bpg INDEX=2 SETS=64 CALCULATORS=8 INTERVAL=12
hir SETS=128
hir SETS=1024 WAYS=16 PAGES=32
hir SETS=4 WAYS=3 SET_W=6 PAGES=4 COUNT_W=1 LOST_W=3
POINTS
finish
