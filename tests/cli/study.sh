#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 50 s
# Studies store runs in a database, even when repeated and after failures and kills. A wrong study or database gives one line.
. tests/lib.bash
. tests/study.bash
MEMTWIN=$(realpath "$MEMTWIN")
cd "$work"

# ---- The cross product, and its results ----
cat >shape.ini <<'END'
; How large, how many ways
[study]
config = tiny
workload = addvect:32 ; a comment
  atax:16             ; .. and another
baseline = small l1d.ways=2
[set]
l1d.miss_queue = 8
[scheme small]
l1d.mshr = static
[scheme dl]
base = small
l1d.mshr = dl
[axis]
l1d.ways = 2 4
[axis both]
    icnt.latency = 4 8
    icnt.flit_bytes = 32
      64
END
expect 0 "$MEMTWIN" study shape.ini --dry-run
is "dry run" 16 "$(grep -c tiny out)"
is "dry run: titles" "run config workload scheme axes state" "$(head -n 1 out | xargs)"
# Columns are aligned, and each run has a state.
is "dry run: where the columns begin" 1 "$(sed -n '2,17p' out | awk '{ print match($0, /tiny/), match($0, /l1d/), match($0, /to do$/) }' | sort -u | wc -l)"
is "dry run: to do" 16 "$(grep -c '  to do$' out)"
grep -qx '16 runs, 16 to do: time unknown, because no workload to do has finished on its configuration yet (start the study to see the time left; Ctrl-C keeps finished runs)' out || complain "dry run: $(tail -n 1 out)"
[ ! -e shape.db ] || complain "a dry run makes a database"
expect 0 "$MEMTWIN" study shape.ini -j 2
is summary "shape: 16 runs: 16 done, 0 failed; $MEMTWIN study --list shape.db" "$(cat out)"
whole shape.db
is "journal" wal "$(sql shape.db 'PRAGMA journal_mode')"
expect 0 "$MEMTWIN" run -q -c tiny -w atax:16 -s l1d.miss_queue=8 -s l1d.mshr=dl -s l1d.ways=4 -s icnt.latency=8 -s icnt.flit_bytes=64 --json x.json
jq -r '[.stats, .derived] | add | to_entries[] | select(.value != 0) | "\(.key) \(.value * 1000000 | round)"' x.json | sort >expected
sql shape.db "SELECT name || ' ' || CAST(round(value * 1000000) AS INTEGER) FROM value JOIN run ON run.id = value.run
    WHERE identity = '$(jq -r .identity x.json)' AND value <> 0" | sort >got
[ "$(wc -l <got)" -gt 50 ] && cmp -s expected got || complain "the statistics differ: $(diff expected got | head -n 4)"
is "configuration" "$(jq '.config_values | length' x.json)" "$(sql shape.db 'SELECT count(*) FROM config_value WHERE config = 1')"
is "a key" "4 dl" "$(sql shape.db "SELECT max(value) FROM config_value WHERE key = 'l1d.ways'") $(sql shape.db "SELECT DISTINCT value
    FROM config_value JOIN run USING(config) JOIN point ON point.run = run.id WHERE scheme = 'dl' AND key = 'l1d.mshr'")"
is "over the baseline" "$(sql shape.db "SELECT a.ipc / b.ipc FROM result a JOIN result b ON b.scheme = 'small' AND b.workload = a.workload
    AND b.axes ->> '$.\"l1d.ways\"' = 2 AND b.axes ->> '$.\"icnt.latency\"' = 8 WHERE a.n = 15")" \
    "$(sql shape.db 'SELECT a.ipc / b.ipc FROM result a JOIN result b ON b.study = a.study AND b.n = a.baseline WHERE a.n = 15')"
command=$(sql shape.db "SELECT text FROM command JOIN run ON run.id = command.run WHERE identity = '$(jq -r .identity x.json)'")
is "the command" "$(jq -r .identity x.json)" "$(cd / && eval "$command --identity")"
expect 0 "$MEMTWIN" study --list shape.db
is "list" 18 "$(wc -l <out)"
grep -qE '^ 15  tiny +atax:16 +dl +l1d.ways=4 icnt.latency=8 icnt.flit_bytes=64 +done +[0-9]+ +[0-9.]+ +[0-9.]+$' out || complain "list: $(tail -n 1 out)"
is "over the baseline, listed" "$(sql shape.db "SELECT group_concat(printf('%.3f', a.ipc / b.ipc), ' ') FROM (SELECT * FROM result ORDER BY n) a
    JOIN result b ON b.study = a.study AND b.n = a.baseline")" "$(awk '$2 == "tiny" { print $NF }' out | xargs)"
# Without a finished baseline there are no ratios to it, whichever statistics exist.
cp shape.db baseline.db
sql baseline.db "UPDATE run SET state = 'failed', message = 'x' WHERE id = (SELECT run FROM result WHERE n = (SELECT baseline FROM result WHERE n = 15))"
is "no baseline" "$(sql shape.db 'SELECT a.n FROM result a JOIN result b ON b.n = a.baseline WHERE a.baseline = (SELECT baseline FROM result WHERE n = 15) AND a.n <> a.baseline' | wc -l)" \
    "$("$MEMTWIN" study --list baseline.db | grep -cE ' done +[0-9]+ +[0-9.]+$')"

# ---- The name of a database is a path, whatever else SQLite could take it for ----
printf '[study]\nconfig = tiny\nworkload = addvect:32\n' >path.ini
for name in :memory: file:x.db 'file:m.db?mode=memory' "//$PWD/two%41.db"; do
    expect 0 "$MEMTWIN" study path.ini -q -o "$name"
    [ -s "$name" ] || complain "$name: no such file"
    is "$name" done "$("$MEMTWIN" study --list "$name" | awk '$2 == "tiny" { print $4 }')"
done
[ ! -e x.db ] && [ ! -e m.db ] || complain "a path was taken for a URI: $(ls *.db)"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 755 .
    for name in :memory: "//$PWD/two%41.db"; do
        setpriv --reuid=65534 --regid=65534 --clear-groups "$MEMTWIN" study --list "$name" >out 2>err
        is "$name, read only" done "$(awk '$2 == "tiny" { print $4 }' out)"
    done
fi
rm -f ':memory:'* file:* two*

# The printed command is quoted and runs from here.
mkdir "it's here"
printf '[study]\nconfig = "c d.ini"\nworkload = addvect:32\n' >"it's here/a \$b.ini"
printf 'base = tiny\n' >"it's here/c d.ini"
(cd "it's here" && ln -s "$MEMTWIN" "m t" && "./m t" study 'a $b.ini') >out 2>err
(cd "it's here" && eval "$(sed -n 's/.* 0 failed; //p' ../out)") >listed 2>err
is "the printed command" "$(printf '\141 $b')" "$(head -n 1 listed)"
is "a run's command" "$(sql "it's here/a \$b.db" 'SELECT identity FROM run')" "$(command=$(sql "it's here/a \$b.db" 'SELECT text FROM command') && cd / && eval "$command --identity")"

expect 0 "$MEMTWIN" study path.ini -o -x.db
is "the printed command of a path like an option" path "$(eval "$(sed 's/.* 0 failed; //' out)" | head -n 1)"

# A path with a blank is quoted.
"$MEMTWIN" trace export -q -w addvect:32 -o "my {traces}"
printf '[study]\nconfig = tiny\ntrace = "my {traces}"\n' >blank.ini
expect 0 "$MEMTWIN" study blank.ini -q
is "a path with a blank" "my {traces} done" "$(sql blank.db 'SELECT workload, state FROM result' | tr '|' ' ')"
printf '[study]\nconfig = tiny\ntrace = "my traces\n' >open.ini
# Within quotes, a ; is no comment; behind them, one begins after a blank.
cp -r "my {traces}" "a ;b;c"
printf '[study]\nconfig = tiny ; with " one quote\ntrace = "a ;b;c" ; first\n "my {traces}" ; "second ;line"\n[plot p]\ntitle = "x ;y" ;z\n' >semicolon.ini
expect 0 "$MEMTWIN" study semicolon.ini -q
is "a ; in quotes" 'a ;b;c my {traces} "x ;y"' "$(sql semicolon.db 'SELECT workload FROM point ORDER BY n; SELECT title FROM plot' | xargs -d '\n')"
expect_line 1 "open.ini:3: '\"my traces': a word in quotes must end with" "$MEMTWIN" study open.ini
printf '[study]\nconfig = tiny\ntrace = "a \\"b\\".traceg"\n' >open.ini
expect_line 1 "open.ini:3: '\"a \\\"b\\\".traceg\"': a word in quotes must end with \", must not be empty and cannot have another \"" "$MEMTWIN" study open.ini

printf "[study]\nconfig = tiny\ntrace = 'my traces'\n" >open.ini
expect_line 1 "open.ini:3: 'my traces': a word with blanks needs double quotes: \"A B\"" "$MEMTWIN" study open.ini
printf '[study]\nconfig = tiny\ntrace = my\\ traces\n' >open.ini
expect_line 1 'open.ini:3: my\ traces: a word with blanks needs double quotes: "A B"' "$MEMTWIN" study open.ini

# A named pipe is refused where it would block, and a device where it would never end.
mkfifo pipe.ini
printf 'base = pipe.ini\n' >on_pipe.ini
printf '[study]\nconfig = tiny\nworkload = addvect:32\nreference = pipe.ini\n' >from_pipe.ini
expect_line 1 "pipe.ini: a named pipe, not a regular file" timeout 5 "$MEMTWIN" config -c pipe.ini
expect_line 1 "pipe.ini: a named pipe, not a regular file" timeout 5 "$MEMTWIN" config -c on_pipe.ini
expect_line 1 "pipe.ini: a named pipe, not a regular file" timeout 5 "$MEMTWIN" study pipe.ini
expect_line 1 "pipe.ini: a named pipe, not a regular file" timeout 5 "$MEMTWIN" study from_pipe.ini
for device in /dev/zero /dev/urandom; do
    expect_line 1 "$device: a device, neither a file nor a pipe" timeout 5 "$MEMTWIN" run -q -c tiny -t $device
done
(ulimit -f 2000 && head -c 100M /dev/zero | exec timeout 5 "$MEMTWIN" run -q -c tiny -t -) >out 2>err
grep -qx 'memtwin run: -: line of more than 65536 bytes' err || complain "an endless line: $(cat err)"

# A path may be longer than the lines of inih.
long=$(printf 'd%.0s' {1..100})
mkdir -p "$long/$long/$long"
cp "$OLDPWD/sim/configs/tiny.ini" "$long/$long/$long/x.ini"
printf 'base = %s/x.ini ; far away\n' "$long/$long/$long" >based.ini
printf '[study]\nconfig = %s/x.ini ; far away\n  based.ini\n  %s/x.ini ; again\nworkload = addvect:32\n' "$long/$long/$long" "./$long/$long/$long" >far.ini
expect 0 "$MEMTWIN" study far.ini -q
is "long paths" 3 "$(sql far.db "SELECT count(*) FROM result WHERE state = 'done'")"

# A foreign database takes no time: views, and large values.
endless='WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT x AS run, x AS text FROM t'
cp far.db views.db && sql views.db "DROP VIEW command; CREATE VIEW command AS $endless"
expect 0 timeout 20 "$MEMTWIN" report views.db -q -o views.html
sql views.db "PRAGMA legacy_alter_table = ON; ALTER TABLE run RENAME TO was; CREATE VIEW run AS $endless"
cp far.db large.db && sql large.db "UPDATE point SET config = hex(zeroblob(10000000))"
for way in 'study --list' 'report -o views.html'; do
    expect_line 1 "views.db: not a database of memtwin study: run is a view, expected a table" timeout 20 "$MEMTWIN" $way views.db
    expect_line 1 "large.db: a value is larger than memtwin study stores" timeout 20 "$MEMTWIN" $way large.db
done

# Names in a database do not control the terminal.
cp shape.db foreign.db
sql foreign.db "UPDATE study SET name = 'a' || char(27) || '[31m' || char(10) || 'b'; UPDATE point SET scheme = 'x' || char(155) || char(7), workload = 'ü' || char(10)"
"$MEMTWIN" study --list foreign.db >out 2>err
is "a foreign name" 'a?[31m?b' "$(head -n 1 out)"
is "rows" 18 "$(wc -l <out)"
grep -q 'ü? *x???' out && ! LC_ALL=C grep -q $'[\x01-\x09\x0b-\x1f\x7f]\|\xc2[\x80-\x9f]' out || complain "control characters of a database: $(sed -n 3p out | cat -A)"

# ---- Existing runs are not repeated, not even by another study ----
sql shape.db 'SELECT id, started FROM run' >before
expect 0 "$MEMTWIN" study shape.ini
expect 0 "$MEMTWIN" study shape.ini --retry
sed 's/4 8$/8/; s/32$/64/; /^      64/d' shape.ini >part.ini
expect 0 "$MEMTWIN" study part.ini -o shape.db
is "another study" "part: 8 runs: 8 done, 0 failed; $MEMTWIN study --list shape.db" "$(cat out)"
# a value with a comma is one value
printf '[study]\nconfig = tiny\nworkload = addvect:32\n[axis]\nsm.alu = 6,1 9,2\n' >comma.ini
expect 0 "$MEMTWIN" study comma.ini
is "values with a comma" $'sm.alu=6,1\nsm.alu=9,2' "$("$MEMTWIN" study --list comma.db | grep -o 'sm.alu=[^ ]*')"
cmp -s before <(sql shape.db 'SELECT id, started FROM run') || complain "existing results were run again"
expect 0 "$MEMTWIN" study part.ini -o shape.db --detail -q
[ ! -s out ] || complain "-q: $(cat out)"
is "detail" "8|0" "$(sql shape.db "SELECT count(*) FILTER (WHERE number = 0), count(*) FILTER (WHERE cycles IS NULL) FROM detail WHERE scope = 'sm'")"
expect 0 "$MEMTWIN" study part.ini -o shape.db --series -q
is "series" "8 8" "$(sql shape.db "SELECT count(*) || ' ' || sum(size > 100 AND length(data) < size) FROM series")"
sed '/^\[study\]/a series = yes\ndetail = yes' part.ini >over.ini
expect 0 "$MEMTWIN" study over.ini -o shape.db -q
is "series and detail, made without the other" "8 8" "$(sql shape.db "SELECT count(DISTINCT detail.run) || ' ' || count(DISTINCT series.run) FROM detail JOIN series USING(run)")"
sql shape.db 'SELECT id, started FROM run' >before
expect 0 "$MEMTWIN" study part.ini -o shape.db
cmp -s before <(sql shape.db 'SELECT id, started FROM run') || complain "less is asked for, and it was run again"
expect 0 "$MEMTWIN" study shape.ini --dry-run
grep -qx '16 runs, 0 to do' out || complain "dry run: $(tail -n 1 out)"
expect 0 "$MEMTWIN" study shape.ini -w atax:32 -w addvect:32 --dry-run
grep -q '^16 runs, 8 to do: time unknown, because no workload to do has finished on its configuration yet ' out || complain "dry run, another size: $(tail -n 1 out)"
sed 's/atax:16 /atax:16 mvt:16/' shape.ini >more.ini
expect 0 "$MEMTWIN" study more.ini -o shape.db --dry-run -j 3
grep -qx '24 runs, 8 to do: time unknown, because no workload to do has finished on its configuration yet (start the study to see the time left; Ctrl-C keeps finished runs)' out || complain "dry run: $(tail -n 1 out)"

expect 0 "$MEMTWIN" trace export -q -w addvect:32 -o trace
printf '[study]\nconfig = tiny\nworkload = addvect:32\ntrace = trace\n' >trace.ini

# A key that is set for all runs is left out of runs that do not use it.
printf '[study]\nconfig = tiny\nworkload = addvect:32\n[set]\nl2.cart_fill = branch\n[scheme {fifo,cart}]\nl2.incoming = {}\n' >left.ini
expect 0 "$MEMTWIN" study left.ini
is "a key without effect" "cart|branch fifo|group" "$(sql left.db "SELECT scheme, value FROM result JOIN run ON run.id = run JOIN config_value ON config_value.config = run.config
    WHERE key = 'l2.cart_fill' ORDER BY 1" | xargs)"
sed -i 's/{fifo,cart}/{fifo,nonblocking}/' left.ini
expect_line 1 "left.ini:5: no run reads this key: l2.cart_fill=branch has no effect with l2.incoming=fifo" "$MEMTWIN" study left.ini --dry-run

# A percentage that rounds to 0 does not mean all memory.
printf '[study]\nconfig = tiny\nworkload = addvect:1024\n[set]\nuvm.mode = paged\n[scheme a]\n[scheme b]\nuvm.memory_pages = 1%%uvm_touched_pages@a\n' >zero.ini
expect_line 1 "1 run is not known: run 1 (addvect:1024, b) cannot run: zero.ini:8: impossible configuration: tiny, scheme b: uvm.memory_pages=1%uvm_touched_pages@a is 0: 1 % of 2, rounded down" \
    "$MEMTWIN" study zero.ini -q

# A message about a run names the workload once.
printf '[study]\nconfig = uvm28\nworkload = addvect:1024\n[set]\nuvm.prefetch = cap\nuvm.memory_percent = 1\n' >small.ini
expect 1 "$MEMTWIN" study small.ini -q
grep -q '^memtwin study: run 0 failed (1): addvect:1024: uvm.prefetch=cap needs memory' err || complain "a workload twice: $(cat err)"

# The command quotes words that the shell would split.
cp shape.db quoted.db
sql quoted.db "UPDATE machine SET name = 'a b/\$c.ini'; UPDATE run SET workload = 'it''s', twin = 'l2.*.mshr', call = NULL WHERE id = 1"
eval "set -- $(sql quoted.db 'SELECT text FROM command WHERE run = 1')"
is "a quoted command" "run|-c|a b/\$c.ini|-w|it's|l2.*.mshr" "$2|$3|$4|$5|$6|${*: -1}"

# The caller may ignore its children's signals.
expect 0 timeout 60 env --ignore-signal=CHLD "$MEMTWIN" study trace.ini -o child.db -q

# ---- Selected workloads, in other sizes ----
expect 0 "$MEMTWIN" study shape.ini -w atax:32 -w addvect --dry-run
is "some workloads" "addvect:32 atax:32" "$(awk '$2 == "tiny" { print $3 }' out | sort -u | xargs)"
expect 0 "$MEMTWIN" study trace.ini -w addvect -o shape.db --dry-run
grep -q '^1 run, ' out || complain "some workloads, and a trace: $(tail -n 1 out)"
expect_line 1 "memtwin study: shape.ini: the study has no workload 'attax'" "$MEMTWIN" study shape.ini -w attax:16
expect_line 1 "memtwin study: workload 'atax' is given twice" "$MEMTWIN" study shape.ini -w atax:16 -w atax
expect_line 1 'memtwin study: atax: size "1x"' "$MEMTWIN" study shape.ini -w atax:1x

# ---- Runs that a part of the study, or another file, no longer lists ----
cp shape.db part.db
expect 0 "$MEMTWIN" study shape.ini -o part.db -w atax:16
is "left out by -w" "memtwin study: 8 runs of shape are no longer listed; run without -w to list them" "$(cat err)"
is "the rest" 8 "$("$MEMTWIN" study --list part.db --csv - | grep -c '^shape,')"
expect 0 "$MEMTWIN" study shape.ini -o part.db -w atax:16
[ ! -s err ] || complain "nothing is left out: $(cat err)"
expect 0 "$MEMTWIN" study shape.ini -o part.db
is "all again" "16 $(wc -c </dev/null)" "$("$MEMTWIN" study --list part.db --csv - | grep -c '^shape,') $(wc -c <err)"
mkdir edited && sed 's/^    icnt.latency = 4 8/    icnt.latency = 4/; s/^    icnt.flit_bytes = 32/    icnt.flit_bytes =/; s/^      64/      32/' shape.ini >edited/shape.ini
cp edited/shape.ini shape.edited && cp shape.ini shape.whole && cp shape.edited shape.ini
expect 0 "$MEMTWIN" study shape.ini -o part.db
is "left out by the file" "memtwin study: 8 runs of shape are no longer listed, because shape.ini does not have them" "$(cat err)"
cp shape.whole shape.ini

# ---- Runs cut off at sim.max_cycles ----
printf '[study]\nconfig = tiny\nworkload = atax:64 bfs:512\n[set]\nsim.max_cycles = 1000\n' >short.ini
expect 0 "$MEMTWIN" study short.ini
is "cut off" "short: 2 runs: 2 done, 2 of them cut off at sim.max_cycles, 0 failed; $MEMTWIN study --list short.db" "$(cat out)"
is "cut off, in the list" 2 "$("$MEMTWIN" study --list short.db | grep -c ' done .* cut off at sim.max_cycles$')"
is "cut off, as CSV" 2 "$("$MEMTWIN" study --list short.db --csv - | grep -c ',cut off at sim.max_cycles$')"
is "cut off, as JSON" '["cut off at sim.max_cycles"]' "$("$MEMTWIN" study --list short.db --json - | jq -c '[.[].message] | unique')"
sql short.db "UPDATE run SET end = 'time_limit' WHERE id = 1"
expect 0 "$MEMTWIN" study short.ini
is "stopped" "1 done, 1 of them cut off at sim.max_cycles, 1 stopped by max_time, 0 failed" "$(sed 's/.*runs: //; s/;.*//' out)"
is "stopped, in the list" 1 "$("$MEMTWIN" study --list short.db | grep -cE ' stopped .* stopped by max_time$')"
expect 0 "$MEMTWIN" study short.ini --dry-run
is "stopped, in a dry run" "done stopped" "$(grep -oE ' (done|stopped)$' out | sort | xargs)"
is "stopped, and nothing to do" 1 "$(grep -c '^2 runs, 0 to do' out)"
expect 0 "$MEMTWIN" study short.ini --dry-run --retry
is "stopped, and repeated" 1 "$(grep -c ' stopped, again$' out)"

# ---- The example of the documents ----
sed -n '/^    ; What shape/,/^    icnt.flit_bytes/s/^    //p' "$OLDPWD/docs/use/studies.md" >example.ini
expect 0 "$MEMTWIN" study example.ini --dry-run
grep -q '^36 runs, 36 to do' out || complain "docs/use/studies.md: $(tail -n 1 out)"
sed -n '/^    ; How much/,/^    if /s/^    //p' "$OLDPWD/docs/use/studies.md" >memory.ini
echo study,seed,figure,quantity,scheme,group,value >paper.csv
expect 0 "$MEMTWIN" study memory.ini --dry-run
grep -q '^38 rows, 34 runs, 4 to do, 30 dependent on other runs: ' out || complain "docs/use/studies.md: $(tail -n 1 out)"

# ---- A result counts only if it has everything that was requested ----
printf '[study]\nconfig = tiny\nworkload = addvect:32\n' >plain.ini
sed '1a check = yes\ndetail = yes\nseries = yes\ntwin = static_mshr' plain.ini >all.ini
expect 0 "$MEMTWIN" study plain.ini -q
all="checked = 1, detailed = 1, sampled = 1, twin = 'static_mshr'"
for lacks in state=state checked=0 detailed=0 sampled=0 "twin=''"; do
    [ "$lacks" = state=state ] && to_do=0 || to_do=1
    cp plain.db has.db
    sql has.db "UPDATE run SET $all; UPDATE run SET $lacks"
    expect 0 "$MEMTWIN" study all.ini -o has.db --dry-run
    is "a result, $lacks" "1 run, $to_do to do" "$(tail -n 1 out | cut -d: -f1)"
    cp plain.db has.db
    sql has.db "INSERT INTO run(identity, config, workload, version, state, checked) SELECT identity, config, workload, version, 'failed', 2 FROM run;
        UPDATE run SET $all WHERE id = 2; UPDATE run SET $lacks WHERE id = 2"
    expect 0 "$MEMTWIN" study all.ini -o has.db --dry-run
    is "a failure, $lacks" "1 run, $to_do to do" "$(tail -n 1 out | cut -d: -f1)"
done
# A better result replaces one without extras.
for has in check,checked=1 detail,detailed=1 series,sampled=1 "twin,twin='static_mshr'" none,state=state; do
    sed "/^${has%,*} =/d; /^twin/d" all.ini >others.ini
    cp plain.db has.db
    sql has.db "UPDATE run SET ${has#*,}"
    expect 0 "$MEMTWIN" study others.ini -o has.db -q
    is "only one has: ${has#*,}" "$([ $has = none,state=state ] && echo 1 || echo 2)" "$(sql has.db 'SELECT count(*) FROM run')"
done

# ---- Groups, the best of several schemes, values of other runs ----
cat >stand.ini <<'END'
[study]
config = tiny
workload = addvect:32
baseline = most
reference = paper.csv
[scheme q{2,4,8}]
l1d.mshr_entries = {}
[scheme most]
best = ipc q2 q4 light_only
  q8
[scheme least]
least = ipc q{2,4,8}
[scheme most+small]
base = most
l1d.miss_queue = 2
[scheme part{50,75}]
base = most
l1d.hit_latency = {}%l1d_accesses@q8@l1d.ways=4
[scheme q3]
if = l1d_primary_misses@q2
[scheme q5]
if = l1d_bypasses@q2
[scheme q6]
if = l1d_primary_misses@q5
[scheme light_only]
group = light
[group heavy]
workload = atax:{16,32}
icnt.latency = 9
[group light]
workload = mvt:16
[axis]
l1d.ways = {2,4}
END
printf 'study,seed,figure,quantity,scheme,group,value\nstand,s,"1, left",IPC over the baseline,most,heavy,1.5\nother,s,1,IPC,x,y,2\nstan,s,1,IPC,x,y,2\n' >paper.csv
expect 0 "$MEMTWIN" study stand.ini --dry-run
is "dry run" "90 rows, 72 runs, 24 to do, 48 dependent on other runs: time unknown, because no workload to do has finished on its configuration yet (start the study to see the time left; Ctrl-C keeps finished runs)" "$(tail -n 1 out)"
expect 0 "$MEMTWIN" study stand.ini
is "no run" "light_only|light" "$(sql stand.db "SELECT DISTINCT scheme, group_name FROM result WHERE scheme IN ('q5', 'q6', 'light_only')")"
is "a condition" 8 "$(sql stand.db "SELECT count(*) FROM result WHERE scheme = 'q3'")"
is "groups" "|2 heavy|4 light|2" "$(sql stand.db "SELECT group_name, count(*) FROM result WHERE scheme = 'q2' GROUP BY 1" | xargs)"
is "a key of a group" "atax:16 atax:32" "$(sql stand.db "SELECT DISTINCT result.workload FROM result JOIN run ON run.id = run JOIN config_value ON config_value.config = run.config
    WHERE key = 'icnt.latency' AND value = 9 ORDER BY 1" | xargs)"
for best in 'most ipc DESC' 'least ipc ASC'; do
    read -r scheme order <<<"$best"
    is "the $scheme" 8 "$(sql stand.db "SELECT count(*) FROM result m WHERE scheme = '$scheme' AND choice = (SELECT scheme FROM result q WHERE q.workload = m.workload
        AND q.axes = m.axes AND (q.scheme GLOB 'q[248]' OR (q.scheme = 'light_only' AND '$scheme' = 'most')) ORDER BY $order, instr('q2 q4 light_only q8', scheme) LIMIT 1)")"
done
is "its run" 16 "$(sql stand.db "SELECT count(*) FROM result m JOIN result q ON q.workload = m.workload AND q.axes = m.axes AND q.scheme = m.choice
    WHERE m.run = q.run")"
is "choices" 3 "$(sql stand.db "SELECT count(DISTINCT choice) FROM result")"
# keys QUERY: prints a key in the runs, joined to other runs of their workload
keys() {
    sql stand.db "SELECT count(*) FROM result a JOIN result b ON b.workload = a.workload AND $1 JOIN run ra ON ra.id = a.run JOIN run rb ON rb.id = b.run
        JOIN config_value ka ON ka.config = ra.config JOIN config_value kb ON kb.config = rb.config AND kb.key = ka.key WHERE $2"
}
is "keys of the best" 16 "$(keys "b.axes = a.axes AND a.scheme = 'most+small' AND b.scheme = 'most'" "(ka.key = 'l1d.mshr_entries' AND ka.value = kb.value) OR (ka.key = 'l1d.miss_queue' AND ka.value = 2 AND kb.value <> 2)")"
is "a part of a statistic" 8 "$(keys "b.scheme = 'q8' AND b.axes = '{\"l1d.ways\":4}' AND a.scheme = 'part50'" "ka.key = 'l1d.hit_latency' AND ka.value = b.l1d_accesses * 50 / 100")"
is "its baseline" 8 "$(sql stand.db "SELECT count(*) FROM result a JOIN result b ON b.n = a.baseline AND b.scheme = 'most' WHERE a.scheme = 'q3'")"
is "published figures" "stand|s|1, left|IPC over the baseline|most|heavy|1.5" "$(sql stand.db 'SELECT * FROM reference')"
rows="SELECT n, workload, group_name, scheme, choice, axes, cycles, baseline FROM result WHERE study = 'stand' ORDER BY n"
sql stand.db "$rows" >before
sql stand.db 'SELECT id, started FROM run' >ran
expect 0 "$MEMTWIN" study stand.ini
cmp -s before <(sql stand.db "$rows") && cmp -s ran <(sql stand.db 'SELECT id, started FROM run') || complain "existing results were found or run again"
expect 0 "$MEMTWIN" study stand.ini --dry-run
is "dry run" "74 rows, 48 runs, 0 to do" "$(tail -n 1 out)"
sql stand.db "DELETE FROM point; DELETE FROM total WHERE run IN (SELECT id FROM run WHERE id > 20); UPDATE run SET state = 'waiting' WHERE id > 20"
expect 0 "$MEMTWIN" study stand.ini
cmp -s before <(sql stand.db "$rows") || complain "killed and gone on with: other runs"
sed 's/part{50,75}/part{50,100}/' stand.ini >beyond.ini
expect_line 1 "2 runs are not known: run 62 (atax:32, part100) cannot run: beyond.ini:18: impossible configuration: tiny, scheme part100, l1d.ways=2: l1d.hit_latency: 1186 is outside" "$MEMTWIN" study beyond.ini -o stand.db -q
# Runs that depend on a failed run wait for --retry.
sql stand.db "UPDATE run SET state = 'failed', exit_code = 4 WHERE id = (SELECT run FROM result WHERE scheme = 'q8' AND n = (SELECT min(n) FROM result WHERE scheme = 'q8'))"
expect 4 "$MEMTWIN" study stand.ini
grep -q '^memtwin study: [0-9]* runs are not known: run [0-9]* (addvect:32, [a-z0-9+]*) depends on run 4 (q8), which has no result$' err || complain "unknown results: $(cat err)"
expect 0 "$MEMTWIN" study stand.ini --retry
cmp -s before <(sql stand.db "$rows") || complain "after --retry: other runs"

# ---- A database of an earlier version: its rows get NULL in the new columns ----
cp shape.db old.db
sql old.db "DROP VIEW result; DROP VIEW value; DROP VIEW detail_value; ALTER TABLE total DROP COLUMN l1d_hits;
    ALTER TABLE detail DROP COLUMN l1d_hits; DELETE FROM statistic WHERE name = 'l1d_hits'; DROP VIEW command; ALTER TABLE run DROP COLUMN call"
cp old.db read.db
expect 0 "$MEMTWIN" report read.db -q
is "read only" 0 "$(sql read.db "SELECT count(*) FROM pragma_table_info('run') WHERE name = 'call'")"
expect 0 "$MEMTWIN" study more.ini -o old.db -q
is "a new column" "8 16" "$(sql old.db "SELECT count(l1d_hits) || ' ' || (count(*) - count(l1d_hits)) FROM result WHERE study = 'more'")"
is "its commands" "8 16" "$(sql old.db "SELECT sum(text GLOB 'cd *') || ' ' || sum(text GLOB 'memtwin run -c tiny *') FROM command")"
is "its rows" 8 "$(sql old.db "SELECT count(value) FROM value WHERE name = 'l1d_hits'")"

# ---- A trace ----
expect 0 "$MEMTWIN" study trace.ini
is "a trace" 1 "$(sql trace.db 'SELECT count(DISTINCT cycles) FROM result')"
is "its hash" 1 "$(sql trace.db "SELECT count(*) FROM run WHERE length(trace_hash) = 32 AND workload = 'trace'")"

# ---- Some kernels of a trace ----
"$MEMTWIN" trace export -q -w atax:16 -o two
printf '[study]\nconfig = tiny\nworkload = addvect:32\ntrace = two\nkernels = 2-\n' >kernels.ini
expect 0 "$MEMTWIN" study kernels.ini -q
expect 0 "$MEMTWIN" run -q -c tiny -t two --kernels 2- --json x.json
is "some kernels" "$(jq -r '"\(.identity) \(.stats.cycles)"' x.json)" "$(sql kernels.db "SELECT identity || ' ' || cycles FROM result JOIN run ON run.id = run WHERE n = 1")"
is "their command" "$(jq -r .identity x.json)" "$(eval "$(sql kernels.db 'SELECT text FROM command WHERE run = 2') --identity")"
sed 's/2-/3/' kernels.ini >wrong.ini
expect_line 1 "memtwin study: wrong.ini:4: --kernels: no kernel 3: the trace has 2" "$MEMTWIN" study wrong.ini
sed '/^trace/d' kernels.ini >wrong.ini
expect_line 1 "memtwin study: wrong.ini:4: kernels works only with a trace: [study] and its groups name none" "$MEMTWIN" study wrong.ini

# ---- Failures are kept with message and log, and repeated on request ----
printf '[study]\nconfig = tiny\nworkload = bfs:512\ncheck = yes\n[set]\nsm.count = 4\nl1d.sets = 256\nl1d.ways = 4\n[scheme good]\n[scheme lost]\nsim.planted_fault = lose_store\n' >bad.ini
printf '[scheme none]\nsim.planted_fault = lose_page\n[scheme stuck]\nsim.planted_fault = lose_reply\nsim.no_progress_cycles = 2000\n' >>bad.ini
expect 4 "$MEMTWIN" study bad.ini -j 1
grep -q '^memtwin study: run 1 failed (4): bfs:512, lost: data check failed: ' err || complain "failures: $(cat err)"
grep -qx 'memtwin study: 3 runs failed: --list bad.db says why, --retry runs them again' err || complain "failures: $(cat err)"
is "failures" "done 1 failed 3" "$(states bad.db)"
is "exit codes" "0 4 1 5" "$(sql bad.db 'SELECT exit_code FROM point JOIN run ON run.id = run ORDER BY n' | xargs)"
is "ends" "done check_failed not_planted no_progress" "$(sql bad.db 'SELECT end FROM point JOIN run ON run.id = run WHERE end IS NOT NULL ORDER BY n' | xargs)"
[ "$(sql bad.db "SELECT max(length(log)) FROM run")" -gt 500 ] || complain "no log of the hung run"
is "compared" 1 "$(sql bad.db "SELECT min(checked) FROM run")"
"$MEMTWIN" study --list bad.db | grep -q 'failed .*data check failed: ' || complain "list of failures"
sql bad.db 'SELECT id, started FROM run ORDER BY id' >before
expect 4 "$MEMTWIN" study bad.ini -q
cmp -s before <(sql bad.db 'SELECT id, started FROM run ORDER BY id') || complain "failures are run again unasked"
expect 4 "$MEMTWIN" study bad.ini -q --retry
printf '[study]\nconfig = tiny\nworkload = bfs:512\n[set]\nsim.no_progress_cycles = 2000\n[scheme a]\nl1d.ways = 2\n[scheme b]\nl1d.ways = 4\nsim.planted_fault = lose_reply\n' >pass.ini
printf '[scheme best]\nbest = ipc a\n[scheme later]\nbase = best\nl1d.ways = 4\nsim.planted_fault = lose_reply\n' >>pass.ini
expect 5 "$MEMTWIN" study pass.ini
for _ in 1 2; do # in the second pass the failure is known, as the run of the first pass
    sql pass.db "DELETE FROM total WHERE run = 1; UPDATE run SET state = 'waiting' WHERE id = 1"
    expect 5 "$MEMTWIN" study pass.ini --retry
    is "retried in each pass" 1 "$(grep -c ': run . failed (5): ' err)"
done
is "retried" 1 "$(sql bad.db 'SELECT id, started FROM run ORDER BY id' | comm -12 before - | wc -l)"

# ---- Killed runs and studies; stopped studies ----
printf '[study]\nconfig = pascal28\nworkload = gemm:1024 gemm:960\nmax_time = 2\n[scheme a]\n[scheme b]\nl1d.ways = 8\n' >long.ini
"$MEMTWIN" study long.ini -j 2 >out 2>err &
study=$!
running long.db 2
kill -STOP $children # slow runs do not end meanwhile
expect_line 1 "long.db: another memtwin study is using it" "$MEMTWIN" study long.ini
kill -9 ${children% *}
kill -CONT ${children#* }
wait $study
is "a killed run" "2" "$?"
is "a killed run" "done 3 failed 1" "$(states long.db)"
is "its message" "137 ended by signal 9 (Killed)" "$(sql long.db "SELECT exit_code || ' ' || message FROM run WHERE state = 'failed'")"
is "the others" "time_limit 0" "$(sql long.db "SELECT DISTINCT end || ' ' || complete FROM run WHERE state = 'done'")"

is "a list of them" 3 "$("$MEMTWIN" study --list long.db | grep -cE ' stopped .* stopped by max_time$')"
is "statistics of them" "0 0" "$(sql long.db 'SELECT count(cycles) FROM result') $(sql long.db 'SELECT count(*) FROM value')"
# A run is cut off with details, and repeated without them: the runs that depend on it are found.
sed '/^\[scheme later/,$d' pass.ini | sed '/^\[scheme b]/,/lose_reply/d' >depend.ini
expect 0 "$MEMTWIN" study depend.ini --detail -q
sql depend.db "UPDATE run SET end = 'time_limit', complete = 0"
expect 0 "$MEMTWIN" study depend.ini --retry -q
is "a cut-off run, run again" "2 done a" "$(sql depend.db "SELECT count(*) || ' ' || group_concat(DISTINCT end) || ' ' || max(choice) FROM result")"
"$MEMTWIN" study --list depend.db | grep -q 'stopped' && complain "run again, and listed as stopped"
expect 0 "$MEMTWIN" study long.ini --dry-run --retry
grep -q '^4 runs, 4 to do' out || complain "a dry run with --retry: $(tail -n 1 out)"

# A run that was cut off does not replace a complete one.
sql long.db "UPDATE run SET complete = 1, end = 'done' WHERE state = 'done'"
sed 's/^max_time.*/max_time = 1\ncheck = yes/; /^\[scheme b/,$d' long.ini >cut.ini
expect 0 "$MEMTWIN" study cut.ini -o long.db -q -w gemm:960
is "complete, and cut off" "3 1" "$(sql long.db "SELECT sum(complete) || ' ' || sum(checked AND end = 'time_limit') FROM run WHERE state = 'done'")"

# A study that waits for its database stops, and one that cannot write its database leaves none.
{ echo 'BEGIN EXCLUSIVE;' && sleep 4; } | sqlite3 long.db &
holder=$!
sleep 1
timeout -s INT --preserve-status 1 "$MEMTWIN" study long.ini 2>err >out
is "a study that waits" "130 memtwin study: long.db: locked by another program" "$? $(cat err)"
wait $holder
(trap '' XFSZ && ulimit -f 0 && exec "$MEMTWIN" study long.ini -o full.db) 2>&1 | cat >err
[ "$(wc -l <err)" = 1 ] && [ -z "$(ls full.db* 2>/dev/null)" ] || complain "no room for a database: $(cat err), $(ls -l full.db*)"
: >empty.db
expect_line 1 "empty.db: empty; expected a database that memtwin study has written" "$MEMTWIN" study --list empty.db

# ---- Results are kept until better ones arrive ----
# A failed check: the study that requested it shows the failure, and the other study keeps its results.
printf '[study]\nconfig = tiny\nworkload = bfs:512\n[set]\nsm.count = 4\nl1d.sets = 256\nl1d.ways = 4\n[scheme good]\n[scheme lost]\nsim.planted_fault = lose_lane\n' >first.ini
sed 's/^\[set\]/check = yes\n[set]/' first.ini >second.ini
expect 0 "$MEMTWIN" study first.ini -o keep.db
"$MEMTWIN" study --list keep.db >before
rows="SELECT n, state, cycles, ipc FROM result WHERE study = 'first' ORDER BY n"
sql keep.db "$rows" >rows
expect 0 "$MEMTWIN" study second.ini -o keep.db --dry-run
grep -q '^2 runs, 2 to do' out || complain "a dry run of a study with a check: $(cat out)"
cp keep.db slurm.db
expect 4 "$MEMTWIN" study second.ini -o keep.db
grep -qx 'memtwin study: 1 run failed: --list keep.db says why, --retry runs it again' err || complain "a check that fails: $(cat err)"
is "a check that fails" "done failed" "$(sql keep.db "SELECT state FROM result WHERE study = 'second' ORDER BY n" | xargs)"
cmp -s rows <(sql keep.db "$rows") || complain "a failure has replaced the results of another study"
is "checked now" 1 "$(sql keep.db "SELECT checked FROM result JOIN run ON run.id = run WHERE study = 'first' AND n = 0")"
whole keep.db
sql keep.db 'SELECT id, started FROM run ORDER BY id' >ran
expect 0 "$MEMTWIN" study first.ini -o keep.db
expect 4 "$MEMTWIN" study second.ini -o keep.db -q
expect 0 "$MEMTWIN" study second.ini -o keep.db --dry-run
grep -q '^2 runs, 0 to do' out || complain "a failed check is tried again unasked: $(tail -n 1 out)"
cmp -s ran <(sql keep.db 'SELECT id, started FROM run ORDER BY id') || complain "a failed check is tried again unasked"
# The clock of the failing machine was wrong.
sql keep.db "UPDATE run SET started = started + 1e6 WHERE state = 'failed'"
expect 0 "$MEMTWIN" study second.ini -o keep.db --dry-run --retry
grep -q '^2 runs, 1 to do' out && grep -qE 'lost +failed, again$' out || complain "a dry run with --retry: $(cat out)"
expect 4 "$MEMTWIN" study second.ini -o keep.db -q --retry
is "retried once" 1 "$(sql keep.db 'SELECT id, started FROM run ORDER BY id' | comm -13 ran - | wc -l)"
cmp -s rows <(sql keep.db "$rows") || complain "a failure has replaced the results of another study"
# A better end replaces the old one and leaves no second row.
is "a twin" "2 2" "$(sed 's/^\[set\]/twin = static_mshr\n[set]/' first.ini >third.ini; "$MEMTWIN" study third.ini -o keep.db --dry-run | sed -n 's/ runs, \(.*\) to do.*/ \1/p')"
expect 0 "$MEMTWIN" study first.ini -o keep.db --detail -q
is "details beside what was checked" "1 1|0 1" "$(sql keep.db "SELECT detailed || ' ' || (cycles > 0) FROM result JOIN run ON run.id = run WHERE study = 'first' ORDER BY n" | head -n 1)|$(
    sql keep.db "SELECT detailed || ' ' || checked FROM run WHERE checked = 1 AND state = 'done'")"
sql keep.db 'SELECT id, started FROM run ORDER BY id' >ran
expect 4 "$MEMTWIN" study second.ini -o keep.db -q
expect 0 "$MEMTWIN" study first.ini -o keep.db --detail -q
cmp -s ran <(sql keep.db 'SELECT id, started FROM run ORDER BY id') || complain "a check and details drive each other out"
# Stopped and killed runs too.
printf '[study]\nconfig = pascal28\nworkload = gemm:256\n' >slow.ini
expect 0 "$MEMTWIN" study slow.ini -q
sql slow.db 'SELECT n, state, cycles FROM result' >rows
for signal in KILL INT; do
    set -m
    "$MEMTWIN" study slow.ini --detail >out 2>err &
    study=$!
    set +m
    running slow.db 1
    kill -STOP $children
    is "at work on details" "done 1 running 1" "$(states slow.db)"
    kill -$signal $study
    wait $study 2>/dev/null
    expect 0 "$MEMTWIN" study slow.ini --dry-run
    grep -q '^1 run, 0 to do' out || complain "SIG$signal: without details: $(tail -n 1 out)"
done
expect 0 "$MEMTWIN" study slow.ini -q
is "asked for no more" "$(cat rows)" "$(sql slow.db 'SELECT n, state, cycles FROM result')"
expect 0 "$MEMTWIN" study slow.ini --detail -q
is "details" "1 done 1 $(cut -d'|' -f3 rows)" "$(sql slow.db "SELECT count(*) FROM run") $(states slow.db) $(sql slow.db 'SELECT cycles FROM result')"
[ "$(sql slow.db 'SELECT count(*) FROM detail')" -gt 10 ] || complain "no details"
whole slow.db

# ---- A database that is moved, deleted or replaced in between: the study stops ----
printf '[study]\nconfig = pascal28\nworkload = addvect:32 gemm:1024\n' >move.ini
mkdir at
for way in 'mv at/x.db moved.db' 'mv at away' 'rm at/x.db*' 'rm -r at' 'echo foreign >new; mv new at/x.db' 'mv at/x.db moved.db; echo foreign >at/x.db'; do
    "$MEMTWIN" study move.ini -o at/x.db -j 1 >out 2>err &
    study=$!
    for _ in $(seq 500); do
        [ "$(states at/x.db 2>/dev/null)" != "done 1 running 1" ] || break
        sleep 0.02
    done
    eval "$way"
    for _ in $(seq 50); do
        [ "$(alive $study)" = 1 ] || break
        sleep 0.1
    done
    kill $study 2>/dev/null && complain "$way: the study goes on"
    wait $study
    code=$?
    case $way in
        'mv at/x.db '*) kept=$PWD/moved.db ;;
        'mv at away') kept=$PWD/away/x.db ;;
        *) kept= ;;
    esac
    what="moved to $kept while the study was using it; that file has its results"
    [ -n "$kept" ] || what="$([ -e at/x.db ] && echo replaced || echo deleted) while the study was using it; its results are lost"
    is "$way" "1 memtwin study: at/x.db: $what" "$code $(cat out err)"
    [ -z "$kept" ] || is "$way: results" 1 "$(sql "$kept" "SELECT count(cycles) FROM result WHERE state = 'done'")"
    [ "$(cat at/x.db 2>/dev/null)" = "$(case $way in *foreign*) echo foreign ;; esac)" ] || complain "$way: at/x.db has changed"
    rm -rf at away moved.db* && mkdir at
done

# ---- A configuration that changes in between ----
printf 'base = pascal28\n' >mine.ini
printf '[study]\nconfig = mine.ini\nworkload = gemm:1024 addvect:32\nmax_time = 2\n' >change.ini
"$MEMTWIN" study change.ini -j 1 >out 2>err &
study=$!
running change.db 1
kill -STOP $children
printf '[l1d]\nways = 8\n' >>mine.ini
kill -CONT $children
wait $study
is "a configuration that changes" "1 done 1 failed 1" "$? $(states change.db)"
grep -q 'addvect:32: its configuration or trace has changed since the study was read$' err || complain "a configuration that changes: $(cat err)"

sed 's/max_time.*/check = no/; s/ways = 8/ways = 6/' long.ini >kill.ini
printf '[axis]\nl1d.sets = 32 64\n' >>kill.ini
for signal in KILL INT TERM; do
    set -m
    "$MEMTWIN" study kill.ini -j 2 >out 2>err &
    study=$!
    set +m
    running kill.db 2
    began=$(date +%s%N)
    kill -$signal $study
    wait $study 2>/dev/null
    code=$?
    "$MEMTWIN" study --list kill.db | grep -q ' running' && complain "SIG$signal: runs are still listed as running"
    [ $signal = KILL ] || grep -qx 'kill: 0 of 8 runs done, 0 failed; the same command continues the study' err || complain "SIG$signal: $(cat err)"
    while [ "$(alive $children)" != 0 ]; do sleep 0.01; done
    [ $(($(date +%s%N) - began)) -lt 1000000000 ] || complain "SIG$signal: it took $((($(date +%s%N) - began) / 1000000)) ms"
    case $signal in
    KILL) is "kill -9" 137 $code ;;
    INT) is "Ctrl-C" "130 waiting 8" "$code $(states kill.db)" ;;
    TERM) is "SIGTERM" "143 waiting 8" "$code $(states kill.db)" ;;
    esac
done
whole kill.db
sed -i 's/gemm:[0-9]*/atax:16/; s/ gemm:960//' kill.ini
"$MEMTWIN" study kill.ini -q 2>err || complain "after a kill"
is "runs of the earlier workloads" "memtwin study: 8 runs of kill are no longer listed, because kill.ini does not have them" "$(cat err)"
mkdir other && cp kill.ini other
expect 0 "$MEMTWIN" study other/kill.ini -q -o kill.db
is "the same name" "memtwin study: kill.db: study kill replaces the one from kill.ini" "$(cat err)"
is "another study file" "4 done 4 waiting" "$(sql kill.db "SELECT count(*) FROM result WHERE state = 'done'") done 4 waiting"
whole kill.db

# ---- Wrong studies ----
wrong() { # TEXT LINES: expects the error TEXT from a study whose [set] is replaced by LINES
    printf '[study]\nconfig = tiny\nworkload = addvect:32\n%b\n' "$2" >wrong.ini
    expect_line 1 "memtwin study: wrong.ini:$1" "$MEMTWIN" study wrong.ini -o wrong.db
}
wrong "5: unknown key 'mhsr' in section 'l1d' (see memtwin list keys); did you mean 'mshr'?" '[set]\nl1d.mhsr = dl'
wrong "5: l1d.mshr: 'dll' is not one of" '[set]\nl1d.mshr = dll'
wrong "5: 'mshr' is not of the form section.key" '[set]\nmshr = dl'
wrong "6: key 'l1d.ways' is given twice" '[set]\nl1d.ways = 2\nl1d.ways = 4'
wrong "5: axis 'l1d.ways' has no values" '[axis]\nl1d.ways ='
wrong "5: '4' is given twice" '[axis]\nl1d.ways = 4 2 4'
wrong "5: {8..1}: a descending range; expected {1..8}" '[axis]\nl1d.ways = {8..1}'
wrong "4: {2..1}: a descending range; expected {1..2}" '[scheme y{2..1}]\nl1d.ways = 2'
wrong "5: axis 'l1d.ways': value 3 (04) repeats value 1 (4)" '[axis]\nl1d.ways = 4 2 04'
wrong "7: axis 'l1d.ways': value 2 (02) repeats value 1 (2)" '[axis]\nl1d.ways =\n 2\n 02'
wrong "5: axis 'x': value 3 (04) repeats value 1 (4)" '[axis x]\nl1d.ways = 4 4 04\nl1d.sets = 8 16 8'
wrong "5: workload 'addvect:032' repeats 'addvect:32'" '[group y]\nworkload = addvect:032'
wrong "6: key 'l1d.ways' already has an axis in line 5" '[axis]\nl1d.ways = 2 4\nl1d.ways = 8'
wrong "7: key 'l1d.ways' already has an axis in line 5" '[axis]\nl1d.ways = 2 4\n[axis x]\nl1d.ways = 8'
wrong "4: [axis x] has no keys" '[axis x]\n[set]'
wrong "4: [axis] has no keys" '[axis]\n[set]\nl1d.ways = 2'
wrong "5: [axis] has no keys" '[set]\n[axis]'
wrong "6: 'l1d.sets' has 3 values but 'l1d.ways' has 2; all keys of [axis x] need the same number" '[axis x]\nl1d.ways = 2 4\nl1d.sets = 8 16 32'
wrong "7: axis over 'l1d.ways', but scheme 'y' also sets this key" '[scheme y]\nl1d.ways = 2\n[axis]\nl1d.ways = 2 4'
wrong "7: axis over 'l1d.ways', but line 5 sets this key for every run" '[set]\nl1d.ways = 2\n[axis]\nl1d.ways = 2 4'
wrong "6: [scheme y]: an axis, group or scheme of that name already exists" '[scheme y]\n[scheme z]\n[scheme y]'
wrong "6: base = yy: no earlier scheme has that name; did you mean 'y1'?" '[scheme y1]\n[scheme z]\nbase = yy'
wrong "4: unknown section 'sett': expected study, set, group, scheme, axis or plot; did you mean 'set'?" '[sett]'
wrong "4: unknown key 'workloads' in section 'study' (see memtwin-study(5)); did you mean 'workload'?" 'workloads = x'
wrong "4: key 'config' is given twice in section 'study'" 'config = tiny'
wrong "4: a plot without a name: [plot NAME]" '[plot]\ny = ipc'
wrong "6: [plot a]: a plot of that name already exists" '[plot a]\ny = ipc\n[plot a]'
wrong "5: y: no statistic 'icp' (see memtwin list stats); did you mean 'ipc'?" '[plot a]\ny = icp'
wrong "5: y: l1d_rf is now called l1d_refusals" '[plot a]\ny = l1d_rf'
wrong "5: kind: 'pie' is not one of bar|line" '[plot a]\nkind = pie'
wrong "5: kind: 'bar|line' is not one of bar|line" '[plot a]\nkind = bar|line'
wrong "4: {1..999999999}: more than 1000000 words" 'trace = t{1..999999999}'
wrong "5: unknown key 'colour' in [plot a] (see memtwin-study(5)); did you mean 'color'?" '[plot a]\ncolour = scheme'
wrong "6: key 'x' is given twice in [plot a]" '[plot a]\nx = scheme\nx = config'
wrong "5: x: 'l1d.way' is neither workload, group, scheme or config nor a key of an axis; did you mean 'l1d.ways'?" '[plot a]\nx = l1d.way\n[axis]\nl1d.ways = 2 4'
wrong "5: schemes: unknown scheme 'y'" '[plot a]\nschemes = y'
wrong "5: relative = inverse: [study] names no baseline" '[plot a]\nrelative = inverse'
wrong "4: check: 'maybe' is not one of yes|no" 'check = maybe'
wrong "4: max_time: '1x' is not a time" 'max_time = 1x'
wrong "4: neither [section] nor key = value" 'what'
wrong "4: baseline 'y' is not a scheme, a configuration or KEY=VALUE of an axis" 'baseline = y'
wrong "4: baseline l1d.ways=3: its axis does not have that value" 'baseline = l1d.ways=3\n[axis]\nl1d.ways = 2 4'
wrong "7: impossible configuration: tiny, scheme f, l1d.sets=8: l1d.set_index=fermi needs" '[scheme f]\nl1d.set_index = fermi\n[axis]\nl1d.sets = 32 8'
wrong "6: impossible configuration: tiny, l1d.ways=2 l1d.set_index=fermi: l1d.set_index=fermi needs" '[axis]\nl1d.ways = 2\nl1d.set_index = fermi\n[set]\nl1d.sets = 8'
wrong "6: impossible configuration: tiny, scheme f, l1d.ways=2: l1d.set_index=fermi needs" '[scheme f]\nl1d.set_index = fermi\nl1d.sets = 8\n[axis]\nl1d.ways = 2'
printf 'base = tiny\n[l1d]\nset_index = fermi\nsets = 8\n' >fermi.ini
printf '[study]\nworkload = addvect:32\nconfig = tiny\n  fermi.ini\n' >wrong.ini
expect_line 1 "wrong.ini:4: impossible configuration: fermi.ini: l1d.set_index=fermi needs" "$MEMTWIN" study wrong.ini -o wrong.db
wrong "4: twin = foo: every run rejects it: --twin foo: no such instance; the machine has l1d.*.mshr" 'twin = foo'
wrong "4: twin = dl_msh: every run rejects it: --twin dl_msh: no such instance; the machine has l1d.*.mshr" 'twin = dl_msh\n[axis]\nl1d.mshr = static dl'
wrong "4: twin = dl_mshr:x: every run rejects it: --twin dl_mshr:x: 'x' is neither lockstep nor drive" 'twin = dl_mshr:x'
wrong "4: '-' is not the path of a trace" 'trace = -'
wrong "4: nowhere: " 'trace = nowhere'
wrong "5: best = ipc: no schemes to choose from" '[scheme y]\nbest = ipc'
wrong "5: no statistic 'ipcc' (see memtwin list stats); did you mean 'ipc'?" '[scheme y]\nbest = ipcc z'
wrong "6: unknown scheme 'yy'; did you mean 'y1'?" '[scheme y1]\n[scheme z]\nleast = cycles yy'
wrong "6: scheme 'z' is the best of others: it has no keys" '[scheme y]\n[scheme z]\nbest = ipc y\nl1d.ways = 2'
wrong "5: run 0 (addvect:32, y) depends on its own result" '[scheme y]\nbest = ipc z\n[scheme z]\nbase = y'
wrong "5: run 0 (addvect:32, y) depends on its own result" '[scheme y]\nl1d.ways = 5%cycles@z\n[scheme z]\nif = cycles@y'
wrong "5: l1d.mshr = 5%cycles@y: this key does not take a number" '[scheme y]\nl1d.mshr = 5%cycles@y'
wrong "5: 'cycles' names no run (use cycles@SCHEME)" '[scheme y]\nl1d.ways = 5%cycles'
wrong "5: the run 'z' is not a scheme, a configuration or KEY=VALUE of an axis" '[scheme y]\nl1d.ways = 5%cycles@z'
wrong "5: unknown group 'z'" '[scheme y]\ngroup = z'
wrong "4: [group y] names no workload and no trace" '[group y]'
wrong "5: 'addvect:32' is given twice" '[group y]\nworkload = addvect:32'
wrong "7: axis over 'l1d.ways', but group 'y' also sets this key" '[group y]\nl1d.ways = 2\n[axis]\nl1d.ways = 2 4'
wrong "4: {x}: neither a list {A,B} nor a range {1..9}" '[scheme y{x}]'
wrong "4: 'y{1,2': '{' without '}'" '[scheme y{1,2]'
wrong "5: '{2}': the name of scheme 'y1' has 1 list" '[scheme y{1,2}]\nl1d.ways = {2}'
wrong "5: '{}': the name of scheme 'y' has 0 lists" '[scheme y]\nl1d.ways = {}'
wrong "4: more than 10000 schemes" '[scheme y{1..10001}]'
wrong "4: reference = nowhere.csv: No such file" 'reference = nowhere.csv'
figures() { # TEXT LINES: expects the error TEXT for a reference file of LINES, a printf format
    printf "$2" >paper.csv
    wrong "$1" 'reference = paper.csv'
}
titles=study,seed,figure,quantity,scheme,group,value
figures "4: reference = paper.csv: no header line" ''
figures "4: reference = paper.csv:1: column 6 is 'groups', not 'group'" "${titles/group/groups}\n"
figures "4: reference = paper.csv:2: 6 fields, not 7" "$titles\nwrong,s,1,IPC,,1\n"
figures "4: reference = paper.csv:3: value 'about 2': not a number" "$titles\nother,s,1,IPC,,all,x\nwrong,s,1,IPC,,all,about 2\n"
figures "4: reference = paper.csv:2: unterminated quoted field" "$titles\nwrong,s,\"1\n"
printf "$titles\nwrong,s,1,IPC,dl,all,1\n" >paper.csv
printf '[study]\nconfig = tiny\nworkload = addvect:32\nreference = paper.csv\n' >wrong.ini
expect_line 1 "memtwin study: paper.csv:2: study 'wrong' has no scheme 'dl'" "$MEMTWIN" study wrong.ini
study_of() { # CONFIG WORKLOAD
    printf '[study]\nconfig = %s\nworkload = %s\n' "$1" "$2" >wrong.ini
}
study_of tinny atax
expect_line 1 "wrong.ini:2: config = tinny: no configuration 'tinny' (see memtwin list configs); did you mean 'tiny'?" "$MEMTWIN" study wrong.ini
study_of tiny attax
expect_line 1 "wrong.ini:3: no workload 'attax' (see memtwin list workloads); did you mean 'atax'?" "$MEMTWIN" study wrong.ini
study_of tiny atax:1x
expect_line 1 'wrong.ini:3: atax: size "1x"' "$MEMTWIN" study wrong.ini
printf '[study]\nworkload = atax\n' >wrong.ini
expect_line 1 "wrong.ini: no runs: [study] names no configuration" "$MEMTWIN" study wrong.ini
printf '[study]\nconfig = tiny\n' >wrong.ini
expect_line 1 "wrong.ini: no runs: [study] names no workload and no trace" "$MEMTWIN" study wrong.ini
: >wrong.ini
expect_line 1 "wrong.ini: no runs" "$MEMTWIN" study wrong.ini
expect_line 1 "nowhere.ini: No such file" "$MEMTWIN" study nowhere.ini
expect_line 1 "no study: expected FILE.ini" "$MEMTWIN" study
expect_line 1 "--list cannot be combined with other options" "$MEMTWIN" study --list -q shape.db
expect_line 1 "-j 0: not a number from 1 to 1024" "$MEMTWIN" study shape.ini -j 0
expect_line 1 "--jobs 0: not a number from 1 to 1024" "$MEMTWIN" study shape.ini --jobs=0
[ ! -e wrong.db ] || complain "a wrong study makes a database"

# ---- Wrong databases: nothing in them changes ----
refused() { # DB TEXT
    cksum "$1" >before
    expect_line 1 "memtwin study: $1: $2" "$MEMTWIN" study trace.ini -o "$1"
    expect_line 1 "memtwin study: $1: $2" "$MEMTWIN" study --list "$1"
    cmp -s before <(cksum "$1") || complain "$1 was changed"
}
echo 'no database at all, but a text of a line' >text.db
refused text.db "not a database of memtwin study"
sql other.db 'CREATE TABLE run(id)'
refused other.db "not a database of memtwin study"
cp shape.db newer.db
sql newer.db 'PRAGMA user_version = 99'
refused newer.db "made by another version of memtwin study: its schema is 99, but this program uses 2"
head -c 100000 shape.db >short.db
refused short.db "damaged or incomplete"
expect_line 1 "memtwin study: cannot write nowhere/x.db: No such file" "$MEMTWIN" study trace.ini -o nowhere/x.db
expect_line 1 "nowhere.db: No such file" "$MEMTWIN" study --list nowhere.db

mkfifo go
(echo 'BEGIN IMMEDIATE;'; echo '.shell echo >locked'; cat go) | sqlite3 trace.db &
until [ -e locked ]; do sleep 0.01; done
expect_line 1 "trace.db: locked by another program" "$MEMTWIN" study trace.ini
echo >go
wait
expect 0 "$MEMTWIN" study trace.ini

if unshare -m true 2>/dev/null; then
    mkdir full
    { printf '[study]\nconfig = tiny\nworkload = addvect:32\n[axis]\nl1d.hit_latency =\n'; seq -f ' %g' 300; } >full.ini
    cat >fill.sh <<'END'
mount -t tmpfs -o size=900k none full || exit 9
"$1" study full.ini -o full/x.db -j 2
code=$?
cp full/x.db* .
exit $code
END
    expect_line 1 "full/x.db: database or disk is full" unshare -m bash fill.sh "$MEMTWIN"
    there=$(sql x.db "SELECT count(*) FROM run JOIN total ON total.run = run.id WHERE state = 'done'")
    [ "$there" -gt 3 ] && [ "$there" -lt 300 ] || complain "on a full disk $there of 300 runs"
    expect 0 "$MEMTWIN" study full.ini -o x.db
    is "after a full disk" "done 300" "$(states x.db)"
    whole x.db
    # On a full disk, a database that no other process uses is read, and no file is left beside it.
    "$MEMTWIN" study --list shape.db >before
    cat >read.sh <<'END'
mount -t tmpfs -o size=4m none full && cp shape.db full/x.db && { [ -z "$2" ] || echo results >full/x.db-wal; }
cat /dev/zero >full/filler 2>/dev/null
"$1" study --list full/x.db && "$1" report full/x.db -q -o full.html && ls full
END
    expect 0 unshare -m bash read.sh "$MEMTWIN"
    is "a full disk" "$(cat before) filler x.db" "$(head -n -2 out) $(tail -n 2 out | xargs)"
    expect_line 1 "full/x.db: cannot write full/x.db-shm, which a reader needs: No space left on device" unshare -m bash read.sh "$MEMTWIN" log
    # A read-only database is read without changes.
    mkdir still
    cp shape.db 'still/100%.db'
    expect 0 unshare -m bash -c 'mount --bind still still && mount -o remount,ro,bind still && "$1" study --list still/100%.db && "$1" report still/100%.db -q -o -' _ "$MEMTWIN"
    cmp -s before <(head -n "$(wc -l <before)" out) && grep -q '<html' out || complain "a database that can only be read: $(head -n 3 out)"
else
    echo "no small file system here: neither a full disk nor one that can only be read is tested"
fi
# ---- Paths that are no database: one line, and nothing is run or left behind ----
mkdir dir && mkfifo pipe
for way in '' --dry-run; do
    for at in dir dir/ /dev/null /dev/full pipe -; do
        case $at in
            dir*) text="$at: Is a directory; expected a database, such as dir/NAME.db" ;;
            /dev/*) text="$at: a device; expected a database, which is a regular file" ;;
            pipe) text="pipe: a pipe; expected a database, which is a regular file" ;;
            -) text="-: a database cannot be a stream; expected the path of a file" ;;
        esac
        expect_line 1 "$text" timeout 20 "$MEMTWIN" study shape.ini $way -o "$at"
    done
done
for way in --list --collect; do
    expect_line 1 "dir: Is a directory; expected a database" "$MEMTWIN" study $way dir
    expect_line 1 "pipe: a pipe; expected a database" timeout 20 "$MEMTWIN" study $way pipe
done
expect_line 1 "dir/runs.db: No such file or directory" "$MEMTWIN" study --task 1 dir
printf '[study]\nconfig = tiny\ntrace = pipe\n' >piped.ini
expect_line 1 "piped.ini:3: pipe: a pipe; expected a file or a folder" timeout 20 "$MEMTWIN" study piped.ini
# Every name of standard output and standard error is a stream, also where it leads to a file.
for at in /dev/stdout /dev/fd/1 /proc/self/fd/1 /dev/stderr stream.txt; do
    for way in '' --dry-run; do
        "$MEMTWIN" study shape.ini $way -o $at >stream.txt 2>err
        is "$at $way" "1 memtwin study: $at: a database cannot be a stream; expected the path of a file" "$? $(cat err stream.txt)"
    done
done
[ -z "$(ls -A dir)" ] && [ ! -e ./- ] && [ -p pipe ] || complain "left behind: $(ls -A dir)"
finish
