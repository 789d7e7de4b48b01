#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 20 s
# Kernels of a trace's CUDA streams: which run at once, in which order and on which SMs; the limit of cke.kernels; statistics of streams; the
# data check; machines that run them one by one; and bad stream numbers.
. tests/lib.bash

make_trace() { sim/experiments/fidelity/stream_trace.sh "$work/$1" "${@:2}"; }
is() { [ "$2" = "$3" ] || complain "$1: '$3' instead of '$2'"; }
run() { # TRACE OPTION..: runs a trace on qv100 and leaves the statistics in x.json and the kernels in times: STREAM NAME BEGIN END
    expect 0 "$MEMTWIN" run -c qv100 -s sm.launch_latency=0 -t "$work/$1" -q --json "$work/x.json" --detail --timeline "$work/x.timeline" "${@:2}"
    jq -r '.traceEvents[] | select(.ph == "X" and .pid == 1 and .args.stream) | "\(.args.launch) \(.args.stream) \(.name) \(.ts) \(.ts + .dur)"' "$work/x.timeline" |
        sort -n | cut -d ' ' -f 2- >"$work/times"
}
begin() { awk -v name="$1" '$2 == name { print $3 }' "$work/times"; }
end() { awk -v name="$1" '$2 == name { print $4 }' "$work/times"; }
length() { echo $(($(end "$1") - $(begin "$1"))); }
cycles() { jq .cycles "$work/x.json"; }
at_once=(-s cke.kernels=128)

# ---- Overlap: each kernel takes the time that it takes alone, and the SMs are different ones ----
make_trace side '7 40 2 alu 200' '18446744073709551615 40 2 alu 300'
run side "${at_once[@]}" --check
[ ! -s "$work/err" ] || complain "a warning: $(cat "$work/err")"
is "streams of kernels" '7 alu1 18446744073709551615 alu2' "$(cut -d ' ' -f 1,2 "$work/times" | xargs)"
is "both begin at once" '0 0' "$(begin alu1) $(begin alu2)"
longer=$(cycles)
both=$(length alu1)
run side
is "the warning" "memtwin run: $work/side/kernelslist.g: warning: the kernels of 2 streams run one by one: kernels at once need cke.kernels from 2, the number of kernels at once" \
    "$(cat "$work/err")"
is "one by one" "$(end alu1)" "$(begin alu2)"
is "kernels in turn" "$(($(length alu1) + $(length alu2)))" "$(cycles)"
is "the longer kernel" "$(length alu2)" "$longer"
is "the shorter kernel" "$(length alu1)" "$both"

# ---- Statistics of streams ----
run side "${at_once[@]}" --csv "$work/x.csv"
is "rows of streams" '0 7 1 16080, 1 18446744073709551615 1 24080' "$(jq -r '[.detail[] | select(.scope == "stream") |
    "\(.index) \(.name) \(.stats.kernels) \(.stats.warp_insts)"] | join(", ")' "$work/x.json")"
is "sum of streams" "$(jq .stats.warp_insts "$work/x.json")" "$(jq '[.detail[] | select(.scope == "stream").stats.warp_insts] | add' "$work/x.json")"
is "streams of rows of kernels" '0 alu1 7, 1 alu2 18446744073709551615' \
    "$(jq -r '[.detail[] | select(.scope == "kernel") | "\(.index) \(.name) \(.stream)"] | sort | join(", ")' "$work/x.json")"
grep -q '^kernel,1,alu2 (stream 18446744073709551615),warp_insts,' "$work/x.csv" || complain "no stream in the CSV row of a kernel"
grep -q '^stream,0,7,warp_insts,[^,]*,16080' "$work/x.csv" || complain "no CSV row of a stream"

# ---- Order: a stream's kernels follow one another, and its next kernel begins when the one before has ended ----
make_trace turns '1 8 1 alu 100' '1 8 1 alu 100' '0 8 1 alu 500' '1 8 1 alu 100'
run turns "${at_once[@]}"
is "the order of stream 1" "$(end alu1) $(end alu2)" "$(begin alu2) $(begin alu4)"
is "stream 0" 0 "$(begin alu3)"
# Of two kernels, the second is one of the same stream: stream 0 has to wait until a place in the window is free.
run turns -s cke.kernels=2
is "the window" "$(end alu1)" "$(begin alu3)"
is "the window's order" "$(end alu1) $(end alu2)" "$(begin alu2) $(begin alu4)"
# ---- Limit ----
make_trace limit '1 8 1 alu 100' '2 8 1 alu 300' '3 8 1 alu 100' '4 8 1 alu 100'
run limit -s cke.kernels=2
is "two at once" "0 0 $(end alu1) $(end alu3)" "$(begin alu1) $(begin alu2) $(begin alu3) $(begin alu4)"
run limit -s cke.kernels=3
is "three at once" "0 0 0 $(end alu1)" "$(begin alu1) $(begin alu2) $(begin alu3) $(begin alu4)"
many=()
for stream in {1..140}; do many+=("$stream 1 1 alu 20"); done
make_trace many "${many[@]}"
run many "${at_once[@]}" --check
is "140 streams, 128 at once" 128 "$(awk '$3 == 0' "$work/times" | wc -l)"
is "all 140 streams" 140 "$(jq '[.detail[] | select(.scope == "stream" and .stats.kernels == 1)] | length' "$work/x.json")"
# ---- Launch latency: of each kernel from its own launch ----
run turns "${at_once[@]}"
latest=$(end alu4)
run turns "${at_once[@]}" -s sm.launch_latency=1000
is "launch latency" "$((3 * 1000 + latest))" "$(end alu4)"

# ---- CTAs: the next kernel gets an SM only when the one before has no CTA left to start ----
make_trace front '1 1000 4 alu 60' '2 8 4 alu 60'
run front "${at_once[@]}"
first() { # LAUNCH: prints the first cycles of its CTAs
    jq --argjson launch "$1" '.traceEvents[] | select(.ph == "X" and .pid > 1 and .args.launch == $launch).ts' "$work/x.timeline" | sort -n
}
[ "$(first 1 | head -n 1)" -ge "$(first 0 | tail -n 1)" ] || complain "a CTA of the second kernel starts before the last of the first"
[ "$(first 1 | head -n 1)" -lt "$(end alu1)" ] || complain "the second kernel waits for the end of the first"

# ---- L1D: an idle SM forgets its lines; beside another kernel they stay. The data check knows both ----
make_trace kept '1 80 1 same 8 1024' '2 80 1 alu 3000' '1 80 1 same 8 1024'
run kept "${at_once[@]}" --check
hits=$(jq .stats.l1d_hits "$work/x.json")
is "hits in the sectors that stay" $((80 * 8 * 4)) "$hits"
run kept --check
is "hits after the end of all kernels" 0 "$(jq .stats.l1d_hits "$work/x.json")"
make_trace raced '1 40 2 put 8 1024' '2 40 2 same 8 1024' '1 40 2 same 8 1024' '2 40 2 put 8 1024' '3 80 1 alu 2000' '1 40 2 same 8 1024'
run raced "${at_once[@]}" --check
is "loads that are checked" "$(jq .stats.l1d_accesses "$work/x.json")" "$(jq '.check.loads + .stats.l1d_stores' "$work/x.json")"
# A line that stays although its SM is idle is an error. The stores of st3 keep some SMs busy.
make_trace stale '1 8 1 same 8 1024' '1 8 1 put 8 1024' '2 8 1 st 6000 65536' '1 80 1 same 8 1024'
run stale "${at_once[@]}" --check
expect 4 "$MEMTWIN" run -c qv100 -t "$work/stale" -q -s sm.launch_latency=0 "${at_once[@]}" -s sim.planted_fault=stale_line --check
grep -q 'stale data: load of SM 0, ' "$work/err" || complain "a stale line: $(cat "$work/err")"

# ---- Copies: made when their kernel comes into view ----
make_trace copies '1 8 1 alu 400' 'copy 1024 4096' '2 8 1 l1 1 1024'
run copies "${at_once[@]}"
is "a copy is in the L2" 0 "$(jq .stats.dram_reads "$work/x.json")"

# ---- Machines, keys and traces that run kernels one by one ----
one_by_one() { # WHY OPTION..
    expect 0 "$MEMTWIN" run -t "$work/side" -q "${at_once[@]}" "${@:2}"
    grep -q "warning: the kernels of 2 streams run one by one: kernels at once need $1" "$work/err" || complain "$2 $3: $(cat "$work/err")"
    is "$3: warnings" 1 "$(wc -l <"$work/err")"
}
one_by_one 'icache.sets=0: the instruction cache holds the code of only one kernel$' -c gtx480
one_by_one 'l1d.write=wtwn or wewn: ' -c cart28
one_by_one 'cke.partition=none: ' -c tiny -s cke.partition=smk
one_by_one 'no limiter ' -c qv100 -s mil.limit=dynamic
one_by_one 'l1d.partition=none: ' -c tiny -s l1d.partition=ucp
make_trace single '5 8 1 alu 20' '5 8 1 alu 20'
run single
[ ! -s "$work/err" ] || complain "a warning about one stream: $(cat "$work/err")"
is "a stream without rows" 0 "$(jq '[.detail[] | select(.scope == "stream")] | length' "$work/x.json")"
expect 0 "$MEMTWIN" trace check -t "$work/limit"
grep -q '^streams  *4$' "$work/out" || complain "trace check: $(cat "$work/out")"

# ---- Stream numbers ----
for number in x -1 0x10 18446744073709551616 99999999999999999999 '3 4' ''; do
    sed "s/^-cuda stream id = .*/-cuda stream id = $number/" "$work/single/kernel-1.traceg" >"$work/bad.traceg"
    expect_line 1 "bad.traceg:8: expected a number up to 18446744073709551615" "$MEMTWIN" run -c tiny -t "$work/bad.traceg" -q
done
sed -i '/^-cuda stream id/d' "$work/single/kernel-1.traceg"
sed -i 's/^-cuda stream id = 5/-cuda stream id = 0/' "$work/single/kernel-2.traceg"
run single
[ ! -s "$work/err" ] || complain "no line is stream 0: $(cat "$work/err")"
finish
