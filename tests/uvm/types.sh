#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The six types of access patterns in a system with paging, with every eviction policy: the number of faults where it is known, and the
# ranking of the policies. One warp makes the references in order, so the numbers depend only on the reference strings
# (docs/understand/eviction.md). The TLBs are smaller than a region of type VI, as in real machines. In tier test, memory holds half of
# the pages.
# tier: test, 6 s; full, 25 s
. tests/lib.bash

K=1200 N=3

# measure POLICY TYPE PERCENT WARPS: sets `faults` and `evictions`.
measure() {
    expect 0 "$MEMTWIN" run -c gtx480 -w "patterns:$2,$K,$N,$4,2" -s uvm.mode=paged -s uvm.memory_percent="$3" -s uvm.evict="$1" \
        -s tlb.l1_entries=16 -s tlb.l2_entries=64 --check -q --json "$work/json"
    read -r faults evictions < <(jq -r '.stats | "\(.uvm_faults) \(.uvm_evictions)"' "$work/json")
}

# faults_are NUMBER POLICY TYPE PERCENT
faults_are() {
    measure "$2" "$3" "$4" 1
    [ "$faults" -eq "$1" ] || complain "$2, type $3, $4 %: $faults faults instead of $1"
}

# at_most PERCENT_OF NUMBER POLICY TYPE PERCENT WARPS: checks the number of evictions.
at_most() {
    measure "$3" "$4" "$5" "$6"
    [ $((100 * evictions)) -le $(($1 * $2)) ] || complain "$3, type $4, $5 %: $evictions evictions, more than $1 % of $2"
}

for percent in $([ "$TIER" = test ] || echo 75) 50; do
    fits=$((K * percent / 100))
    for policy in $(sed -n 's/^EVICTOR(\(.*\))/\1/p' cmodel/evict/evict.def); do
        faults_are $K "$policy" 1 $percent
    done
    for type in 2 5; do
        faults_are $((N * K)) lru $type $percent
        faults_are $((K + (N - 1) * (K - fits))) ideal $type $percent
        at_most 98 $((N * K - fits)) random $type $percent 1
    done
    for type in 3 4 6; do
        faults_are $K lru $type $percent
        faults_are $K ideal $type $percent
    done
    at_most 80 $((N * K - fits)) hpe 2 $percent 1
    at_most 110 $((K - fits)) hpe 6 $percent 1
    at_most 105 $((K - fits)) lru 6 $percent 8
    at_most 80 $((N * K - fits)) hpe 2 $percent 8
done
finish
