#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every kernel verifies and passes the data check with every scheduler, and with lines, segments and sectors: the instructions are the same, and
# the larger units make no more accesses. No policy makes a kernel hang, however strict it is. Tier test runs one pair in five,
# tier full every third one.
# tier: test, 3 s; full, 8 s; long, 20 s
source tests/lib.bash

# limits TWO_LEVEL SWL: prints the options that limit the active warps of $scheduler, if it has a limit
limits() {
    case $scheduler in
    two_level) echo -s sm.active_warps="$1" ;;
    swl) echo -s sm.active_warps="$2" ;;
    esac
}

kernels="addvect:4096 2dconv:64 gemm:32 atax:48 bfs:512 kmeans:512,10,3,1 hotspot:32,2,2 ra:1024"
for scheduler in gto lrr two_level swl; do
    for kernel in $kernels; do
        turn 5 3 || continue
        for coalesce in line segment sector; do
            expect 0 $MEMTWIN run -c tiny -w "$kernel" -q --check --json "$work/$coalesce.json" \
                -s sm.scheduler=$scheduler -s sm.coalesce=$coalesce $(limits 3 2)
            [ "$(jq '.verified and .stats.load_lines > 0' "$work/$coalesce.json")" = true ] ||
                complain "$scheduler, $coalesce: $kernel is not verified"
        done
        jq -es '(map(.stats.warp_insts) | unique | length == 1) and (map(.stats.load_lines) | . == sort)' \
            "$work/line.json" "$work/segment.json" "$work/sector.json" >/dev/null ||
            complain "$scheduler: $kernel: fewer sectors than segments, or segments than lines, or other instructions"
    done
done

# Every kernel ends even if warps run one at a time, including kernels with barriers, with all CTAs on one SM, and with PDP.
while read -r kernel; do
    for scheduler in lrr two_level swl; do
        turn 5 3 || continue
        expect 0 $MEMTWIN run -c gtx480 -w "$kernel" -q --check -s sm.count=1 -s sm.scheduler=$scheduler $(limits 1 1)
    done
    turn 5 3 || continue
    expect 0 $MEMTWIN run -c gtx480 -w "$kernel" -q --check -s sm.scheduler=swl -s sm.active_warps=2 -s l1d.bypass=pdp \
        -s l1d.protect_distance=8
done <tests/gpu/small_kernels.txt
finish
