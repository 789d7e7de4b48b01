#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# Rows for programs: list, study --list and cosim write the same as CSV and as JSON.
. tests/lib.bash
. tests/study.bash

for list in workloads configs blocks policies stats keys; do
    expect 0 "$MEMTWIN" list $list --json "$work/$list.json"
    expect 0 "$MEMTWIN" list $list --csv -
    is "$list: rows" "$(jq length "$work/$list.json")" "$(($(wc -l <"$work/out") - 1))"
    is "$list: columns" "$(jq -r '.[0] | keys_unsorted | join(",")' "$work/$list.json")" "$(head -n 1 "$work/out")"
done
is "a number" number "$(jq -r '.[0].default | type' "$work/blocks.json")"
is "statistics" "$("$MEMTWIN" list stats | wc -l)" "$(jq length "$work/stats.json")"
expect_line 1 "--csv and --json exclude each other" "$MEMTWIN" list keys --csv - --json -
expect_line 1 "cannot write $work/no/x: No such file" "$MEMTWIN" list keys --csv "$work/no/x"

printf '[study]\nconfig = tiny\nworkload = addvect:32 atax:16\n' >"$work/one.ini"
expect 0 "$MEMTWIN" study "$work/one.ini" -q -o "$work/one.db"
expect 0 "$MEMTWIN" study --list "$work/one.db" --json "$work/runs.json"
is "runs" "$(sql "$work/one.db" "SELECT json_group_array(json_array(n, workload, cycles)) FROM result" | jq -c .)" "$(jq -c 'map([.run, .workload, .cycles])' "$work/runs.json")"
expect_line 1 "--csv and --json need --list" "$MEMTWIN" study "$work/one.ini" --csv -

expect 0 "$MEMTWIN" cosim in_fifo --cycles 3000 --model-only --json "$work/cosim.json"
is "points" "$(grep -c '^  [^ ].* [0-9]* *-$' "$work/out")" "$(jq length "$work/cosim.json")"
is "the verdict" '["PASS",3000]' "$(jq -c '.[0] | [.verdict, .cycles]' "$work/cosim.json")"
finish
