#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# Energy of a study: every row of energy.csv is complete and names statistics and keys that exist; the page is the sum of counts times energies.
. tests/lib.bash
MEMTWIN=$(realpath "$MEMTWIN")
table=$PWD/sim/energy/energy.csv
energy() { sim/energy/energy.sh "$@"; }

# ---- The table: columns, names of statistics and keys, one energy for each event ----
csv() { sqlite3 -bail :memory: ".import --csv '$table' e" "$@"; }
head -1 "$table" | grep -qx 'table,part,event,statistic,factor,keys,when,pj,nm,source,note' || complain "columns: $(head -1 "$table")"
csv 'SELECT rowid + 1, * FROM e WHERE "table" = "" OR part = "" OR event = "" OR source = "" OR note IS NULL OR nm NOT GLOB "[1-9]*"
    OR CAST(pj AS REAL) <= 0 OR CAST(factor AS REAL) = 0' >"$work/out"
[ ! -s "$work/out" ] || complain "rows that are not complete: $(cat "$work/out")"
[ "$(csv 'SELECT count(*) > 50 FROM e')" = 1 ] || complain "few rows"
csv 'SELECT DISTINCT statistic FROM e' | sort | comm -23 - <("$MEMTWIN" list stats | awk '{ print $1 }' | sort) >"$work/out"
[ ! -s "$work/out" ] || complain "no such statistics: $(cat "$work/out")"
csv 'SELECT keys FROM e UNION SELECT "when" FROM e' | tr ' ' '\n' | sed 's|^/||; s/=.*//' | sort -u | sed '/^$/d' | comm -23 - <("$MEMTWIN" list keys | awk '{ print $1 }' | sort) >"$work/out"
[ ! -s "$work/out" ] || complain "no such keys: $(cat "$work/out")"
csv 'SELECT "table", event FROM e GROUP BY 1, 2, part, "when" HAVING count(DISTINCT pj) > 1' >"$work/out"
[ ! -s "$work/out" ] || complain "events with two energies: $(cat "$work/out")"
# the netlists' energies are the recorded ones
csv -separator ' ' "SELECT source, pj FROM e WHERE \"table\" = 'netlist'" | while read -r page name pj; do
    grep -q "^| $name |.* $pj | [0-9.]* | [0-9.]* |$" "$page" || echo "$name $pj"
done >"$work/out"
[ ! -s "$work/out" ] || complain "not the power of docs/results/data/power.md: $(cat "$work/out")"

# ---- A study: the sum of all parts, by other means ----
cat >"$work/e.ini" <<'END'
[study]
config = tiny
workload = atax:16 bfs:512
baseline = small
[scheme small]
l1d.mshr_entries = 2
l1d.mshr_slots = 4
[scheme large]
l1d.mshr_entries = 32
l1d.mshr_slots = 8
END
expect 0 "$MEMTWIN" study "$work/e.ini" -o "$work/e.db"
# sum_of WORKLOAD ENTRIES SLOTS TABLE: uJ from the statistics of a run and the values of its keys
sum_of() {
    "$MEMTWIN" run -q -c tiny -w "$1" -s l1d.mshr_entries="$2" -s l1d.mshr_slots="$3" --json "$work/run.json" >/dev/null 2>&1
    "$MEMTWIN" config -c tiny -s l1d.mshr_entries="$2" -s l1d.mshr_slots="$3" >"$work/config" 2>/dev/null
    jq -r '.stats | to_entries[] | "S \(.key) \(.value)"' "$work/run.json" >"$work/counts"
    csv -separator '|' "SELECT 'R', statistic, factor, keys, \"when\", pj FROM e WHERE \"table\" = '$4'" >"$work/rows"
    awk -F '[ |]' 'FILENAME ~ /counts/ { count[$2] = $3; next }
        FILENAME ~ /config/ { if (/^\[/) section = substr($0, 2, index($0, "]") - 2); else if (/=/) { sub(/ *;.*/, ""); gsub(/ /, ""); split($0, kv, "="); value[section "." kv[1]] = kv[2] } next }
        { split($0, f, "|"); x = count[f[2]] * f[3] * f[6]; n = split(f[4], key, " ")
            for (i = 1; i <= n; i++) x = key[i] ~ /^\// ? x / value[substr(key[i], 2)] : x * value[key[i]]
            n = split(f[5], key, " "); for (i = 1; i <= n; i++) { split(key[i], kv, "="); if (value[kv[1]] != kv[2]) x = 0 }
            sum += x }
        END { printf "%.6g\n", sum / 1e6 }' "$work/counts" "$work/config" "$work/rows"
}
for t in gpuwattch accelwattch mha_gu; do
    for run in "small atax:16 2 4" "large bfs:512 32 8"; do
        read -r scheme workload entries n <<<"$run"
        expected=$(sum_of "$workload" "$entries" "$n" $t)
        got=$(SQL="SELECT printf('%.6g', total(pj) / 1e6) FROM energy JOIN chosen r USING (study, n) WHERE r.scheme = '$scheme' AND r.workload = '$workload'" energy "$work/e.db" $t)
        [ "$got" = "$expected" ] || complain "$t of $workload, $scheme: $got uJ instead of $expected"
        [ $t-$scheme = mha_gu-small ] || awk "BEGIN { exit !(${got:-0} > 0.001) }" || complain "$t of $workload, $scheme: $got uJ"
    done
done
# the parts add up to the mean; the baseline is 1
expect 0 energy "$work/e.db" gpuwattch+leakage
awk -F ' *[|] *' '/^\| (small|large) / { for (i = 9; i < NF - 1; i++) sum += $i; d = sum - $8; sum = 0; n++; if (d > .01 || d < -.01) bad = 1; if ($2 == "small" && $8 != "1.000") bad = 1 }
    END { exit bad || n != 2 }' "$work/out" || complain "parts and means: $(cat "$work/out")"
expect 0 energy "$work/e.db" gpuwattch "workload = 'bfs:512'"
time=$(sqlite3 "$work/e.db" "SELECT printf('%.3f', 1.0 * r.cycles / b.cycles) FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline WHERE r.study = 'e' AND r.scheme = 'large' AND r.workload = 'bfs:512'")
awk -F ' *[|] *' -v time="$time" '$2 == "large" { found = $6 == time } END { exit !found }' "$work/out" || complain "time of bfs is not $time: $(cat "$work/out")"
grep -q '^| large | 1 | ' "$work/out" && ! grep -q '^| small | 2 ' "$work/out" || complain "a condition: $(cat "$work/out")"
sed 's/atax:16 //' "$work/e.ini" >"$work/f.ini"
expect 0 "$MEMTWIN" study "$work/f.ini" -o "$work/e.db"
expect 0 energy "$work/e.db" gpuwattch "study = 'f'"
[ "$(grep -c '^## ' "$work/out")" -eq 1 ] && grep -qx '## f' "$work/out" || complain "one study of two: $(cat "$work/out")"

# a line for each configuration
sed 's/^config = tiny/config = tiny fermi15/; s/bfs:512/atax:16/' "$work/f.ini" >"$work/h.ini"
expect 0 "$MEMTWIN" study "$work/h.ini" -o "$work/e.db"
expect 0 energy "$work/e.db" gpuwattch "study = 'h'"
[ "$(sed -n 's/^| \([a-z0-9]*, [a-z]*\) | 1 .*/\1/p' "$work/out" | sort | xargs)" = "fermi15, large fermi15, small tiny, large tiny, small" ] || complain "two configurations: $(cat "$work/out")"
# a part that no row gives is not 0; a run that lacks a part of its baseline has no mean
sed '/^\[scheme/,$d' "$work/f.ini" >"$work/g.ini"
printf '[scheme small]\nl1d.mshr_entries = 32\nl1d.mshr_slots = 8\n[scheme large]\nl1d.mshr_entries = 48\n' >>"$work/g.ini"
expect 0 "$MEMTWIN" study "$work/g.ini" -o "$work/e.db"
expect 0 energy "$work/e.db" gpuwattch+mha_gu "study = 'g'"
grep -qE '^\| small (\| [0-9.]+ ){4}\| 1.000 \| 1.000 (\| [0-9.]+ )+\| - \|$' "$work/out" && grep -qE '^\| large (\| [0-9.]+ ){4}\| - \| - (\| [0-9.]+ )+\| - \| - \|$' "$work/out" ||
    complain "a part that is lacking: $(cat "$work/out")"

# ---- Errors: one line each ----
sed '2s/,warp_insts,/,warp_inst,/' "$table" >"$work/bad.csv"
ENERGY=$work/bad.csv expect_line 1 "row 2 of bad.csv: the database has no statistic warp_inst" energy "$work/e.db"
sed '/mha_gu/s/sm.count/sm.cout/' "$table" >"$work/bad.csv"
ENERGY=$work/bad.csv expect_line 1 "the configurations have no key sm.cout" energy "$work/e.db" gpuwattch+mha_gu
ENERGY=$work/bad.csv expect 0 energy "$work/e.db" # an error in another table
ENERGY=$work/no.csv expect_line 1 "$work/no.csv: no such file" energy "$work/e.db"
sed '1s/table/name/' "$table" >"$work/bad.csv"
ENERGY=$work/bad.csv expect_line 1 "bad.csv: no column 'table'" energy "$work/e.db"
expect_line 1 "has no table 'gpuwatch': expected gpuwattch|accelwattch|leakage|" energy "$work/e.db" gpuwatch
expect_line 1 "no such column: scheem" energy "$work/e.db" gpuwattch "scheem = 1"
expect_line 1 "no such run is done" energy "$work/e.db" gpuwattch "scheme = 'x'"
expect_line 1 "$work/no.db: no such database" energy "$work/no.db"
expect_line 1 "not a database" energy sim/energy/energy.sql
expect_line 1 "expected FILE.db" energy
finish
