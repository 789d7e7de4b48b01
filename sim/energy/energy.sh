#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Energy of the runs of a study, from counts of the database and the energies per event of energy.csv. Prints a Markdown table of schemes.
#
#   sim/energy/energy.sh FILE.db [TABLE[+TABLE].. [CONDITION]]    default: gpuwattch; all runs that are done
#
# CONDITION is SQL over the columns of `result`, such as "config = 'pascal28' AND scheme <> 'dl'". ENERGY=FILE.csv: other energies per event.
# SQL=QUERY: over the table `energy` (study, n, baseline, scheme, axes, table, part, pj), instead of the page.
set -euo pipefail
die() { echo "energy.sh: $*" >&2 && exit 1; }
[ $# -ge 1 ] && [ $# -le 3 ] && [[ $1 != -* ]] || die "expected FILE.db [TABLE[+TABLE].. [CONDITION]]"
[ -f "$1" ] || die "$1: no such database"
file=$(realpath "$1")
[ -z "${ENERGY:-}" ] || ENERGY=$(realpath -m "$ENERGY")
. "$(dirname "$0")/../../tb/env.bash"
table=${ENERGY:-sim/energy/energy.csv}
[ -f "$table" ] || die "$table: no such file"
tables=${2:-gpuwattch} condition=${3:-1}
quoted() { sed "s/'/''/g; s/^/'/; s/\$/'/" <<<"$1"; }
query() { sqlite3 -batch -bail -init /dev/null "$@"; }
known=$(query :memory: ".import --csv '$table' e" "SELECT group_concat(DISTINCT e.\"table\") FROM e" 2>/dev/null) || die "$table: no column 'table'"
for name in ${tables//+/ }; do
    [[ ,$known, == *",$name,"* ]] || die "$table has no table '$name': expected ${known//,/|}"
done
rows=(".import --csv --skip 1 --schema temp '$table' energy_row"
    "CREATE TEMP TABLE asked AS SELECT $(quoted "$tables") AS tables"
    "DELETE FROM energy_row WHERE NOT instr('+' || (SELECT tables FROM asked) || '+', '+' || \"table\" || '+')")
columns='CREATE TEMP TABLE energy_row("table" TEXT, part TEXT, event TEXT, statistic TEXT, factor REAL, keys TEXT, "when" TEXT, pj REAL, nm REAL, source TEXT, note TEXT)'
chosen="CREATE TEMP TABLE chosen AS SELECT *, ($condition) AS shown FROM result WHERE state = 'done' AND end IS NOT 'time_limit'"
words() { echo "(SELECT r.rowid + 1 AS row, $2 AS word FROM energy_row r, json_each('[\"' || replace($1, ' ', '\",\"') || '\"]') j WHERE $1 <> '')"; }
wrong=$(query -readonly "$file" "$columns" "${rows[@]}" "$chosen" "
    SELECT 'no such run is done' WHERE NOT EXISTS (SELECT * FROM chosen WHERE shown)
    UNION ALL SELECT 'row ' || (rowid + 1) || ' of ${table##*/}: the database has no statistic ' || statistic FROM energy_row WHERE statistic NOT IN (SELECT name FROM statistic)
    UNION ALL SELECT 'row ' || row || ' of ${table##*/}: the configurations have no key ' || word FROM
        (SELECT * FROM $(words keys "ltrim(j.value, '/')") UNION ALL SELECT * FROM $(words '"when"' "substr(j.value, 1, instr(j.value, '=') - 1)")) WHERE word NOT IN (SELECT key FROM config_value)
    LIMIT 1" 2>&1) || die "$1: ${wrong%%$'\n'*}"
[ -z "$wrong" ] || die "$1: $wrong"
query -readonly "$file" "$columns" "${rows[@]}" "$chosen" ".read sim/experiments/page.sql" ".read sim/energy/energy.sql" "${SQL:-SELECT * FROM page}"
