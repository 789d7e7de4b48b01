#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Called by experiment.sh: makes data for capture_schemes.sql that a study cannot produce. Writes the number of references of each workload to each page
# (Figure 4.7) to $OUT/capture_schemes_pages.csv: workload, array, page, instructions.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
: "${MEMTWIN:=build/memtwin}" "${OUT:=build/report}"
pages=$OUT/capture_schemes_pages.csv
sqlite3 -batch -init /dev/null "$OUT/capture_schemes.db" 'SELECT DISTINCT workload FROM point ORDER BY n' | while read -r workload; do
    "$MEMTWIN" pages -w "$workload" -q --by-page "$pages.one" </dev/null
    sed "1d; s/^/\"$workload\",/" "$pages.one"
done >"$pages.new"
rm "$pages.one"
mv "$pages.new" "$pages"
