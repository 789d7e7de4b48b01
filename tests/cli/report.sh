#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 5 s
# The page of a database loads nothing else and shows the database's data, and each error is one line. tests/study/browser.sh views it in a browser.
. tests/lib.bash
. tests/study.bash
MEMTWIN=$(realpath "$MEMTWIN")
cd "$work"

column() { # PAGE NAME: prints a JSON array
    sed -n "s/^<script type=\"text.plain\" data-column=\"$2\"[^>]*>\(.*\)<.script>\$/\1/p" "$1" | base64 -d | gunzip
}
cat >shape.ini <<'END'
[study]
config = tiny
workload = addvect:32 atax:16
baseline = small
[scheme small]
l1d.mshr = static
[scheme dl]
l1d.mshr = dl
[scheme lost]
sim.planted_fault = lose_page
[axis]
l1d.ways = 2 4
[plot b]
title = More ways
kind = line
y = cycles
relative = inverse
x = l1d.ways
color = workload
schemes = dl
  small
[plot a]
END
"$MEMTWIN" study shape.ini -q -j 2 2>err
sed 's/ atax:16//' shape.ini >other.ini
"$MEMTWIN" study other.ini -o shape.db -q -j 2 2>err
# A run stopped by max_time has no values to compare.
sqlite3 shape.db "UPDATE run SET end = 'time_limit' WHERE id = (SELECT run FROM point WHERE study = 1 AND n = 6)"

# ---- The page ----
expect 0 "$MEMTWIN" report shape.db
grep -qxE 'shape\.html: 12 runs, [0-9.]+ MiB: open it in a browser' out || complain "it says: $(cat out)"
# Names of XML formats and of Vega's schema are not loaded.
grep -oE 'https?://[a-z0-9./_-]+' shape.html | grep -vE '^https?://(www\.w3\.org/|vega\.github\.io/schema)' >loads
[ ! -s loads ] || complain "addresses in it: $(sort -u loads | xargs)"
! grep -qE '<(script|img|iframe)[^>]* src=|<link[^>]* href="[^d]|@import|url\(' <(sed '/^<script>$/,$d' shape.html) || complain "it loads something"
# All columns at once: concatenated gzip members form one stream.
sqlite3 shape.db "SELECT name FROM statistic WHERE kind <> 'histogram'" >names
sed -n 's/^<script type="text.plain" data-column="stat\.\([^"]*\)"[^>]*>\(.*\)<.script>$/\1 \2/p' shape.html | awk 'NR == FNR { text[$1] = $2; next } { print text[$1] }' - names |
    while read -r text; do base64 -d <<<"$text"; done | gunzip | jq -c '.[]' >got
sed "s/.*/SELECT CASE typeof(\"&\") WHEN 'real' THEN printf('%!.20g', \"&\") ELSE json_quote(\"&\") END FROM run LEFT JOIN total ON total.run = run.id AND state = 'done' AND end <> 'time_limit' ORDER BY id;/" names |
    sqlite3 shape.db | jq -c . >expected
[ "$(wc -l <got)" -gt 2500 ] && cmp -s expected got || complain "the statistics differ: $(diff expected got | head -n 4)"
for name in workload scheme axes baseline; do
    column shape.html "point1.$name" | jq -r '.[] // ""' >got
    cmp -s <(sqlite3 shape.db "SELECT $name FROM point WHERE study = 1 ORDER BY n") got || complain "$name: $(xargs <got)"
done
is plots 'b More ways line cycles inverse l1d.ways workload dl small/a null bar ipc baseline workload scheme null' "$(for c in name title kind y relative x color schemes; do
    column shape.html "plot1.$c"; done | jq -sr 'transpose | map(map(tostring) | join(" ")) | join("/")')"
is commands "$(sqlite3 shape.db 'SELECT text FROM command ORDER BY run' | cksum)" "$(column shape.html run.command | jq -r '.[]' | cksum)"
is "a failure" "$(sqlite3 shape.db "SELECT DISTINCT message FROM run WHERE state = 'failed'")" "$(column shape.html run.message | jq -r 'map(select(.)) | unique[]')"
is "stopped" '["done","failed","stopped"]' "$(column shape.html run.state | jq -c unique)"
is "all zero" '[0]' "$(column shape.html stat.uvm_faults | jq -c 'map(select(. != null)) | unique')"
grep -q 'data-column="stat.uvm_faults" data-zero>' shape.html || complain "uvm_faults is not marked as all zero"
! grep -q 'data-column="stat.cycles" data-zero>' shape.html || complain "cycles is marked as all zero"

expect 0 "$MEMTWIN" report shape.db --study other -o -
is "one study" '["other"] 6' "$(column out study.name) $(column out run.id | jq length)"
expect 0 "$MEMTWIN" report shape.db -q -o page.html
[ ! -s out ] || complain "-q: $(cat out)"

# The default page does not replace a foreign file.
echo precious >shape.html
expect_line 1 "shape.html exists and is not a report; replace it with -o shape.html" "$MEMTWIN" report shape.db
is "a foreign file" precious "$(cat shape.html)"
expect 0 "$MEMTWIN" report shape.db -q -o shape.html
expect 0 "$MEMTWIN" report shape.db -q

cp shape.db "a b.db"
echo precious >"a b.html"
expect_line 1 "a b.html exists and is not a report; replace it with -o 'a b.html'" "$MEMTWIN" report "a b.db"
expect_line 1 "(see memtwin study --list 'a b.db')" "$MEMTWIN" report "a b.db" --study othr -o -

# The page is beside its database, whatever the current folder is. Two databases of one name have two pages.
mkdir a b dotted.d
cp other.ini a/x.ini
for folder in a b dotted.d; do
    cp shape.db "$folder/x.db"
    expect 0 "$MEMTWIN" report "$folder/x.db"
    grep -q "^$folder/x.html: 12 runs, " out || complain "beside $folder/x.db: $(cat out)"
done
[ ! -e x.html ] && [ -s a/x.html ] && [ -s b/x.html ] || complain "pages: $(ls *.html */*.html | xargs)"
cp shape.db dotted.d/plain
expect 0 "$MEMTWIN" report dotted.d/plain -q
[ -s dotted.d/plain.html ] || complain "a database without a dot: $(ls dotted.d | xargs)"
echo precious >b/x.html
expect_line 1 "b/x.html exists and is not a report; replace it with -o b/x.html" "$MEMTWIN" report b/x.db
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chmod 755 .
else
    other=()
fi
mkdir still && cp shape.db still/x.db && chmod 555 still && chmod 444 still/x.db
expect_line 1 "cannot write still/x.html: Permission denied; choose another place with -o FILE" "${other[@]}" "$MEMTWIN" report still/x.db
chmod 755 still

# ---- Details and time series, of as many of the first runs as fit ----
"$MEMTWIN" study other.ini -o inside.db -q -j 2 --series --detail 2>err
left_out() { # OPTION...: prints the runs without details, and with them
    "$MEMTWIN" report inside.db -o inside.html "$@" >out
    echo "$(sed -n 's/.*id="left-out">\(.*\)<.script>$/\1/p' inside.html) $(grep -o 'data-column="series.[0-9]*' inside.html | cut -d. -f2 | xargs)/$(grep -o 'data-column="detail.[0-9]*' inside.html | cut -d. -f2 | xargs)"
}
with=$(sqlite3 inside.db "SELECT group_concat(run, ' ') FROM (SELECT run FROM series ORDER BY run)")
whole=$(sqlite3 inside.db "SELECT group_concat(run, ' ') FROM (SELECT DISTINCT run FROM detail JOIN run ON run.id = run WHERE state = 'done' ORDER BY run)")
[ "$(wc -w <<<"$with")" -ge 4 ] || complain "runs with a series: $with"
is "all are in it" "{\"mib\":16,\"runs\":[]} $with/$whole" "$(left_out)"
is "no run in it" "{\"mib\":0,\"runs\":[${with// /,}]} /" "$(left_out --detail-size 0)"
is "it says so" "details and time series of $(wc -w <<<"$with") runs do not fit into 0 MiB and are left out (--study, --detail-size)" "$(tail -n 1 out)"
read -r first second rest <<<"$with"
# A string of 600000 random bytes, compressed: too large for two of them.
perl -MCompress::Zlib -e 'print compress(chr(34) . join("", map { sprintf "%02x", rand 256 } 1 .. 600000) . chr(34))' >large
sqlite3 inside.db "UPDATE series SET data = readfile('large'), size = 1200002 WHERE run IN ($first, $second)"
is "the first one" "{\"mib\":1,\"runs\":[$second,${rest// /,}]} $first/$first" "$(left_out --detail-size 1)"
damaged() { # SET: damages the series of the first run
    cp inside.db damaged.db
    sqlite3 damaged.db "UPDATE series SET $1 WHERE run = $first"
    expect_line 0 "damaged.db: 1 damaged time series left out" "$MEMTWIN" report damaged.db -q -o damaged.html
    ! grep -q "data-column=\"series.$first\"" damaged.html || complain "$1: the page has the series"
}
damaged "data = x'00'"
damaged "size = size + 1"
damaged "size = 1 << 50"
damaged "data = zeroblob(0), size = -1"
printf oops | perl -MCompress::Zlib -0777 -ne 'print compress($_)' >text
damaged "data = readfile('text'), size = 4"
expect_line 1 "--detail-size x: not a number" "$MEMTWIN" report inside.db --detail-size x

# ---- Errors ----
cp page.html before.html
refused() { # TEXT ARGUMENT...: checks that the existing page does not change
    expect_line 1 "$1" "$MEMTWIN" report "${@:2}"
    cmp -s page.html before.html || complain "$1: the page that was there has changed"
    [ -z "$(find . -name '*page.html?*' -o -name '.*page.html*')" ] || complain "$1: half a page: $(ls -A)"
}
refused "no database given"
refused "nowhere.db: No such file" nowhere.db -o page.html
refused "shape.db has no study 'othr' (see memtwin study --list shape.db); did you mean 'other'?" shape.db --study othr -o page.html
refused "cannot write nowhere/page.html" shape.db -o nowhere/page.html
refused "shape.db: the page would replace the database" shape.db -o ./shape.db
echo 'no database at all, but a text of a line' >text.db
refused "text.db: not a database of memtwin study" text.db -o page.html
sqlite3 foreign.db 'CREATE TABLE run(id)'
refused "foreign.db: not a database of memtwin study" foreign.db -o page.html
cp shape.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 99'
refused "newer.db: made by another version of memtwin study" newer.db -o page.html
cp shape.db empty.db
sqlite3 empty.db 'DELETE FROM point'
refused "empty.db contains no runs" empty.db -o page.html
refused "empty.db contains no runs" empty.db -o page.html --study shape
expect_line 1 "memtwin study: empty.db contains no runs" "$MEMTWIN" study --list empty.db
expect_line 1 "memtwin study: empty.db contains no runs" "$MEMTWIN" study --list empty.db --csv -
# Points that a page cannot show; --list names them too, before it prints anything.
point() { # TEXT SQL
    cp shape.db point.db
    sqlite3 point.db "$2"
    refused "point.db: run 1 of study shape: $1" point.db -o page.html
    expect_line 1 "point.db: run 1 of study shape: $1" "$MEMTWIN" study --list point.db
    expect_line 1 "point.db: run 1 of study shape: $1" "$MEMTWIN" study --list point.db --json -
    [ ! -s out ] || complain "$1: --list prints $(head -c 100 out)"
}
for axes in oops '[1]' '"a"' '{"a":{}}' '{"a":1'; do
    point "axes is '$axes', expected a JSON object such as {" "UPDATE point SET axes = '$axes' WHERE study = 1 AND n = 1"
done
point "it is not in table run" "UPDATE point SET run = 999 WHERE study = 1 AND n = 1"
# Values that have not the type of their column
typed() { # TEXT SQL [no list]
    cp shape.db typed.db
    sqlite3 typed.db "$2"
    refused "typed.db: table $1" typed.db -o page.html
    for way in '' '--json -' '--csv -'; do
        [ $# = 3 ] || expect_line 1 "typed.db: table $1" "$MEMTWIN" study --list typed.db $way
    done
}
typed "total, run 1: ipc is not a number" "UPDATE total SET ipc = x'00ff' WHERE run = 1"
typed "total, run 1: cycles is not a number" "UPDATE total SET cycles = 'many' WHERE run = 1"
typed "point, study 1: workload is a BLOB, expected a text" "UPDATE point SET workload = zeroblob(4) WHERE study = 1 AND n = 1"
typed "run, id 1: message is a BLOB, expected a text" "UPDATE run SET message = zeroblob(4) WHERE id = 1"
typed "total, run 1: l1d_hits is not a number" "UPDATE total SET l1d_hits = zeroblob(4) WHERE run = 1" "no list"
typed "statistic, name cycles: unit is a BLOB, expected a text" "UPDATE statistic SET unit = zeroblob(4) WHERE name = 'cycles'" "no list"
typed "plot, study 1: y is a BLOB, expected a text" "UPDATE plot SET y = zeroblob(4) WHERE study = 1 AND number = 0" "no list"
# An infinite value is missing, as is a ratio to it.
cp shape.db infinite.db
sqlite3 infinite.db "UPDATE total SET ipc = CASE run % 2 WHEN 0 THEN -1e400 ELSE 1e400 END, cycles = 1e400"
is "infinite, as CSV" ,, "$("$MEMTWIN" study --list infinite.db --csv - | sed -n 's/.*,done,\(.*\),[^,]*$/\1/p' | sort -u)"
is "infinite, as JSON" '[null,null,null]' "$("$MEMTWIN" study --list infinite.db --json - | jq -c '.[] | select(.state == "done") | [.cycles, .ipc, .over_baseline]' | sort -u)"
# Runs without their statistics wait, and the study does them again.
cp shape.db lost.db
sqlite3 lost.db 'DELETE FROM total'
is "lost, listed" waiting "$("$MEMTWIN" study --list lost.db --json - | jq -r '.[].state' | grep -v failed | sort -u)"
"$MEMTWIN" report lost.db -q -o lost.html
is "lost, in the page" waiting "$(column lost.html run.state | jq -r '.[]' | grep -v failed | sort -u)"
is "lost, planned" "12 runs, 8 to do" "$("$MEMTWIN" study shape.ini -o lost.db --dry-run | sed -n '$s/:.*//p')"
"$MEMTWIN" study shape.ini -o lost.db -q -j 2 2>err
values="SELECT group_concat(ipc) FROM (SELECT ipc FROM total JOIN run ON run.id = run WHERE state = 'done' ORDER BY run)"
is "lost, done again" "$(sqlite3 shape.db "$values")" "$(sqlite3 lost.db "$values")"
mkdir folder && mkfifo pipe
refused "folder: Is a directory; expected a database, such as folder/NAME.db" folder -o page.html
refused "folder/: Is a directory; expected a database, such as folder/NAME.db" folder/ -o page.html
refused "/dev/null: a device; expected a database, which is a regular file" /dev/null -o page.html
expect_line 1 "pipe: a pipe; expected a database" timeout 20 "$MEMTWIN" report pipe
refused "-: a database cannot be a stream; expected the path of a file" - -o page.html
head -c 60000 shape.db >short.db
refused "short.db: damaged or incomplete" short.db -o page.html
expect_line 1 "cannot write" "$MEMTWIN" report shape.db -o /dev/full
(
    failures=0
    ulimit -f 100
    expect_line 1 "cannot write page.html: File too large" "$MEMTWIN" report shape.db -o page.html
    exit $failures
) || failures=$((failures + 1))
cmp -s page.html before.html || complain "no room: the page that was there has changed"
[ "$(ls -A | grep -c page.html)" = 1 ] || complain "no room: half a page: $(ls -A)"
finish
