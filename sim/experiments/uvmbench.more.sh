#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Called by experiment.sh: makes data for uvmbench.sql that a study cannot produce. Runs each launch several times in a row, with explicit copies and with
# paging (Figure 5.3); counts pages in windows of 1024 warp memory instructions; lists pages over time (Figure 5.1). Writes to $OUT
# uvmbench_repeat.json, uvmbench_windows.json, uvmbench_pages_N.dat. Does not repeat existing runs of the same program.
#
#   OUT=FOLDER MEMTWIN=PROGRAM sim/experiments/uvmbench.more.sh [WORKLOAD[:SIZE]]...
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
: "${MEMTWIN:=build/memtwin}" "${OUT:=build/report}"
# part SECTION [FILE]: prints the lines of a section
part() {
    sed -n "/^\[$1\]/,/^\$/{/^\[/d; p}" "sim/experiments/${2:-uvmbench}.ini"
}
workloads() { # [FILE]
    { part 'group regular' "$@" && part 'group irregular' "$@"; } | sed 's/^workload = //' | xargs -n 1
}
mapfile -t windows < <(workloads)
mapfile -t drawn < <(workloads uvmbench.small)
mapfile -t repeated < <(workloads uvmbench.small | grep -E '^(2dconv|backprop|hotspot|gesummv|pathfinder):')
[ $# -eq 0 ] || { repeated=("$@") && windows=("$@") && drawn=("$@"); }
mkdir -p "$OUT/uvmbench.runs"

# Writes the study's keys to a file, because -s refuses keys that have no effect with explicit copies.
machine=$OUT/uvmbench.runs/uvm28.ini
{ echo 'base = uvm28' && echo '[uvm]' && part set | sed -n 's/^uvm\.//p'; } >"$machine"
again() { # WORKLOAD N MODE: prints a row
    local run=(-q -c "$machine" -w "$1" --repeat "$2" -s "uvm.mode=$3") file="$OUT/uvmbench.runs/$1.$2.$3.json"
    [ "$(jq -r .identity "$file" 2>/dev/null)" = "$("$MEMTWIN" run "${run[@]}" --identity)" ] || tool "$MEMTWIN" run "${run[@]}" --json "$file" >&2
    jq -c --arg w "$1" --argjson n "$2" --arg m "$3" \
        '{workload: $w, n: $n, mode: $m, ipc: .derived.kernel_ipc}' "$file"
}
for workload in "${repeated[@]}"; do
    for n in 1 2 4 8 16 32; do
        for mode in copy paged; do again "$workload" "$n" "$mode"; done
    done
done | jq -s . >"$OUT/uvmbench_repeat.json"

for workload in "${windows[@]}"; do
    "$MEMTWIN" pages -w "$workload" | sed -n -e 's/^all  *[0-9]*  *\([0-9]*\) .*/\1/p' \
        -e 's/^windows .*: [0-9]*; .*: \([0-9.]*\) on average, \([0-9]*\) at most$/\1 \2/p' | xargs echo "$workload"
done | jq -nR '[inputs | split(" ") | {workload: .[0], touched: .[1] | tonumber, mean: .[2] | tonumber, most: .[3] | tonumber}]' >"$OUT/uvmbench_windows.json"

# Writes the references as a grid of 48 columns of time and 24 rows of pages, with one line for adjacent cells. Pages are numbered continuously across arrays.
for i in "${!drawn[@]}"; do
    file=$OUT/uvmbench.runs/pages.csv
    "$MEMTWIN" pages -q -w "${drawn[i]}" --csv "$file"
    read -r last pages < <(awk -F, 'NR > 1 { last = $1; if (!seen[$3]++) n++ } END { print last, n }' "$file")
    echo "# ${drawn[i]}" >"$OUT/uvmbench_pages_$i.dat"
    awk -F, 'NR > 1 && !seen[$3]++ { print $3 }' "$file" | sort -n | awk -v rows="$pages" '{ print $1, int(24 * (NR - 1) / rows) }' |
        awk -v last="$last" 'NR == FNR { row[$1] = $2; next } FNR > 1 { split($0, f, ","); x = int(48 * f[1] / (last + 1)); if (!seen[x, row[f[3]]]++) print x, row[f[3]] }' \
            - "$file" | sort -k 2,2n -k 1,1n | awk '$2 == y && $1 == x + 1 { x = $1; next } { if (NR > 1) print x + 1, y "\n"; print x = $1, y = $2 } END { print x + 1, y }' >>"$OUT/uvmbench_pages_$i.dat"
    rm "$file"
done
