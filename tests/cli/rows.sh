#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# Rows for programs: list, study --list and cosim write the same as CSV and as JSON.
. tests/lib.bash
. tests/study.bash

# same NAME: checks that NAME.csv has the columns and values of NAME.json. null is an empty field; a formula has an apostrophe.
same() {
    python3 -c 'import csv, json, sys
def field(v):
    text = "" if v is None else str(v)
    return "\x27" + text if text[:1] in tuple("=+@") else text
numbers = dict(parse_float=str, parse_int=str)
rows = json.load(open(sys.argv[2]), **numbers)
want = [list(rows[0])] + [[field(v) for v in r.values()] for r in rows]
got = list(csv.reader(open(sys.argv[1], newline="")))
differ = [(w, g) for w, g in zip(want, got) if w != g]
sys.exit(len(want) != len(got) and f"{len(want)} rows, {len(got)} in CSV" or differ and str(differ[0]) or 0)' "$work/$1.csv" "$work/$1.json" 2>"$work/err" ||
        complain "$1: CSV and JSON differ: $(cat "$work/err")"
}
for list in workloads configs blocks policies stats keys; do
    expect 0 "$MEMTWIN" list $list --json "$work/$list.json"
    expect 0 "$MEMTWIN" list $list --csv "$work/$list.csv"
    same $list
done
grep -q '^[^"]*,"[^"]*, [^"]*"' "$work/keys.csv" || complain "no text with a comma in keys.csv"
is "a number" number "$(jq -r '.[0].default | type' "$work/blocks.json")"
is "statistics" "$("$MEMTWIN" list stats | wc -l)" "$(jq length "$work/stats.json")"
expect_line 1 "--csv and --json exclude each other" "$MEMTWIN" list keys --csv - --json -
expect_line 1 "cannot write $work/no/x: No such file" "$MEMTWIN" list keys --csv "$work/no/x"

printf '[study]\nconfig = tiny\nworkload = addvect:32 atax:16\n' >"$work/one.ini"
expect 0 "$MEMTWIN" study "$work/one.ini" -q -o "$work/one.db"
expect 0 "$MEMTWIN" study --list "$work/one.db" --json "$work/runs.json"
is "runs" "$(sql "$work/one.db" "SELECT json_group_array(json_array(n, workload, cycles)) FROM result" | jq -c .)" "$(jq -c 'map([.run, .workload, .cycles])' "$work/runs.json")"
cp "$work/one.db" "$work/kept.db"
for to in csv json; do
    expect_line 1 "one.db: the list would replace the database" "$MEMTWIN" study --list "$work/one.db" --$to "$work/../${work##*/}/one.db"
done
cmp -s "$work/one.db" "$work/kept.db" || complain "--list changes the database"

# Names with a comma and quotes, of a formula, and of bytes that are not UTF-8.
sqlite3 "$work/one.db" "UPDATE study SET name = '=1+1'; UPDATE point SET config = 'a \"b\", c' WHERE n = 0; UPDATE point SET config = CAST(x'ff' AS TEXT) WHERE n = 1"
expect 0 "$MEMTWIN" study --list "$work/one.db" --csv "$work/names.csv"
expect 0 "$MEMTWIN" study --list "$work/one.db" --json "$work/names.json"
same names
is "names" "'=1+1,0,\"a \"\"b\"\", c\"|'=1+1,1,$(printf '\xef\xbf\xbd')" "$(sed -n 's/,addvect.*/|/p; s/,atax.*//p' "$work/names.csv" | tr -d '\n')"
expect_line 1 "--csv and --json need --list" "$MEMTWIN" study "$work/one.ini" --csv -

expect 0 "$MEMTWIN" cosim in_fifo --cycles 3000 --model-only --json "$work/cosim.json"
is "points" "$(grep -c '^  [^ ].* [0-9]* *-$' "$work/out")" "$(jq length "$work/cosim.json")"
expect 0 "$MEMTWIN" cosim in_fifo --cycles 3000 --model-only --csv "$work/cosim.csv"
same cosim
is "the verdict" '["PASS",3000]' "$(jq -c '.[0] | [.verdict, .cycles]' "$work/cosim.json")"
# Values of a foreign database do not change the form of JSON: what is no number is a string or null.
(cd "$work" && printf '[study]\nconfig = tiny\nworkload = addvect:032\n' >wrong.ini && "$(realpath "$OLDPWD/$MEMTWIN")" study -q wrong.ini)
is "the name of a workload" addvect:32 "$(sql "$work/wrong.db" 'SELECT workload FROM run')"
while IFS='|' read -r cycles ipc want; do
    sql "$work/wrong.db" "UPDATE total SET cycles = $cycles, ipc = $ipc"
    is "$cycles, $ipc" "$want" "$("$MEMTWIN" study --list "$work/wrong.db" --json - | jq -c '.[] | [.cycles, .ipc, length]')"
done <<'END'
7|9e999|[7,null,11]
-12|1e-9|[-12,0,11]
END
for text in '1, "evil": [' NaN 0x7; do
    sql "$work/wrong.db" "UPDATE total SET cycles = '$text'"
    expect_line 1 "table total, run 1: cycles is not a number" "$MEMTWIN" study --list "$work/wrong.db" --json -
done
# A closed reader is no error.
for format in csv json; do
    { sleep 0.3; exec "$MEMTWIN" list keys --$format - 2>"$work/err"; } | true
    code=${PIPESTATUS[0]}
    [ "$code" = 141 ] && [ ! -s "$work/err" ] || complain "list --$format to a closed pipe: exit $code: $(cat "$work/err")"
done
finish
