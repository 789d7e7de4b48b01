#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs an experiment: the studies NAME.ini and NAME.*.ini, into one database, then NAME.sql for the page and NAME.plots.json for the plots.
# Writes build/report/NAME.db, NAME.md, NAME_*.svg, and NAME.html (memtwin report). Does not repeat runs that are in the database.
#
#   sim/experiments/experiment.sh NAME [WORKLOAD[:SIZE]]...    with workloads: only their runs, into build/report/some
#
# NAME.*.ini.sql prints a study made from the results of earlier studies, for their workloads; NAME.ini.sql is read first. NAME.more.sh does
# runs that a study cannot do. CYCLES=n: limits runs with a cut-off to n SM cycles.
# JOBS=n: number of concurrent runs. OUT=folder: output folder. `make record` copies pages and plots, but not build/report/some.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
usage="usage: $0 NAME [WORKLOAD[:SIZE]]...; NAME is one of: $(cd sim/experiments && printf '%s\n' *.sql | sed '/\..*\./d; /^page/d; s/\.sql//' | xargs)"
case ${1:-} in
-h | --help) echo "$usage" && exit ;;
'' | -* | *[/.]* | page) echo "$usage" >&2 && exit 1 ;;
esac
name=$1
shift
trap 'echo "$0: interrupted; the same command does the missing runs" >&2; exit 130' INT
[ -f "sim/experiments/$name.sql" ] || { echo "$usage" >&2 && exit 1; }

export MEMTWIN
MEMTWIN=$(realpath "${MEMTWIN:-build/memtwin}")
mkdir -p "${OUT:=build/report${1:+/some}}"
OUT=$(realpath "$OUT")
here=$PWD/sim/experiments
query() { # FILE.sql..
    local read=()
    for sql; do read+=(".read '$here/$sql'"); done
    (cd "$OUT" && sqlite3 -batch -bail -init /dev/null "$name.db" "${read[@]}")
}
# made FILE.ini: writes the study on standard input to $OUT. Its reference file is in this folder
made() { sed "s|^reference = |&$here/|${CYCLES:+; s|^sim.max_cycles = .*|sim.max_cycles = $CYCLES|}" >"$OUT/$1"; }
[[ ${CYCLES:-1} =~ ^[1-9][0-9]*$ ]] || { echo "$0: CYCLES=$CYCLES: not a number of SM cycles" >&2 && exit 1; }
studies=() queries=()
for study in sim/experiments/"$name"{.*,}.ini; do
    [ -f "$study" ] || continue
    if [ -n "${CYCLES:-}" ]; then
        made "${study##*/}" <"$study"
        study=$OUT/${study##*/}
    fi
    studies+=("$study")
done
for study in sim/experiments/"$name".*.ini.sql; do
    [ ! -f "$study" ] || queries+=("${study##*/}")
done
# listed STUDY WORKLOAD: succeeds if the study has the workload
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
run_study() { # FILE.ini WORKLOAD..
    local study=$1 some=()
    for workload in "${@:2}"; do
        ! listed "$study" "$workload" || some+=("-w$workload")
    done
    [ $# -gt 1 ] && [ ${#some[@]} -eq 0 ] || tool "$MEMTWIN" study "$study" -o "$OUT/$name.db" ${JOBS:+-j "$JOBS"} "${some[@]}" >&2
}
for study in "${studies[@]}"; do run_study "$study" "$@"; done
for sql in "${queries[@]}"; do
    query "$name.ini.sql" "$sql" | made "${sql%.sql}"
    ! grep -q '^workload = ' "$OUT/${sql%.sql}" || run_study "$OUT/${sql%.sql}"
done

[ ! -f "sim/experiments/$name.more.sh" ] || OUT=$OUT "sim/experiments/$name.more.sh" "$@"

query page.sql "$name.sql" >"$OUT/$name.md.new"
[ ! -f "sim/experiments/$name.plots.json" ] || sim/report/draw_plots.sh "sim/experiments/$name.plots.json" "$OUT"
cd "$OUT"
mv "$name.md.new" "$name.md"
cat "$name.md"
"$MEMTWIN" report "$name.db" -o "$OUT/$name.html" >&2
