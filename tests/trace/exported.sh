#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every workload, exported and run as a trace, gives the statistics of the workload itself, or similar ones if the export must split its runs.
# No line names more registers than Accel-Sim reads. Tier test runs every third workload,
# tier full every second.
# tier: test, 5 s; full, 10 s; long, 20 s
. tests/lib.bash

declare -A size=([addvect]=4096 [2dconv]=48 [gemm]=40 [atax]=48 [bfs]=1000 [kmeans]=500,5,3,3 [hotspot]=48,2,4 [ra]=20000
    [bicg]=48 [mvt]=48 [gesummv]=48 [3dconv]=12 [fdtd2d]=32,2 [corr]=24 [syrk]=24 [sssp]=500
    [backprop]=256 [gaussian]=24 [nw]=48 [pathfinder]=600,8,4 [srad]=48,1 [sc]=512,4,4,4 [cfd]=512,1 [btree]=2000,20,30
    [transpose]=64 [spmv]=1000,1 [stencil]=70,4,2 [scan]=5000 [fwt]=12 [dwt2d]=80,2 [histo]=3000,6 [sn]=11
    [syr2k]=24 [covar]=24 [lud]=48 [scalarprod]=3000,4 [pfilter]=100,2 [misses]=2,4 [chase]=5,40 [stream]=3000,96,3 [cached]=5,3,4 [strides]=3,5,128 [conflicts]=4,9,2 [patterns]=5,40,2,3,4
    [hotspot3d]=64,3,2 [leukocyte]=2,45,2,1,2 [hybridsort]=5000,2 [heartwall]=2,3,3,2 [sgemm]=128,32,24 [mriq]=512,33 [sad]=16,16
    [alignedtypes]=5120,1
    [asyncapi]=8192
    [blackscholes]=3000,1
    [sobolqrng]=2000,3,2
    [qrng]=1000,1
    [binomialoptions]=3,96
    [lbm]=20,3,2
    [cutcp]=16,8,4
    [convsep]=128,64
    [reduction]=6000
    [mergesort]=5120
    [radixsort]=2560
    [2mm]=24
    [3mm]=24
    [gramschm]=16
    [knn]=64,16,6,1
    [svm]=20,2,16
    [lr]=300,6,2
    [kmeans2]=80,3,1
    [bfs2]=700,1,8
    [bn]=9,4,1,1
    [cnn]=1)
# Workloads with instructions that wait for more than 4 registers, or whose results a warp uses one by one.
split=" cfd histo hotspot3d stencil "
xz=()
expanded() { if [[ $1 = *.xz ]]; then xz -dc "$1"; else cat "$1"; fi; }
registers() { # WORKLOAD
    for file in "$work"/trace/kernel-*; do
        expanded "$file" | awk '$1 ~ /^[0-9a-f]+$/ && $2 ~ /^[0-9a-f]+$/ { n++; if ($3 > 1 || $($3 + 5) > 4) print }
            END { if (!n) print "no instruction" }' >"$work/lines"
        [ -s "$work/lines" ] && complain "$1, $(basename "$file"): too many registers: $(head -1 "$work/lines")"
    done
}
alike() { # WORKLOAD
    jq -es 'map(.stats | [.warp_insts, .thread_insts, .load_insts, .store_insts, .l1d_accesses]) as $same
        | (.[1].cycles / .[0].cycles) as $longer | $same[0] == $same[1] and $longer > 0.96 and $longer < 1.04' \
        "$work/direct.json" "$work/trace.json" >/dev/null || complain "$1: other instructions or cycles"
}
same() { # CONFIG WORKLOAD
    expect 0 "$MEMTWIN" run -c "$1" -w "$2" -q --json "$work/direct.json"
    expect 0 "$MEMTWIN" run -c "$1" -t "$work/trace/kernelslist.g" -q --json "$work/trace.json"
    if [[ $split = *" ${2%%:*} "* ]]; then
        alike "$2 on $1"
        return
    fi
    cmp <(jq -S .stats "$work/direct.json") <(jq -S .stats "$work/trace.json") || complain "$2 on $1: the statistics differ"
    jq -e '.cycles > 1000 or .config == "pascal28"' "$work/trace.json" >/dev/null || complain "$2 on $1: hardly ran"
}

for name in $("$MEMTWIN" list workloads | awk '/^[^ ]/ { print $1 }'); do
    [ -n "${size[$name]:-}" ] || {
        complain "$name has no small size in this test"
        continue
    }
    turn 3 2 || continue
    workload=$name:${size[$name]}
    expect 0 "$MEMTWIN" trace export -w "$workload" -o "$work/trace" "${xz[@]}"
    grep -qE "^$work/trace: [0-9]+ kernels?, " "$work/out" || complain "$workload: $(cat "$work/out")"
    registers "$workload"
    same tiny "$workload"
    case $name in addvect | bfs) same pascal28 "$workload" ;; esac
    rm -r "$work/trace"
    [ ${#xz[@]} -eq 0 ] && xz=(--xz) || xz=() # every second one is compressed
done
finish
