#!/bin/bash
# static_mshr in lockstep alone, as tests/dl_mshr/cosim.sh.
. tests/lib.bash

for point in "ENTRIES=32 SLOTS=8" "ENTRIES=32 SLOTS=4 DATA_W=1024 ID_W=16" "ENTRIES=5 SLOTS=1" "ENTRIES=3 SLOTS=3 DATA_W=8" "ENTRIES=4 SLOTS=64"; do
    params=$(printf -- '-p %s ' $point)
    expect 0 "$MEMTWIN" cosim static_mshr $params --cycles 150000 --seed 11
    expect 0 "$MEMTWIN" cosim static_mshr $params --cycles 4000 --seed 12 --model-only --record "$work/point.vec"
    expect 0 "$MEMTWIN" replay "$work/point.vec" --engine icarus
    echo "static_mshr $point"
done
finish
