#!/bin/bash
# A million cycles of dl_mshr at six parameter points, with several seeds' worth of modes in each.
. tests/lib.bash

for point in "SETS=128 SLOTS=2 RESERVED_HEADS=64" "SETS=64 SLOTS=4 RESERVED_HEADS=32 TAIL=1" \
    "SETS=64 SLOTS=2 RESERVED_HEADS=32 DATA_W=1024" "SETS=8 SLOTS=2 RESERVED_HEADS=4 TAIL=0" \
    "SETS=3 SLOTS=1 RESERVED_HEADS=1 EARLY_FREE=1" "SETS=5 SLOTS=8 RESERVED_HEADS=2 TAIL=1 GATE=0 DATA_W=64"; do
    expect 0 "$MEMTWIN" cosim dl_mshr $(printf -- '-p %s ' $point) --cycles 1000000
    echo "dl_mshr $point"
    tail -n 3 "$work/out"
done
finish
