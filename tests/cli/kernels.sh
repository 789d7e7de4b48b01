#!/bin/bash
# Every kernel, small, on the tiny machine: results right, data checked, all twins in lockstep.
. tests/lib.bash

for workload in addvect:2048 2dconv:48 gemm:32 atax:64 bfs:512 kmeans:256,4,3,2 hotspot:64,2,4 ra:2048 \
    bicg:40 mvt:40 gesummv:32 3dconv:10 fdtd2d:24,2 corr:16 syrk:16; do
    for options in "-s l1d.mshr=static -s l2.mshr=static" "-s l1d.mshr=dl -s l2.mshr=dl" \
        "-s l1d.mshr=dl -s l2.mshr=dl -s l1d.dl_tail=0 -s l2.dl_tail=1 -s l1d.dl_early_free=1" "-s l1d.enabled=0"; do
        expect 0 "$MEMTWIN" run -c tiny -w $workload $options --check --twin '*' --json "$work/x.json" -q
        jq -e '.verified and .lockstep.twins >= 2 and .lockstep.mismatches == 0 and .check.loads > 0' "$work/x.json" >/dev/null ||
            complain "$workload, $options: $(jq -c '[.end, .lockstep, .check]' "$work/x.json")"
    done
done
finish
