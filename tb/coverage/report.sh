#!/bin/bash
# Writes a coverage report, OUT/NAME.json and OUT/NAME.txt, from OUT/counts and OUT/explained: tb/coverage/report.sh NAME WHAT OUT
# Exit code 1 if a hole is not explained.
set -euo pipefail
cd "$(dirname "$0")/../.."
name=$1 what=$2 out=$3
{
    grep '^file' "$out/counts"
    cat "$out/explained"
} | jq -Rn --arg counted "$what" -f tb/coverage/report.jq >"$out/$name.new"
{
    jq -r --arg what "$what" --arg part table -f tb/coverage/text.jq "$out/$name.new" | column -t -s $'\t'
    jq -r --arg what "$what" --arg part holes -f tb/coverage/text.jq "$out/$name.new"
} >"$out/$name.txt.new"
mv "$out/$name.txt.new" "$out/$name.txt"
mv "$out/$name.new" "$out/$name.json"
rm "$out/counts" "$out/explained"
cat "$out/$name.txt"
unexplained=$(jq .unexplained "$out/$name.json")
[ "$unexplained" -eq 0 ] || { echo "coverage: $unexplained holes of $out/$name.txt are not explained in tb/coverage/explained.txt" >&2; exit 1; }
