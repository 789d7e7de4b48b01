#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# Speed of a study database with 100,000 runs, and of a study whose runs simulate nothing. Prints the figures of docs/use/studies.md. Fails
# if a query takes more than a second of processor time.
#
#   tests/study/scale.sh [--tall]    --tall: also with one row per statistic; RUNS=100000; EMPTY=2000: runs of a study
. tests/lib.bash
. tests/study.bash
RUNS=${RUNS:-100000} EMPTY=${EMPTY:-1000}
db=$work/scale.db

# timed WHAT QUERY: prints the query's processor seconds and its number of rows
timed() {
    local seconds rows
    printf '.timer on\n%s;\n' "$2" | sqlite3 "$db" >"$work/rows"
    seconds=$(sed -n 's/^Run Time: real [0-9.]* user \([0-9.]*\) sys \([0-9.]*\)/\1 \2/p' "$work/rows" | awk '{ print $1 + $2 }')
    rows=$(grep -vc '^Run Time:' "$work/rows")
    printf '%-64s %6.2f s  %6d rows\n' "$1" "$seconds" "$rows"
    [ "$rows" -gt 0 ] || complain "$1: no rows"
    awk "BEGIN { exit !($seconds < ${3:-1}) }" || complain "$1: $seconds s"
}

# ---- Empty runs ----
{
    printf '[study]\nconfig = tiny\nworkload = addvect:32\n[axis]\nsim.no_progress_cycles =\n'
    seq -f ' %.0f' 1000 $((999 + EMPTY))
} >"$work/empty.ini"
TIMEFORMAT='%R %U %S'
# study_of_them: prints elapsed and processor seconds
study_of_them() {
    { time "$MEMTWIN" study "$work/empty.ini" -o "$work/empty.db" -q; } 2>&1 | awk '{ print $1, $2 + $3 }'
}
read -r wall busy < <(study_of_them)
[ "$(sqlite3 "$work/empty.db" "SELECT count(*) FROM run WHERE state = 'done'")" = "$EMPTY" ] || complain "a study of $EMPTY runs"
awk "BEGIN { printf \"$EMPTY runs that have nothing to simulate: %.0f a second, %.1f ms of processor time each\\n\", $EMPTY / $wall, 1000 * $busy / $EMPTY }"
read -r wall busy < <(study_of_them)
echo "the same study again, nothing to do: $busy s of processor time"

# ---- 100,000 runs: those of a real study, with slightly increased values ----
cat >"$work/real.ini" <<'END'
[study]
config = pascal28
workload = bfs:1024 atax:64 backprop:256 hotspot:64,2 spmv:1024,1 gemm:64 histo:4096 mvt:64 sc:256,16,8,2 kmeans
max_time = 20
END
sed -i 's/ kmeans$/ transpose:64/' "$work/real.ini"
"$MEMTWIN" study "$work/real.ini" -o "$db" -q || complain "no real study"
columns=$(sql "$db" "SELECT group_concat(CASE kind WHEN 'histogram' THEN '\"' || name || '\"' WHEN 'derived' THEN '\"' || name || '\" * (1 + n % 997 * 1e-3)'
    ELSE '\"' || name || '\" * (1000 + n % 997) / 1000' END) FROM statistic")
names=$(sql "$db" "SELECT group_concat('\"' || name || '\"') FROM statistic")
# 20 workloads x 10 schemes x 500 values of two axes. Each scheme with each value has one configuration.
sql "$db" "
BEGIN;
CREATE TEMP TABLE new AS WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < $RUNS)
    SELECT n, 1000 + n AS run, n / 5000 AS w, n / 500 % 10 AS s, n % 500 AS a, 1 + n / 5000 % 10 AS real FROM n;
INSERT INTO study VALUES(100, 'scale', 'scale.ini', 'none', 0);
INSERT INTO config SELECT DISTINCT 1000 + n % 5000, 'hash' || (n % 5000), 1 FROM new;
INSERT INTO config_key SELECT id, k, id FROM config, (SELECT 'l1d.ways' AS k UNION SELECT 'l1d.sets' UNION SELECT 'l1d.mshr' UNION SELECT 'l2.sets') WHERE id >= 1000;
INSERT INTO run SELECT run, printf('%032x', n), 1000 + n % 5000, 'kernel' || w || ':1024', NULL, version, 'done', 0, 'done', 1, reached, NULL, NULL, host, pid, started,
    seconds, cpu_seconds, peak_rss_kib, 0, 0, 0, 0, 0, 0, '', 0, 0, call FROM new JOIN run ON run.id = real;
INSERT INTO point(study, n, run, config, workload, scheme, axes, baseline, group_name) SELECT 100, n, run, 'pascal28', 'kernel' || w || ':1024', 'scheme' || s,
    printf('{\"l1d.ways\":%d,\"l1d.sets\":%d}', a % 20, a / 20), n - s * 500, '' FROM new;
INSERT INTO total(run, $names) SELECT new.run, $columns FROM new JOIN total ON total.run = real;
COMMIT; PRAGMA wal_checkpoint(TRUNCATE);" >/dev/null || complain "no synthetic rows"
printf '%d runs, %d statistics each: %d MiB\n' "$RUNS" "$(sql "$db" 'SELECT count(*) FROM statistic')" $(($(stat -c %s "$db") >> 20))

both="FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline WHERE r.study = 'scale'"
stalls=$(sql "$db" "SELECT group_concat('sum(r.\"' || name || '\")') FROM (SELECT name FROM statistic WHERE kind = 'counter' LIMIT 30 OFFSET 60)")
timed "one statistic of all runs: workload, scheme, axes" "SELECT workload, scheme, axes, ipc FROM result WHERE study = 'scale'"
timed "the same over the baseline" "SELECT r.workload, r.scheme, r.axes, r.ipc / b.ipc $both"
timed "geometric mean over the baseline by scheme" "SELECT r.scheme, exp(avg(ln(r.ipc / b.ipc))) $both GROUP BY 1"
timed "by scheme and value of an axis, one workload" "SELECT r.scheme, r.axes ->> '\$.\"l1d.ways\"', avg(r.ipc / b.ipc) $both AND r.workload = 'kernel3:1024' GROUP BY 1, 2"
timed "30 statistics by scheme" "SELECT scheme, $stalls FROM result r WHERE study = 'scale' GROUP BY 1"
timed "runs in each state" "SELECT state, count(*) FROM run GROUP BY 1"
timed "every statistic of one run, a row each" "SELECT name, unit, value FROM value WHERE run = 77777"
timed "every key of one run" "SELECT key, config_value.value FROM run JOIN config_value USING(config) WHERE run.id = 77777"

if [ "${1:-}" = --tall ]; then
    sql "$db" "CREATE TABLE tall(run INTEGER, statistic INTEGER, value, PRIMARY KEY(run, statistic)) WITHOUT ROWID;"
    sql "$db" "SELECT printf('SELECT run, %d, \"%s\" FROM total WHERE \"%s\" <> 0', row_number() OVER (ORDER BY name), name, name) FROM statistic WHERE kind <> 'histogram'" |
        awk '{ printf "%s%s", (NR > 1 ? " UNION ALL " : "INSERT INTO tall SELECT * FROM ("), $0 } END { print ") ORDER BY 1, 2;" }' >"$work/tall.sql"
    before=$(stat -c %s "$db")
    sqlite3 "$db" <"$work/tall.sql"
    sql "$db" "PRAGMA wal_checkpoint(TRUNCATE)" >/dev/null
    printf 'a row for each statistic that is not 0, beside it: %d MiB\n' $((($(stat -c %s "$db") - before) >> 20))
    ipc=$(sql "$db" "SELECT count(*) FROM statistic WHERE kind <> 'histogram' AND name <= 'ipc'")
    pair="FROM point r JOIN tall t ON t.run = r.run AND t.statistic = $ipc JOIN point p ON p.study = r.study AND p.n = r.baseline
        JOIN tall b ON b.run = p.run AND b.statistic = $ipc WHERE r.study = 100"
    timed "  one statistic of all runs over the baseline" "SELECT r.workload, r.scheme, r.axes, 1.0 * t.value / b.value $pair" 100
    timed "  30 statistics by scheme" "SELECT scheme, statistic, sum(value) FROM point r JOIN tall t ON t.run = r.run AND statistic BETWEEN 60 AND 89 WHERE study = 100 GROUP BY 1, 2" 100
fi
finish
