#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 10 s
# Traces of several CUDA streams on qv100 take Accel-Sim's cycles within the bounds of sim/experiments/fidelity/streams.txt, at once and one
# by one, and the table of docs/results/fidelity.md has them.
. tests/lib.bash
cycles() { "$MEMTWIN" run -c qv100 -s sm.launch_latency=0 -t "$work/$name" -q "$@" --json - 2>/dev/null | jq .cycles; }
while read -r name both turns bound kernels; do
    IFS=/ read -ra list <<<"$kernels"
    sim/experiments/fidelity/stream_trace.sh "$work/$name" "${list[@]}"
    ours=$(cycles -s cke.kernels=128)
    row="| \`$name\` | $both | $ours | $turns | $(cycles) |"
    error=$(awk -v o="$ours" -v t="$both" 'BEGIN { printf "%+.1f", 100 * (o - t) / t }')
    echo "$row $error |" >>"$work/table"
    awk -v e="$error" -v b="$bound" 'BEGIN { exit !(e <= b && -e <= b) }' || complain "$name: $ours cycles, Accel-Sim $both: $error % off"
done < <(grep -v '^#' sim/experiments/fidelity/streams.txt)
awk '/^## /{ p = /^## Streams/ } p && /^\| `/' docs/results/fidelity.md | diff - "$work/table" >"$work/diff" || complain "docs/results/fidelity.md, Streams: $(cat "$work/diff")"
finish
