#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A trace run with twins has the same statistics. If a twin differs, a second run of the trace records it.
. tests/lib.bash

expect 0 "$MEMTWIN" trace export -w atax:64 -o "$work/t" -q
run=("$MEMTWIN" run -c tiny -t "$work/t/kernelslist.g" -s l1d.mshr=dl --check)
expect 0 "${run[@]}" --json "$work/none.json"
cp -r rtl "$work/rtl"
sed -i "s/rsp_last  = at_end/rsp_last  = 1'b1 || at_end/" "$work/rtl/mshr/mshr_drain.v"
! cmp -s rtl/mshr/mshr_drain.v "$work/rtl/mshr/mshr_drain.v" || complain "the fault can no longer be planted"
expect 3 env MEMTWIN_RTL="$work/rtl" MEMTWIN_TWINS="$work/twins" "${run[@]}" --twin l1d.0.mshr --json "$work/x.json"
file=$(echo "$work"/memtwin-*-l1d.0.mshr-*.vec)
[ -r "$file" ] || complain "no replay file: $(ls "$work")"
expect 0 "${run[@]}" --twin 'l*.0.mshr:drive,in_fifo' --json "$work/drive.json"
grep -qE '\b2 in_fifo: [0-9,]+ cycles' "$work/out" || complain "the report does not count by block"
jq -e '.lockstep | .twins == 4 and .cycles > 4000 and .mismatches == 0 and
    (.blocks | map({block, twins})) == [{block: "dl_mshr", twins: 1}, {block: "static_mshr", twins: 1}, {block: "in_fifo", twins: 2}] and
    ([.blocks[].cycles] | add) == .cycles and ([.blocks[].evaluated] | add) == .evaluated and all(.blocks[]; .cycles > 1000 and .evaluated <= .cycles and .mismatches == 0)' "$work/drive.json" >/dev/null ||
    complain "twins: $(jq -c .lockstep "$work/drive.json")"
cmp <(jq .stats "$work/none.json") <(jq .stats "$work/drive.json") || complain "driven by twins: the statistics differ"
finish
