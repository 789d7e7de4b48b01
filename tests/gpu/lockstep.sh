#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every kernel at a small size passes the data check in lockstep with the RTL: DL-MSHRs in the L1D and the L2 of a tiny machine, and CART before
# L2 partitions of cart28. Tier full runs half of the kernels, each on one of the two machines, tier test an eighth, and tier long all on both.
# tier: test, 11 s; full, 15 s; long, 50 s
. tests/lib.bash

kernels=$("$MEMTWIN" list workloads | sed -n 's/^\([a-z0-9]\+\) .*/\1/p' | sort)
[ "$(sed 's/:.*//' tests/gpu/small_kernels.txt | sort)" = "$kernels" ] ||
    complain "tests/gpu/small_kernels.txt does not have every kernel once"
case $TIER in test) of=32 tiny='^(2|12)$' cart='^(1|15)$' ;; full) of=8 tiny='^[24]$' cart='^[17]$' ;; *) of=1 tiny=0 cart=0 ;; esac
n=0
while read -r w; do
    n=$((n + 1))
    if [[ $((n % of)) =~ $tiny ]]; then
        expect 0 "$MEMTWIN" run -q -c tiny -w "$w" -s l1d.mshr=dl -s l2.mshr=dl --twin '*.mshr' --check --json "$work/x.json"
        jq -e '.verified and .lockstep.twins >= 4 and .lockstep.cycles > 0 and .lockstep.mismatches == 0
            and (.check.loads > 0 or .stats.load_insts == 0)' \
            "$work/x.json" >/dev/null || complain "$w: $(jq -c '[.end, .lockstep, .check]' "$work/x.json")"
    fi
    if [[ $((n % of)) =~ $cart ]]; then
        options=()
        if [ $((n % 4)) = 3 ]; then options=(-s l2.cart_fill=branch -s l2.cart_column_lines=4); fi
        expect 0 "$MEMTWIN" run -q -c cart28 -w "$w" -s l2.incoming=cart "${options[@]}" --twin 'l2.*.in' --twin cart --check --json "$work/x.json"
        jq -e '.verified and .lockstep.twins == 16 and .lockstep.cycles > 0 and .lockstep.mismatches == 0 and .stats.reorder_fills > 0' \
            "$work/x.json" >/dev/null || complain "$w: $(jq -c '[.end, .lockstep, .check]' "$work/x.json")"
    fi
done <tests/gpu/small_kernels.txt
finish
