#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 7 s
# The commands of README.md and of docs/use/getting_started.md run, and print what the pages show.
. tests/lib.bash

blocks sh docs/use/getting_started.md | grep -v '^make$' | sed "s#build/\(question\|bfs\)#$work/\1#g; s#^build/memtwin#$MEMTWIN#" >"$work/page.sh"
blocks sh README.md | grep -E '^build/memtwin (run -q|list)' | sed "s#^build/memtwin#$MEMTWIN#" >"$work/readme.sh"
for page in page readme; do
    bash -e "$work/$page.sh" >"$work/$page.out" 2>&1 || complain "$page.sh failed: $(tail -3 "$work/$page.out")"
done
[ -s "$work/bfs.trace.gz" ] && jq -e '.ipc > 0' "$work/bfs.json" >/dev/null || complain "docs/use/getting_started.md: no JSON or no timeline was written"
[ -s "$work/question.html" ] || complain "docs/use/getting_started.md: no report was written"

shown=0
for page in page:docs/use/getting_started.md readme:README.md; do
    while read -r line; do
        grep -qF -- "$line" "$work/${page%%:*}.out" || complain "${page#*:}: not printed: $line"
        shown=$((shown + 1))
    done < <(blocks text "${page#*:}" | grep -vE '^  (Twins|Misses|Speed) |^ {11}') # make run's, which tests/cli/figures.sh has
done
grep -q 'IPC 0\.0615, 28 twins' "$work/readme.out" && [ "$shown" -gt 20 ] || complain "only $shown lines of output were found"
finish
