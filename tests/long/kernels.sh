#!/bin/bash
# Every kernel at its default size on pascal28, static and DL, data checked, all twins in lockstep.
. tests/lib.bash

for workload in addvect 2dconv gemm atax bfs kmeans hotspot ra; do
    for mshr in static dl; do
        expect 0 "$MEMTWIN" run -c pascal28 -w $workload -s l1d.mshr=$mshr -s l2.mshr=$mshr --check --twin ${mshr}_mshr -q
        cat "$work/out"
    done
done
finish
