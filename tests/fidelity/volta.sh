#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 5 s
# Micro traces on qv100 and titanv take Accel-Sim's cycles within the bounds of sim/experiments/fidelity/qv100.txt and titanv.txt, and the
# tables of docs/results/fidelity.md have them. With a port for each SM, the first trace of titanv.txt is off.
. tests/lib.bash
n=0
while read -r name theirs bound; do
    ours=$("$MEMTWIN" run -c qv100 -s sm.launch_latency=0 -t "sim/experiments/fidelity/micro/$name.traceg.xz" -q --json - 2>/dev/null | jq .cycles)
    error=$(awk -v o="$ours" -v t="$theirs" 'BEGIN { printf "%+.1f", 100 * (o - t) / t }')
    echo "| \`$name\` | $theirs | $ours | $error |" >>"$work/table"
    awk -v e="$error" -v b="$bound" 'BEGIN { exit !(e <= b && -e <= b) }' || complain "$name: $ours cycles, Accel-Sim $theirs: $error % off, bound $bound %"
    n=$((n + 1))
done < <(grep -v '^#' sim/experiments/fidelity/qv100.txt)
near=$(awk -F '[|]' '{ e = $5 < 0 ? -$5 : $5; n += e <= 3 } END { print n }' "$work/table")
tr '\n' ' ' <docs/results/fidelity.md | grep -qF "Of $n micro traces, $near are within 3 %" || complain "docs/results/fidelity.md: not $near of $n within 3 %"
# A figure of the text.
"$MEMTWIN" trace export -w addvect:131072 -o "$work/addvect" >/dev/null 2>&1
for first in no yes; do
    "$MEMTWIN" run -c rtx3070 -s sm.launch_latency=0 -s dram.delay_first=$first -t "$work/addvect" -q --json - 2>/dev/null | jq .cycles
done >"$work/first"
grep -q "on rtx3070 $(head -n 1 "$work/first") cycles without, $(tail -n 1 "$work/first") with" docs/results/fidelity.md ||
    complain "docs/results/fidelity.md: dram.delay_first gives $(xargs <"$work/first")"
[ $n -ge 30 ] || complain "only $n micro traces"
awk '/^## /{ p = /^## Volta/ } p && /^\| `m_/' docs/results/fidelity.md | diff - "$work/table" >"$work/diff" ||
    complain "docs/results/fidelity.md, Volta: $(head -n 6 "$work/diff")"
# Two SMs share a port of the crossbar.
cycles() { # TRACE OPTION...: on titanv
    "$MEMTWIN" run -c titanv -s sm.launch_latency=0 -t "sim/experiments/fidelity/micro/$1.traceg.xz" -q --check "${@:2}" --json - 2>/dev/null | jq .cycles
}
while read -r name theirs bound what; do
    ours=$(cycles "$name")
    echo "| \`$name\` | $what | $theirs | $ours | $(cycles "$name" -s icnt.sms_per_port=1) |" >>"$work/ports"
    awk -v o="$ours" -v t="$theirs" -v b="$bound" 'BEGIN { e = 100 * (o - t) / t; exit !(e <= b && -e <= b) }' ||
        complain "$name on titanv: $ours cycles, Accel-Sim $theirs, bound $bound %"
    [ "$ours" = "$(cycles "$name" -s sim.skip=no)" ] || complain "$name on titanv: skipping changes cycles"
done < <(grep -v '^#' sim/experiments/fidelity/titanv.txt)
awk '/^## /{ p = /^## Shared ports/ } p && /^\| `m_/' docs/results/fidelity.md | diff - "$work/ports" >"$work/diff" ||
    complain "docs/results/fidelity.md, Shared ports: $(head -n 6 "$work/diff")"
finish
