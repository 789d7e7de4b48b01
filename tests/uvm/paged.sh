#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Whole runs with paging: the data check across evictions, with and without skipping, policies, two passes, and traces. In tier test each
# policy is used with one way to serve faults, two kernels run instead of four, and every second policy runs.
# tier: test, 12 s; full, 30 s; long, 40 s
. tests/lib.bash
run=("$MEMTWIN" run -c tiny -q -s uvm.mode=paged)

# run_one NAME OPTION...: runs with the check, and checks that skipping changes no statistic.
run_one() {
    local name=$1
    shift
    expect 0 "${run[@]}" --check --json "$work/skip.json" "$@"
    expect 0 "${run[@]}" --check --json "$work/all.json" "$@" -s sim.skip=no
    jq -es '[.[].stats] | .[0] == .[1] and (.[0] | .uvm_demand_pages == .uvm_faults
            and .uvm_demand_pages + .uvm_prefetched_pages - .uvm_evictions <= .uvm_memory_pages
            and .pcie_read_bytes >= 4096 * (.uvm_demand_pages + .uvm_prefetched_pages))' "$work/skip.json" "$work/all.json" >/dev/null ||
        complain "$name: skipping changes statistics, or pages are lost: $(diff <(jq .stats "$work/skip.json") <(jq .stats "$work/all.json") | head -n 6)" \
            "$(jq -c '.stats | [.uvm_demand_pages, .uvm_faults, .uvm_prefetched_pages, .uvm_evictions, .uvm_memory_pages, .pcie_read_bytes]' "$work/skip.json")"
}

# holds NAME CONDITION: checks the condition on the statistics of the last run.
holds() {
    jq -e ".stats | $2" "$work/skip.json" >/dev/null || complain "$1: not so: $2"
}

# No page is evicted if all pages fit.
run_one "all fits" -w bfs:256
holds "all fits" '.uvm_evictions == 0 and .uvm_refaults == 0 and .pcie_write_bytes == 0 and .uvm_full_cycle == 0'

for kernel in bfs:256 gemm:40 sssp:256 transpose:64; do
    [ "$TIER" != test ] || [[ $kernel =~ ^(bfs|transpose) ]] || continue
    for percent in 70 20; do
        run_one "$kernel at $percent %" -w $kernel -s uvm.memory_percent=$percent
        holds "$kernel at $percent %" '.uvm_evictions > 0 and .uvm_refaults > 0 and .uvm_evicted_dirty > 0'
        holds "$kernel at $percent %" '.pcie_write_bytes == 4096 * .uvm_evictions'
    done
    holds "$kernel at $percent %" '.uvm_l1d_invalidations > 0 and .uvm_l2_invalidations > 0'
done
run_one "one frame" -w gemm:16 -s uvm.memory_pages=1
run_one "one fault at a time" -w bfs:256 -s uvm.memory_percent=50 -s uvm.far_faults=1
run_one "blocking" -w bfs:256 -s uvm.memory_percent=50 -s uvm.faults=blocking
run_one "clean pages stay" -w bfs:256 -s uvm.memory_percent=50 -s uvm.write_back=dirty
holds "clean pages stay" '.pcie_write_bytes == 4096 * .uvm_evicted_dirty and .uvm_evicted_dirty < .uvm_evictions'
run_one "a measured link" -w bfs:256 -s uvm.memory_percent=50 -s pcie.model=curve
run_one "sectors" -w bfs:256 -s uvm.memory_percent=40 -s sm.coalesce=sector -s l2.sectored=yes
run_one "writing through" -w bfs:256 -s uvm.memory_percent=40 -s l2.write=wtwn

policies=$("$MEMTWIN" run -c tiny -w bfs:16 -s uvm.evict=? 2>&1 | sed 's/.* is not one of //; s/ (.*//; s/,//g')
[ "$(wc -w <<<"$policies")" -gt 3 ] || complain "policies: $policies"
# large POLICY: prints a kernel; half of its memory has room for the blocks that cap and ture move
large() {
    if [[ $1 =~ ^(cap|ture)$ ]]; then echo atax:192; else echo bfs:256; fi
}
n=0
for evict in $policies; do
    [ "$TIER" != test ] || [ $((n++ % 2)) = 0 ] || continue
    run_one "evict $evict" -w "$(large $evict)" -s uvm.memory_percent=50 -s uvm.evict=$evict
    holds "evict $evict" '.uvm_evictions > 0'
done
policies=$("$MEMTWIN" run -c tiny -w bfs:16 -s uvm.prefetch=? 2>&1 | sed 's/.* is not one of //; s/ (.*//; s/,//g')
[ "$(wc -w <<<"$policies")" -gt 3 ] || complain "prefetchers: $policies"
n=0
case $TIER in test) step=4 ;; full) step=2 ;; *) step=1 ;; esac
for prefetch in $policies; do
    for service in each set serial; do
        [ $((n++ % step)) = 0 ] || continue
        [ $prefetch-$service != cap-set ] || continue # refused: tests/uvm/capture.sh
        run_one "prefetch $prefetch, $service" -w "$(large $prefetch)" -s uvm.memory_percent=60 -s uvm.service=$service \
            -s uvm.prefetch=$prefetch -s uvm.prefetch_full=$prefetch
        [ $prefetch = none ] || holds "prefetch $prefetch, $service" '.uvm_prefetched_pages > 0'
    done
done

# Before each launch all pages that fit are fetched, so there are no faults, or only faults on the rest.
launch=(-s uvm.user_prefetch=launch)
run_one "user, all fits" -w fdtd2d:64,3 "${launch[@]}"
holds "user, all fits" '.uvm_faults == 0 and .uvm_demand_pages == 0 and .uvm_prefetched_pages == .uvm_footprint_pages'
holds "user, all fits" '.uvm_user_cycles > 0 and .uvm_user_cycles == .pcie_read_busy_cycles and .uvm_evictions == 0'
for evict in lru hpe ideal; do
    run_one "user, half of memory, $evict" -w fdtd2d:64,3 -s uvm.memory_percent=50 -s uvm.evict=$evict "${launch[@]}"
    holds "user, half of memory, $evict" '.uvm_prefetched_pages >= .uvm_memory_pages and .uvm_faults > 0 and .uvm_evictions > 0'
done
# All pages are present from the start: they are translated and never faulted on, and the run is as long as after a prefetch.
run_one "resident" -w fdtd2d:64,3 -s uvm.resident=yes
holds "resident" '.uvm_faults + .pcie_read_bytes + .uvm_prefetched_pages + .uvm_user_cycles == 0 and .gmmu_walk_hits > 0 and .uvm_touched_pages == .uvm_footprint_pages'
resident=$(jq .stats.cycles "$work/skip.json")
run_one "user, all fits" -w fdtd2d:64,3 "${launch[@]}"
holds "resident" "$resident - (.cycles - .uvm_user_cycles) | fabs < 0.01 * $resident"
expect_line 1 "uvm.memory_percent=50 needs uvm.resident=no" "${run[@]}" -w fdtd2d:64,3 -s uvm.resident=yes -s uvm.memory_percent=50
for service in each set serial; do
    [ "$TIER-$service" != test-set ] || continue
    run_one "user and tree, $service" -w fdtd2d:64,3 -s uvm.memory_percent=60 -s uvm.prefetch=tree -s uvm.prefetch_full=tree \
        -s uvm.service=$service -s uvm.write_back=dirty "${launch[@]}"
    holds "user and tree, $service" '.uvm_faults > 0 and .uvm_user_cycles > 0'
done

# The ideal policy evicts the fewest pages.
for evict in lru ideal; do
    expect 0 "${run[@]}" -w mvt:64 -s uvm.memory_percent=60 -s uvm.evict=$evict --json "$work/$evict.json"
done
jq -es '.[0].stats.uvm_evictions > .[1].stats.uvm_evictions' "$work/lru.json" "$work/ideal.json" >/dev/null ||
    complain "ideal evicts no less than lru"

# A trace has no arrays: regions become pages when they are touched, in the same way in both passes.
expect 0 "$MEMTWIN" trace export -w bfs:256 -o "$work/trace" -q
list="$work/trace/kernelslist.g"
for evict in lru ideal; do
    run_one "trace, $evict" -t "$list" -s uvm.memory_pages=2 -s uvm.evict=$evict
    holds "trace, $evict" '.uvm_evictions > 0'
done
expect_line 1 "use uvm.memory_pages" "${run[@]}" -t "$list" -s uvm.memory_percent=50
expect_line 1 "uvm.user_prefetch=launch needs the arrays" "${run[@]}" -t "$list" "${launch[@]}"
expect_line 1 "uvm.resident=yes needs the arrays" "${run[@]}" -t "$list" -s uvm.resident=yes
expect_line 1 "which a trace does not contain" "$MEMTWIN" run -c tiny -q -t "$list" -s uvm.mode=copy

# All data are copied first, in one piece for each array.
expect 0 "$MEMTWIN" run -c tiny -q -w bfs:256 -s uvm.mode=copy --check --json "$work/skip.json"
holds copy '.uvm_copy_cycles > 0 and .uvm_copy_cycles == .pcie_read_busy_cycles and .uvm_faults == 0'
finish
