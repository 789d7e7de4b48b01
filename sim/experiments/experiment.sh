#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# An experiment: the study NAME.ini (after NAME.*.ini, if there are such, into the same database), the page that NAME.sql makes of its results, and the plots of
# NAME.gp, if it has any. All is in build/results: NAME.db, NAME.md, NAME_*.svg, and NAME.html to look at (memtwin report). What is there is not run again; fails if a run failed.
#
#   sim/experiments/experiment.sh [--docs] NAME [WORKLOAD[:SIZE]]...    --docs: copies page and plots to docs/results, unless it is some workloads
#                                                                     alone; JOBS=n: so many runs at a time; OUT=build/results
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
docs=
if [ "${1:-}" = --docs ]; then docs=yes && shift; fi
usage="usage: $0 [--docs] NAME [WORKLOAD[:SIZE]]...; NAME is one of: $(cd sim/experiments && printf '%s ' *.sql | sed 's/page\.sql \|\.sql//g')"
case ${1:-} in
-h | --help) echo "$usage" && exit ;;
'' | -* | */* | page) echo "$usage" >&2 && exit 1 ;;
esac
name=$1
shift
[ -f "sim/experiments/$name.sql" ] || { echo "$usage" >&2 && exit 1; }
[ $# = 0 ] || docs=
generated() { # PAGE: nothing that somebody has written is replaced, and nothing is left that could not be
    [ ! -f "$1" ] || grep -q '^Written by ' "$1" || { echo "$1: no line 'Written by ..': not a page of an experiment" >&2 && exit 1; }
}
[ -z "$docs" ] || generated "docs/results/$name.md"

MEMTWIN=$(realpath "${MEMTWIN:-build/memtwin}")
mkdir -p "${OUT:=build/results}"
OUT=$(realpath "$OUT")
for study in sim/experiments/"$name"{.*,}.ini; do
    [ ! -f "$study" ] || tool "$MEMTWIN" study "$study" -o "$OUT/$name.db" ${JOBS:+-j "$JOBS"} "${@/#/-w}" >&2
done

here=$PWD/sim/experiments
cd "$OUT"
sqlite3 -batch -bail -init /dev/null "$name.db" ".read '$here/page.sql'" ".read '$here/$name.sql'" >"$name.md.new"
mv "$name.md.new" "$name.md"
[ ! -f "$here/$name.gp" ] || GNUPLOT_LIB=$here gnuplot "$here/$name.gp"
cat "$name.md"
"$MEMTWIN" report "$name.db" -o "$OUT/$name.html" >&2
[ -z "$docs" ] || generated "$name.md"
[ -z "$docs" ] || find . -maxdepth 1 \( -name "$name.md" -o -name "${name}_*.svg" \) -exec cp {} "$here/../../docs/results" \;
