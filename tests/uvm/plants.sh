#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Faults planted in unified memory are found: the data check gives exit code 4, and a hang gives 5 and a dump.
. tests/lib.bash
run=("$MEMTWIN" run -c tiny -s uvm.mode=paged -s uvm.memory_percent=50)

kernels=(bfs:512 mvt:64)

# plant FAULT CODE TEXT OPTION...
plant() {
    local fault=$1 code=$2 text=$3
    shift 3
    for kernel in "${kernels[@]}"; do
        expect "$code" "${run[@]}" -w $kernel -s sim.planted_fault=$fault "$@"
        grep -q "$text" "$work/err" || complain "$fault, $kernel: no '$text' in $(head -n 3 "$work/err")"
    done
}

plant no_shootdown 4 "access to a page that is not in GPU memory" --check
plant lose_page 4 "stale data\|lost store" --check
plant keep_lines 4 "which leaves or arrives, is in a cache" --check
plant lose_frame 4 "frames are in use" --check
plant lose_arrival 5 "no progress" -s sim.no_progress_cycles=2000
grep -q "uvm page .* wait" "$work/err" || complain "lose_arrival: the dump does not name the waiting warps"
capture=(-s uvm.prefetch=cap -s uvm.prefetch_full=cap -s uvm.evict=ture)
kernels=(atax:192 mvt:192) # half of their pages are at least one block
plant lose_page 4 "stale data\|lost store" --check "${capture[@]}"
plant lose_frame 4 "frames are in use" --check "${capture[@]}"
expect 0 "${run[@]}" -w bfs:512 --check
expect_line 1 "no opportunity" "${run[@]}" -w addvect:256 -s uvm.memory_percent=0 -s sim.planted_fault=lose_frame --check
finish
