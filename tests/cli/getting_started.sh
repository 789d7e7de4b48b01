#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 7 s
# The commands of README.md and of docs/use/getting_started.md run, and print what the pages show.
. tests/lib.bash

# blocks LANGUAGE PAGE: prints the page's fenced blocks of that language
blocks() { awk -v fence='```'"$1" '$0 == fence { p = 1; next } /^```/ { p = 0 } p' "$2"; }

blocks sh docs/use/getting_started.md | grep -v '^make$' | sed "s#build/question#$work/question#g; s#^build/memtwin#$MEMTWIN#" >"$work/page.sh"
blocks sh README.md | grep -E '^build/memtwin (run .*--twin|list)' | sed "s#^build/memtwin#$MEMTWIN#" >"$work/readme.sh"
for page in page readme; do
    bash -e "$work/$page.sh" >"$work/$page.out" 2>&1 || complain "$page.sh failed: $(tail -3 "$work/$page.out")"
done
[ -s "$work/question.html" ] || complain "docs/use/getting_started.md: no report was written"

shown=0
for page in page:docs/use/getting_started.md readme:README.md; do
    while read -r line; do
        grep -qF -- "$line" "$work/${page%%:*}.out" || complain "${page#*:}: not printed: $line"
        shown=$((shown + 1))
    done < <(blocks text "${page#*:}")
done
[ "$shown" -gt 25 ] || complain "only $shown lines of output were found"
finish
