#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What capture_schemes.sql needs and a study cannot run; experiment.sh calls it: how often the workloads refer to each page (Figure 4.7), into
# $OUT/capture_schemes_pages.csv: workload, array, page, instructions.
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
