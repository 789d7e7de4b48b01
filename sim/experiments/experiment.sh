#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# An experiment: runs the study NAME.ini (and NAME.*.ini, into the same database), makes its page with NAME.sql and its plots with NAME.gp.
# Writes build/report/NAME.db, NAME.md, NAME_*.svg, and NAME.html (memtwin report). Runs that are in the database are not repeated.
#
#   sim/experiments/experiment.sh NAME [WORKLOAD[:SIZE]]...    with workloads: these alone, of the studies that have them, into build/report/some
#
# JOBS=n: n runs at a time. OUT=folder: write there. `make record` keeps pages and plots; it does not see build/report/some.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
usage="usage: $0 NAME [WORKLOAD[:SIZE]]...; NAME is one of: $(cd sim/experiments && printf '%s ' *.sql | sed 's/page\.sql \|\.sql//g')"
case ${1:-} in
-h | --help) echo "$usage" && exit ;;
'' | -* | */* | page) echo "$usage" >&2 && exit 1 ;;
esac
name=$1
shift
[ -f "sim/experiments/$name.sql" ] || { echo "$usage" >&2 && exit 1; }

MEMTWIN=$(realpath "${MEMTWIN:-build/memtwin}")
mkdir -p "${OUT:=build/report${1:+/some}}"
OUT=$(realpath "$OUT")
studies=()
for study in sim/experiments/"$name"{.*,}.ini; do
    [ ! -f "$study" ] || studies+=("$study")
done
# listed STUDY WORKLOAD: the study has it
listed() {
    "$MEMTWIN" study "$1" --dry-run -o "$OUT/$name.db" -w "$2" >/dev/null 2>&1
}
if [ $# -gt 0 ]; then
    for study in "${studies[@]}"; do
        "$MEMTWIN" study "$study" --dry-run -o "$OUT/$name.db" >/dev/null || exit
    done
fi
for workload; do
    for study in "${studies[@]}"; do
        listed "$study" "$workload" && continue 2
    done
    echo "$0: no study of $name has the workload '$workload' in such a size" >&2
    exit 1
done
for study in "${studies[@]}"; do
    some=()
    for workload; do
        ! listed "$study" "$workload" || some+=("-w$workload")
    done
    [ $# -gt 0 ] && [ ${#some[@]} -eq 0 ] || tool "$MEMTWIN" study "$study" -o "$OUT/$name.db" ${JOBS:+-j "$JOBS"} "${some[@]}" >&2
done

here=$PWD/sim/experiments
cd "$OUT"
sqlite3 -batch -bail -init /dev/null "$name.db" ".read '$here/page.sql'" ".read '$here/$name.sql'" >"$name.md.new"
mv "$name.md.new" "$name.md"
[ ! -f "$here/$name.gp" ] || GNUPLOT_LIB=$here gnuplot "$here/$name.gp"
cat "$name.md"
"$MEMTWIN" report "$name.db" -o "$OUT/$name.html" >&2
