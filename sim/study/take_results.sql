-- SPDX-License-Identifier: Apache-2.0
-- Takes the results of runs from another database, t, except the statistics (merge.c knows their columns). temp.taken(ours, theirs) lists the
-- runs. Finished runs replace unfinished ones, complete results those of a run that was cut off, and a later failure an earlier one.

CREATE TEMP TABLE taken(ours INTEGER PRIMARY KEY, theirs INTEGER NOT NULL);
INSERT INTO temp.taken
SELECT r.id, s.id
FROM t.run s
CROSS JOIN main.run r USING(identity, checked, detailed, sampled, twin)
WHERE (s.state = 'done' AND (r.state <> 'done' OR (r.end IS 'time_limit' AND s.end IS NOT 'time_limit')))
    OR (s.state = 'failed' AND (r.state IN ('waiting', 'running') OR (r.state = 'failed' AND s.started > r.started)));

UPDATE run
SET (state, exit_code, end, complete, reached, message, log, host, pid, started, seconds, cpu_seconds, peak_rss_kib, compared, mismatches,
    checked_loads, twins, evaluated)
    = (SELECT state, exit_code, end, complete, reached, message, log, host, pid, started, seconds, cpu_seconds, peak_rss_kib, compared, mismatches,
        checked_loads, twins, evaluated
        FROM t.run WHERE id = (SELECT theirs FROM temp.taken WHERE ours = main.run.id))
WHERE id IN (SELECT ours FROM temp.taken);

DELETE FROM total WHERE run IN (SELECT ours FROM temp.taken);
DELETE FROM detail WHERE run IN (SELECT ours FROM temp.taken);
DELETE FROM series WHERE run IN (SELECT ours FROM temp.taken);
INSERT INTO series SELECT ours, size, data FROM temp.taken JOIN t.series ON run = theirs;
