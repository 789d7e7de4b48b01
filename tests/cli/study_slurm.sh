#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 13 s
# Studies on a cluster with a dummy queue: the job script, tasks that are killed and restarted, collection at any time, and errors in task
# files. tests/study/slurm.sh uses Slurm itself.
. tests/lib.bash
. tests/study.bash
MEMTWIN=$(realpath "$MEMTWIN")
cd "$work"

# sbatch records its arguments, and squeue prints a file. `task K` runs the script as a node would.
mkdir bin
cat >bin/sbatch <<'END2'
#!/bin/bash
echo "sbatch: warning: this is a test" >&2
printf '%s\n' "$@" >sbatch.arguments
[ ! -e sbatch.refuses ] || { cat sbatch.refuses >&2; exit 1; }
echo '17;cluster'
END2
cat >bin/squeue <<'END2'
#!/bin/bash
printf '%s\n' "$@" >squeue.arguments
[ ! -e queue ] || cat queue
END2
chmod +x bin/*
PATH=$PWD/bin:$PATH
task() { # K FOLDER
    SLURM_ARRAY_TASK_ID=$1 exec bash "$2/script"
}

# The script that --dry-run prints has the bytes of a path.
printf '[study]\nconfig = tiny\nworkload = addvect:32\n' >one.ini
"$MEMTWIN" study one.ini -o $'\xff\xe2\x80\xae.db' --slurm --dry-run >printed 2>err || complain "--dry-run: $(cat err)"
grep -qaF $'/\xff\xe2\x80\xae.tasks/%a.log' printed || complain "--dry-run: a byte is changed: $(grep -a output= printed)"

cat >shape.ini <<'END2'
[study]
config = tiny
workload = addvect:32 atax:16 bfs:512
check = yes
detail = yes
series = yes
baseline = small
[set]
sm.count = 4
l1d.sets = 256
[scheme small]
l1d.mshr = static
[scheme lost]
sim.planted_fault = lose_store
[axis]
l1d.ways = 2 4
END2

# ---- The script ----
expect 0 "$MEMTWIN" study shape.ini --slurm --sbatch '--partition=long --time=10' --dry-run
expect 0 "$MEMTWIN" study shape.ini --slurm --tasks 3 -j 2 --partition 'my part' --sbatch '--time=10 --mem=1G' --dry-run
sed -n '/^#!/,$p' out >script
is "a dry run" "12 runs, 12 to do" "$(grep -o '^12 runs, 12 to do' out)"
[ ! -e shape.db ] && [ ! -e shape.tasks ] || complain "a dry run makes files"
expect 0 "$MEMTWIN" study shape.ini --slurm --tasks 3 -j 2 --partition 'my part' --sbatch '--time=10 --mem=1G'
is "submitted" "shape: 12 of 12 runs in 3 tasks of job 17; $MEMTWIN study --collect shape.db" "$(cat out)"
cmp -s script shape.tasks/script || complain "the script differs from the dry run's: $(diff script shape.tasks/script)"
name=$(sed -n 's/^#SBATCH --job-name=//p' script)
is "sbatch" "--parsable --job-name=$name $PWD/shape.tasks/script" "$(xargs <sbatch.arguments)"
for text in '--time=10 --mem=1G' "--partition='my part'" '--array=1-3' '--ntasks=1 --cpus-per-task=2' '--requeue --open-mode=append' \
    "--chdir='$PWD'" "--output='$PWD/shape.tasks/%a.log'"; do
    grep -qxF -- "#SBATCH $text" script || complain "the script has no $text"
done
expect 0 "$MEMTWIN" study shape.ini --slurm --tasks 100 -j 5 --dry-run
grep -q -- '--array=1-3$' out || complain "12 runs, 5 at a time: $(grep array out)"

# ---- Tasks, and collection at any time ----
is "its states" "waiting 12" "$(states shape.db)"
expect 0 "$MEMTWIN" study --collect shape.db
is "nothing yet" "shape.db: 0 results from 0 tasks, 0 tasks still running" "$(cat out)"
(task 1 shape.tasks) >log 2>&1
code=$?
is "a task with a failure" "$(sql shape.tasks/1.db "SELECT exit_code FROM point JOIN run ON run.id = run WHERE state = 'failed' ORDER BY n LIMIT 1")" $code
expect 0 "$MEMTWIN" study --collect shape.db
is "one task" "shape.db: 4 results from 1 task, 0 tasks still running" "$(cat out)"
expect 0 "$MEMTWIN" study --collect shape.db -q
[ ! -s out ] || complain "--collect -q: $(cat out)"
is "twice" "4 8" "$(sql shape.db "SELECT count(*) FILTER (WHERE state IN ('done', 'failed')) || ' ' || count(*) FILTER (WHERE state = 'waiting') FROM run")"
(task 2 shape.tasks) >log 2>&1
(task 3 shape.tasks) >log 2>&1
expect 0 "$MEMTWIN" study --collect shape.db
is "the others" "shape.db: 8 results from 2 tasks, 0 tasks still running" "$(cat out)"

# ---- The same study runs locally next to its job: results of tasks are not repeated ----
printf '[study]\nconfig = tiny\nworkload = addvect:32 atax:16 gemm:16 bicg:16\n' >beside.ini
expect 0 "$MEMTWIN" study beside.ini --slurm --tasks 4
(task 1 beside.tasks) >/dev/null 2>&1
printf '  17\n' >queue
expect 0 "$MEMTWIN" study beside.ini
is "beside a job" "memtwin study: beside.db: job 17 is still in the queue, and this study repeats its runs (scancel 17, or stop this study, wait for the job and --collect)" "$(cat err)"
rm queue
for f in beside.tasks/*.db; do sql "$f" "SELECT identity, started FROM run WHERE state = 'done'" 2>/dev/null; done | sort >ran
[ -s ran ] || complain "task 1 has no results"
is "done by the task" "" "$(sql beside.db 'SELECT identity, started FROM run' | sort | comm -13 - ran)"

# Killed at any time and restarted, a study has the same results. Thousands of extra results leave time for the kill.
mkdir large
cp shape.db large
cp -r shape.tasks large
sql large/shape.tasks/2.db "INSERT INTO run(identity, config, workload, version, state, complete, checked, detailed, sampled, twin)
        WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 4000) SELECT 'x' || i, 1, 'w', 'v', 'done', 1, 0, 0, 0, '' FROM c;
    INSERT INTO total(run, cycles) SELECT id, id FROM run WHERE identity LIKE 'x%'"
cp -r large once
sqlite3 large/shape.db .dump >before
sql large/shape.db "CREATE TRIGGER stop BEFORE INSERT ON total BEGIN SELECT RAISE(ABORT, 'here'); END"
expect 1 "$MEMTWIN" study --collect large/shape.db
sql large/shape.db 'DROP TRIGGER stop'
cmp -s before <(sqlite3 large/shape.db .dump) || complain "half of the results of a task"
for ms in $(seq 20 20 120); do
    { timeout -s KILL "0.$(printf %03d "$ms")" "$MEMTWIN" study --collect large/shape.db >/dev/null; } 2>/dev/null
    whole large/shape.db
done
expect 0 "$MEMTWIN" study --collect large/shape.db
expect 0 "$MEMTWIN" study --collect once/shape.db
is "at once" "once/shape.db: 4000 results from 1 task, 0 tasks still running" "$(cat out)"
cmp -s <(sqlite3 large/shape.db .dump) <(sqlite3 once/shape.db .dump) || complain "the database differs after collection was killed"
"$MEMTWIN" study shape.ini -o here.db -q 2>/dev/null
same here.db shape.db
is "its failures" "$(sql here.db "SELECT count(*) FROM run WHERE log <> ''")" "$(sql shape.db "SELECT count(*) FROM run WHERE log <> ''")"
[ "$(sql shape.db 'SELECT count(*) FROM detail')" -gt 100 ] || complain "no details"
is "time series" "$(sql here.db 'SELECT count(*), sum(size) > 1000 FROM series')" "$(sql shape.db 'SELECT count(*), sum(size) > 1000 FROM series')"
expect 0 "$MEMTWIN" study shape.ini --slurm
is "nothing to do" "shape: 12 runs, nothing to do; $MEMTWIN study --list shape.db" "$(cat out)"

# Another job's results are collected first, so failures are repeated once more.
sed -i 's/^sim.planted_fault.*/l1d.mshr = dl/' shape.ini
expect 0 "$MEMTWIN" study shape.ini --slurm -q --tasks 1
is "changed runs" "waiting 6" "$(sql shape.db "SELECT state || ' ' || count(*) FROM result WHERE state <> 'done' GROUP BY state")"
is "an empty folder" "runs.db script" "$(cd shape.tasks && ls | xargs)"
(task 1 shape.tasks) >log 2>&1 || complain "task 1: $(cat log)"
expect 0 "$MEMTWIN" study shape.ini --slurm
is "done now" "shape: 12 runs, nothing to do; $MEMTWIN study --list shape.db" "$(cat out)"

# ---- Better results are kept ----
cp shape.db better.db
mkdir better.tasks
cp shape.tasks/1.db better.tasks
sql better.tasks/1.db "UPDATE run SET state = 'failed', message = 'x', started = started + 1000; DELETE FROM total; DELETE FROM detail"
sqlite3 better.db .dump >before
expect 0 "$MEMTWIN" study --collect better.db
cmp -s before <(sqlite3 better.db .dump) || complain "done, and replaced by failed"
id=$(sql better.tasks/1.db 'SELECT identity FROM run LIMIT 1')
sql better.db "UPDATE run SET state = 'failed', message = 'y' WHERE identity = '$id'"
expect 0 "$MEMTWIN" study --collect better.db
is "failed later" x "$(sql better.db "SELECT message FROM run WHERE identity = '$id'")"
cp shape.tasks/1.db better.tasks
expect 0 "$MEMTWIN" study --collect better.db
cmp -s <(sort before) <(sqlite3 better.db .dump | sort) || complain "failed, and not replaced by done"
sql better.db "DELETE FROM detail; UPDATE run SET detailed = 0"
expect 0 "$MEMTWIN" study --collect better.db
sql better.db "DELETE FROM series; UPDATE run SET sampled = 0"
expect 0 "$MEMTWIN" study --collect better.db
is "series" "$(sql better.tasks/1.db 'SELECT hex(data) FROM series ORDER BY 1' | cksum)" "$(sql better.db 'SELECT hex(data) FROM series ORDER BY 1' | cksum)"
is "details" "$(sql better.tasks/1.db 'SELECT count(*) FROM detail')" "$(sql better.db 'SELECT count(*) FROM detail')"

sql better.db "UPDATE run SET complete = 0, end = 'time_limit', checked = 0"
sql better.tasks/1.db "UPDATE run SET complete = 0, end = 'time_limit'"
expect 0 "$MEMTWIN" study --collect better.db
sql better.tasks/1.db "UPDATE run SET complete = 1, end = 'done'"
expect 0 "$MEMTWIN" study --collect better.db
is "cut off, and replaced by what is complete" "0 done" "$(sql better.db "SELECT count(*) FILTER (WHERE complete = 0) || ' ' || group_concat(DISTINCT end) FROM run
    WHERE identity IN (SELECT value FROM json_each('$(sql better.tasks/1.db 'SELECT json_group_array(identity) FROM run')'))")"

# Results taken from a task never remove any result.
printf '[study]\nconfig = tiny\nworkload = addvect:32\n' >one.ini
expect 0 "$MEMTWIN" study one.ini -q
none="checked = 0, detailed = 0, sampled = 0, twin = ''"
all="checked = 1, detailed = 1, sampled = 1, twin = 'dl_mshr'"
mkdir taken.tasks
# taken WHAT EXPECTED OURS THEIRS [WAITING]: the columns of a run, of the same run in a task, and of a row that waits for more. EXPECTED: numbers of
# results taken, rows waiting and rows
taken() {
    cp one.db taken.db
    cp one.db taken.tasks/1.db
    [ $# -lt 5 ] || sql taken.db "INSERT INTO run(identity, config, workload, version, state, checked) SELECT identity, config, workload, version, 'waiting', 2 FROM run;
        UPDATE run SET $5 WHERE id = 2"
    sql taken.db "UPDATE run SET $3 WHERE id = 1"
    sql taken.tasks/1.db "UPDATE run SET $4"
    expect 0 "$MEMTWIN" study --collect taken.db
    is "$1" "$2" "$(sed -nE 's/^taken.db: ([0-9]+) results? .*/\1/p' out) $(sql taken.db "SELECT count(*) FILTER (WHERE state = 'waiting') || ' ' || count(*) FROM run")"
}
for column in checked=1,checked=0 detailed=1,detailed=0 sampled=1,sampled=0 "twin='dl_mshr',twin=''"; do
    has=${column%,*} lacks=${column#*,}
    taken "only ours: $has" "1 0 2" "$none, $has" "$all, $lacks"
    taken "ours but: $lacks" "1 0 1" "$all, $lacks" "$all"
    taken "asked for, but: $lacks" "1 1 3" "$none, $has" "$all, $lacks" "$all"
    taken "asked for without $has" "1 0 2" "$none, $has" "$all, $lacks" "$all, $lacks"
    taken "better, but: $lacks" "1 1 2" "$none" "$all, $lacks" "$all"
done
taken "all that is asked for" "1 0 1" "$none" "$all" "$all"
taken "complete, and cut off" "0 0 1" "$all" "$all, complete = 0, end = 'time_limit'"
taken "complete, and more, cut off" "1 0 2" "$none" "$all, complete = 0, end = 'time_limit'"
taken "cut off, and complete" "1 0 1" "$all, complete = 0, end = 'time_limit'" "$all"
taken "done, and failed later with more" "1 0 2" "$none" "$all, state = 'failed'"
taken "done, and failed later" "0 0 1" "$all" "$all, state = 'failed', started = started + 9"
taken "failed, and done before" "1 0 1" "state = 'failed'" "started = started - 9"
taken "failed, and failed before" "0 0 1" "state = 'failed'" "state = 'failed', started = started - 9"

# A study that requests more keeps existing results until new ones arrive, even if the new ones fail.
printf '[study]\nconfig = tiny\nworkload = bfs:512\n[set]\nsm.count = 4\nl1d.sets = 256\nl1d.ways = 4\n[scheme good]\n[scheme lost]\nsim.planted_fault = lose_lane\n' >first.ini
sed 's/^\[set\]/check = yes\n[set]/' first.ini >second.ini
expect 0 "$MEMTWIN" study first.ini -o wish.db -q
first() { sql wish.db "SELECT n, state, cycles FROM result WHERE study = 'first' ORDER BY n"; }
first >before
expect 0 "$MEMTWIN" study second.ini -o wish.db --slurm --dry-run
grep -q -- '--array=1-2$' out || complain "a dry run of a study with a check: $(cat out)"
expect 0 "$MEMTWIN" study second.ini -o wish.db --slurm
is "more, submitted" "second: 2 of 2 runs in 2 tasks of job 17" "$(cut -d';' -f1 out)"
is "more, at work" "waiting 2" "$(sql wish.db "SELECT state || ' ' || count(*) FROM result WHERE study = 'second' GROUP BY state")"
for k in 1 2; do (task $k wish.tasks) >log 2>&1; done
expect 0 "$MEMTWIN" study --collect wish.db
is "more, collected" "wish.db: 2 results from 2 tasks, 0 tasks still running" "$(cat out)"
is "more, failed" "done failed" "$(sql wish.db "SELECT state FROM result WHERE study = 'second' ORDER BY n" | xargs)"
cmp -s before <(first) || complain "a failed task has replaced the results of another study"
is "checked now" "1 0 3" "$(sql wish.db "SELECT group_concat(checked, ' ') || ' ' || (SELECT count(*) FROM run) FROM (SELECT checked FROM result JOIN run ON run.id = run WHERE study = 'first' ORDER BY n)")"
whole wish.db
expect 0 "$MEMTWIN" study --collect wish.db
is "more, twice" "wish.db: 0 results from 0 tasks, 0 tasks still running" "$(cat out)"
expect 0 "$MEMTWIN" study second.ini -o wish.db --slurm
is "no more" "second: 2 runs, nothing to do; $MEMTWIN study --list wish.db" "$(cat out)"
expect 0 "$MEMTWIN" study second.ini -o wish.db --slurm --retry --dry-run
grep -q -- '--array=1-1$' out || complain "a dry run with --retry: $(cat out)"

# Runs, configurations and statistics that the database does not have.
sql better.tasks/1.db "ALTER TABLE total ADD COLUMN l1d_other INTEGER; ALTER TABLE detail ADD COLUMN l1d_other INTEGER; UPDATE total SET l1d_other = 7;
    INSERT INTO statistic VALUES('l1d_other', 'counter', 'L1D', 'x', 'of another version')"
printf '[study]\nconfig = tiny\nworkload = addvect:32\n' >new.ini
"$MEMTWIN" study new.ini -q
mv better.tasks new.tasks
expect 0 "$MEMTWIN" study --collect new.db
is "new runs" "7 6 7" "$(sql new.db "SELECT count(*) || ' ' || (SELECT count(*) FROM value WHERE name = 'l1d_other' AND value = 7) || ' ' ||
    (SELECT count(*) FROM total) FROM run")"
"$MEMTWIN" study shape.ini -o new.db -q
is "they are not run again" "1" "$(sql new.db "SELECT min(l1d_other = 7) FROM result WHERE study = 'shape' AND scheme = 'lost'")"
is "configurations" "" "$(sqlite3 new.db "ATTACH 'shape.db' AS o; SELECT r.identity, key, value FROM run r JOIN config_value USING(config)
    WHERE identity IN (SELECT identity FROM o.run) EXCEPT SELECT r.identity, key, value FROM o.run r JOIN o.config_value USING(config)")"

# ---- A machine is lost, and its task restarts ----
printf '[study]\nconfig = pascal28\nworkload = gemm:1024 addvect:32 atax:16\nmax_time = 2\n' >long.ini
expect 0 "$MEMTWIN" study long.ini --slurm --tasks 1
(task 1 long.tasks) >log 2>&1 &
lost=$!
running long.tasks/1.db 1
kill -STOP $lost $children
expect 0 "$MEMTWIN" study --collect long.db
is "at work" "long.db: 0 results from 0 tasks, 1 task still running; collect again when they have ended" "$(cat out)"
expect_line 1 "$PWD/long.tasks: 1 task is still running" "$MEMTWIN" study long.ini --slurm
(task 1 long.tasks) >log2 2>&1 &
again=$!
sleep 0.3
[ "$(alive $again)" = 1 ] || complain "a second task did not wait: $(cat log2)"
kill -9 $lost
wait $lost 2>/dev/null
wait $again || complain "begun again: $(cat log2)"
expect 0 "$MEMTWIN" study --collect long.db
is "after a loss" "done 3" "$(states long.db)"
whole long.db

# Slurm sends the signal to all processes, to a run possibly before its task.
sed -i 's/max_time = 2/max_time = 20/; s/gemm:1024/gemm:1000/' long.ini
expect 0 "$MEMTWIN" study long.ini --slurm --tasks 1 -q
(task 1 long.tasks) >log 2>&1 &
stopped=$!
running long.tasks/1.db 1
kill $children
while [ "$(alive $children)" != 0 ]; do sleep 0.01; done
kill $stopped
wait $stopped
is "stopped" "143 waiting 1" "$? $(states long.tasks/1.db)"

# ---- Dependent runs are submitted once the results that they need are collected ----
cat >best.ini <<'END2'
[study]
config = tiny
workload = addvect:32 bfs:512
[group some]
workload = atax:16
sm.count = 4
[scheme {2,4}]
l1d.ways = {}
[scheme best]
best = ipc 2 4
[scheme fewer]
base = best
l1d.mshr_entries = 100%l1d_primary_misses@best
END2
cp best.ini local.ini
expect 0 "$MEMTWIN" study best.ini --slurm --tasks 2 -j 2
is "the first pass" "best: 6 of 12 runs in 2 tasks of job 17; $MEMTWIN study --collect best.db 6 runs depend on the results of other runs; submit again when they are done" "$(xargs <out)"
for k in 1 2; do (task $k best.tasks) >log 2>&1 || complain "best, task $k: $(cat log)"; done
expect 0 "$MEMTWIN" study best.ini --slurm
is "the second pass" "best: 3 of 12 runs in 3 tasks of job 17" "$(cut -d';' -f1 out)"
for k in 1 2 3; do (task $k best.tasks) >log 2>&1 || complain "best, task $k: $(cat log)"; done
expect 0 "$MEMTWIN" study best.ini --slurm
is "the end" "best: 12 runs, nothing to do; $MEMTWIN study --list best.db" "$(cat out)"
expect 0 "$MEMTWIN" study local.ini -q
sql local.db "UPDATE study SET name = 'best'"
same best.db local.db

sed -i 's/100%/1%/' best.ini
expect 1 "$MEMTWIN" study best.ini -w addvect:32 --slurm -q
is "a run that became impossible" "memtwin study: 8 runs of best are no longer listed; run without -w to list them
memtwin study: 1 run is not known: run 3 (addvect:32, fewer) cannot run: best.ini:13" "$(cut -d: -f1-6 "$work/err")"

# ---- Wrong files, wrong commands ----
sed 's/gemm:1000 //' long.ini >wrong.ini
expect 0 "$MEMTWIN" study wrong.ini --slurm --tasks 1 -q
(task 1 wrong.tasks) >log 2>&1
sql wrong.tasks/2.db 'CREATE TABLE run(id)'
echo 'a text' >wrong.tasks/3.db
head -c 100000 wrong.tasks/1.db >wrong.tasks/4.db
: >wrong.tasks/5.db
cp wrong.tasks/1.db wrong.tasks/6.db
sql wrong.tasks/6.db 'PRAGMA user_version = 99'
mv wrong.tasks/1.db wrong.tasks/7.db # last in the order
expect 1 "$MEMTWIN" study --collect wrong.db
is "wrong databases" "wrong.db: 2 results from 1 task, 0 tasks still running" "$(cat out)"
is "wrong databases" "2.db: not a database of memtwin study 3.db: not a database of memtwin study 4.db: damaged or incomplete 6.db: made by another" \
    "$(sed "s|^memtwin study: $PWD/wrong.tasks/||; s|another version.*|another|" err | xargs)"
sql wrong.db "UPDATE run SET state = 'waiting'"
expect 1 "$MEMTWIN" study wrong.ini --slurm
[ -e wrong.tasks/2.db ] || complain "a database was removed that had not been collected"
sql long.tasks/runs.db "UPDATE asked SET version = '0'"
expect_line 1 "long.tasks/runs.db was made by a different program than this one (" "$MEMTWIN" study --task 1 long.tasks
expect_line 1 "nowhere/runs.db: No such file" "$MEMTWIN" study --task 1 nowhere
expect_line 1 "nowhere.db: No such file" "$MEMTWIN" study --collect nowhere.db
[ ! -e nowhere.db ] || complain "--collect makes a database"
expect_line 1 "here.tasks: No such file" "$MEMTWIN" study --collect here.db
printf '  17\n  17\n' >queue
expect_line 1 "$PWD/long.tasks: job 17 is still in the queue; submit again when it has ended or after scancel 17" "$MEMTWIN" study long.ini --slurm
is "squeue" "--noheader --format=%F --name=$(sed -n 's/^#SBATCH --job-name=//p' long.tasks/script)" "$(xargs <squeue.arguments)"
rm queue
echo 'sbatch: error: invalid partition specified: x' >sbatch.refuses
expect_line 1 "sbatch ended with 1: sbatch: error: invalid partition" "$MEMTWIN" study long.ini --slurm --partition x
rm bin/sbatch
expect_line 1 "sbatch" env PATH="$PWD/bin" "$MEMTWIN" study long.ini --slurm
expect_line 1 "need --slurm" "$MEMTWIN" study long.ini --partition x
expect_line 1 "--collect can be combined only with --quiet" "$MEMTWIN" study --collect -j 2 long.db
finish
