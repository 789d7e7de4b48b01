-- SPDX-License-Identifier: Apache-2.0
-- Energy of the runs of a database. Before this file, energy.sh reads page.sql and makes three tables: energy_row, the rows of the requested tables of
-- energy.csv; chosen, the runs that are done (shown: those on the page); asked, the names of the requested tables.

CREATE TEMP TABLE point_of AS SELECT study, n, baseline, run.id AS run, run.config, scheme, axes FROM chosen JOIN run ON run.id = chosen.run;
CREATE TEMP TABLE row_of AS SELECT rowid AS id, * FROM energy_row;

-- A row applies to configurations that have all values of its conditions.
CREATE TEMP TABLE condition_of AS
SELECT r.id, substr(j.value, 1, instr(j.value, '=') - 1) AS key, substr(j.value, instr(j.value, '=') + 1) AS value
FROM row_of r, json_each('["' || replace("when", ' ', '","') || '"]') j WHERE "when" <> '';
CREATE TEMP TABLE applies AS
SELECT r.id, c.config FROM row_of r JOIN (SELECT DISTINCT config FROM point_of) c
WHERE NOT EXISTS (SELECT * FROM condition_of o LEFT JOIN config_value v ON v.config = c.config AND v.key = o.key WHERE o.id = r.id AND CAST(v.value AS TEXT) IS NOT o.value);

-- The product of a row's keys: /KEY divides.
CREATE TEMP TABLE scale_of AS
SELECT a.id, a.config, exp(sum(iif(j.value GLOB '/*', -1, 1) * ln(CAST(v.value AS REAL)))) AS x, count(j.value) = count(v.value) AS known
FROM applies a JOIN row_of r USING (id), json_each('["' || replace(r.keys, ' ', '","') || '"]') j LEFT JOIN config_value v ON v.config = a.config AND v.key = ltrim(j.value, '/')
WHERE r.keys <> '' GROUP BY a.id, a.config;

CREATE TEMP TABLE count_of AS SELECT run, name, value FROM value WHERE name IN (SELECT statistic FROM row_of) AND run IN (SELECT run FROM point_of);
CREATE INDEX temp.count_at ON count_of(run, name);

-- Energy in pJ of each part of each run, for queries of users too.
CREATE TEMP TABLE energy AS
SELECT p.study, p.n, p.baseline, p.scheme, p.axes, r."table", r.part, min(r.id) AS at, sum(c.value * r.factor * coalesce(s.x, 1) * r.pj) AS pj
FROM point_of p JOIN applies a ON a.config = p.config JOIN row_of r USING (id) JOIN count_of c ON c.run = p.run AND c.name = r.statistic
LEFT JOIN scale_of s ON s.id = r.id AND s.config = p.config GROUP BY p.study, p.n, r."table", r.part;
CREATE INDEX temp.energy_at ON energy(study, n);

-- ---- The page: parts as fractions of the baseline's energy, so that the parts of a scheme add up to its mean ----
-- Divided by the warp instructions, because runs that are cut off at the same cycle do not do the same work.
CREATE TEMP TABLE whole AS
SELECT e.study, e.n, e.baseline, e.scheme, e.axes, r.config, r.shown, sum(e.pj) AS pj, r.warp_insts, 1.0 * r.cycles / v.value AS us
FROM energy e JOIN chosen r USING (study, n) JOIN point_of p USING (study, n) JOIN config_value v ON v.config = p.config AND v.key = 'clock.sm_mhz' GROUP BY e.study, e.n;
CREATE INDEX temp.whole_at ON whole(study, n);
-- A run that lacks a part of its baseline, because no row applies to it, has no energy over the baseline's.
CREATE TEMP TABLE lack AS SELECT DISTINCT w.study, w.n FROM whole w JOIN energy b ON b.study = w.study AND b.n = w.baseline
WHERE NOT EXISTS (SELECT * FROM energy e WHERE e.study = w.study AND e.n = w.n AND e."table" = b."table" AND e.part = b.part);
CREATE TEMP TABLE line_of AS
SELECT *, iif((SELECT count(DISTINCT config) FROM whole o WHERE o.study = whole.study) > 1, config || ', ', '') || scheme || coalesce((SELECT ', ' || group_concat(key || '=' || value, ', ') FROM json_each(axes)), '') AS line FROM whole;
CREATE TEMP TABLE ratio_of AS
SELECT w.study, w.line, w.scheme, w.n, w.pj, w.us, iif((w.study, w.n) IN lack, NULL, w.pj * b.warp_insts / w.warp_insts / b.pj) AS x,
    w.us * b.warp_insts / w.warp_insts / b.us AS time, b.pj * w.warp_insts / b.warp_insts AS base FROM line_of w JOIN whole b ON b.study = w.study AND b.n = coalesce(w.baseline, w.n) WHERE w.shown;
CREATE TEMP TABLE title_of AS SELECT printf('Energy over the baseline''s with %s, for each warp instruction; after the mean, its parts', tables) AS title FROM asked;
CREATE TEMP TABLE mean_of AS
SELECT study, line, scheme, min(n) AS n, count(*) AS runs, sum(pj) AS pj, sum(us) AS us, avg(time) AS time, iif(count(x) = count(*), avg(x), NULL) AS mean, iif(count(x) = count(*), exp(avg(ln(x))), NULL) AS geometric FROM ratio_of GROUP BY study, line;
CREATE TEMP TABLE part_of AS SELECT study, part, min(at) AS at FROM energy WHERE study IN (SELECT study FROM mean_of) GROUP BY study, part;

INSERT INTO cell SELECT '## ' || study, title, 'scheme', value FROM (SELECT DISTINCT study FROM mean_of), title_of, json_each('["runs", "uJ", "W", "time", "geometric", "mean"]');
INSERT INTO cell SELECT '## ' || study, title, 'scheme', part FROM part_of, title_of ORDER BY study, at;
INSERT INTO cell SELECT DISTINCT '## ' || study, title, 'scheme', 'paper' FROM mean_of, title_of;
INSERT INTO cell SELECT '## ' || m.study, title, line,
    printf('%d | %.4g | %.1f | %.3f | %s | %s | ', runs, pj / 1e6, pj / us / 1e6, time, iif(geometric IS NULL, '-', printf('%.3f', geometric)), iif(mean IS NULL, '-', printf('%.3f', mean))) ||
    (SELECT group_concat(coalesce((SELECT iif(count(*), printf('%.3f', sum(e.pj / r.base) / m.runs), NULL) FROM ratio_of r JOIN energy e ON e.study = r.study AND e.n = r.n AND e.part = o.part
        WHERE r.study = m.study AND r.line = m.line), '-'), ' | ') FROM (SELECT * FROM part_of WHERE study = m.study ORDER BY at) o) || ' | ' ||
    coalesce((SELECT printf('%.3f', value) FROM reference f WHERE f.study = m.study AND f.quantity = 'energy over the baseline' AND f.scheme = m.scheme), '-')
FROM mean_of m, title_of ORDER BY m.study, m.n;
