#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes a coverage report, OUT/NAME.json and OUT/NAME.txt, from OUT/NAME.counts (lines of rtl.awk or c.awk):
#   tb/coverage/report.sh NAME WHAT OUT REASONS ALL
# WHAT has the names of the counters, separated by commas. REASONS is the file that explains holes (explain.awk). ALL is not empty if everything
# was run. The exit code is 1 if a hole is not explained or, with ALL, if a reason explains no hole.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
show_help "$@"
[ $# -eq 5 ] || { echo 'usage: tb/coverage/report.sh NAME WHAT OUT REASONS ALL' >&2; exit 1; }
name=$1 what=$2 out=$3 reasons=$4 all=$5
verdict=0
awk -v all="$all" -f tb/coverage/explain.awk "$reasons" <(grep '^hole' "$out/$name.counts") >"$out/$name.explained" || verdict=$?
[ "$verdict" -le 1 ] || exit 1
{
    grep '^file' "$out/$name.counts"
    cat "$out/$name.explained"
} | jq -Rn --arg counted "$what" -f tb/coverage/report.jq >"$out/$name.new"
{
    jq -r --arg what "$what" --arg part table -f tb/coverage/text.jq "$out/$name.new" | column -t -s $'\t'
    jq -r --arg what "$what" --arg part holes -f tb/coverage/text.jq "$out/$name.new"
} >"$out/$name.txt.new"
mv "$out/$name.txt.new" "$out/$name.txt"
mv "$out/$name.new" "$out/$name.json"
rm "$out/$name.counts" "$out/$name.explained"
cat "$out/$name.txt"
unexplained=$(jq .unexplained "$out/$name.json")
[ "$unexplained" -eq 0 ] || { echo "coverage: $unexplained holes of $out/$name.txt are not explained in $reasons" >&2; exit 1; }
exit "$verdict"
