-- SPDX-License-Identifier: Apache-2.0
-- Page of the studies sound_baseline.*.
SELECT '# A sound baseline on maxwell16

Written by `make experiment-baseline` (`sim/experiments/sound_baseline.*.ini`, which say what each scheme is, and `.sql`). Paper: Dai, PhD dissertation, NC State University 2017, chapter 3. In brackets, and in the line "paper": its figures, "-" where it gives none.
Kernels are named as in its Table 4. It does not say how it takes means, so both are here; our own class: the kernels of the ten that gain more than half from 512 KB here (Figure 11). Sizes of an L1D: 32, 64, 128 sets are 16, 32, 64 KB.';

CREATE TEMP TABLE name(kernel, name);
INSERT INTO name VALUES ('bicg', 'BIC'), ('mvt', 'MVT'), ('atax', 'ATX'), ('gesummv', 'GMV'), ('syrk', 'SRK'), ('syr2k', 'S2K'), ('sc', 'STC'), ('srad', 'SRD2'), ('pfilter', 'PTL'), ('kmeans', 'KMS'),
    ('scalarprod', 'SCP'), ('covar', 'CVR'), ('lud', 'LUD'), ('fdtd2d', '2DF'), ('2dconv', '2DV');
INSERT INTO kernel SELECT name.rowid, name.name || ' ' || kernel, max(group_name)
FROM result JOIN name ON kernel = substr(workload, 1, instr(workload || ':', ':') - 1) WHERE study LIKE 'sound_baseline.%' GROUP BY kernel;

CREATE TEMP TABLE run_of AS
SELECT name.rowid AS kernel, name.kernel AS program, name.name, substr(r.study, instr(r.study, '.') + 1) AS study, r.scheme, r.choice, r.run, r.ipc, b.ipc AS base, r.l1d_miss_rate AS miss_rate, 1.0 * r.l1d_hits / (r.l1d_hits + r.l1d_primary_misses + r.l1d_secondary_misses) AS hit_rate,
    r.l1d_refusals_gpgpusim / r.l1d_accesses AS failures, r.l1d_refusals_per_bypass AS slot_failures, r.l1d_bypass_latency_mean AS latency, r.l1d_bypass_mean AS in_flight,
    -- Mean over attempts to bypass the L1D while a bypassing load is in flight: both the loads sent, and those that find all slots in use.
    (r.l1d_bypass_depth_sum - r.l1d_bypasses + CAST(substr(r.scheme, instr(r.scheme, '.') + 1) AS INTEGER) * 1.0 * (r.l1d_refusals_bypass_limit + r.l1d_bypass_fallbacks))
        / nullif(r.l1d_bypasses - coalesce((SELECT value ->> 1 FROM json_each(r.l1d_bypass_depth_hist) WHERE value ->> 0 = 1), 0) + r.l1d_refusals_bypass_limit + r.l1d_bypass_fallbacks, 0) AS met,
    (SELECT max(value ->> 0) FROM json_each(r.l1d_bypass_depth_hist) WHERE value ->> 1 > 0) AS greatest, r.l2_miss_rate AS l2_miss_rate
FROM result r JOIN name ON name.kernel = substr(r.workload, 1, instr(r.workload || ':', ':') - 1) JOIN result b ON b.study = r.study AND b.n = r.baseline WHERE r.study LIKE 'sound_baseline.%';
CREATE INDEX temp.by_scheme ON run_of(study, scheme, kernel);

-- A table has a line for each kernel of high contention, and a column for each scheme: its IPC over the baseline of the study, or over `over`; or another figure of it.
-- title: also that of the published figures; many: the table has the kernels, not only the means.
CREATE TEMP TABLE col(id INTEGER PRIMARY KEY, section, title, many, head, study, scheme, metric, over, quantity);
CREATE TEMP VIEW value_of AS
SELECT c.*, r.kernel, r.program, k.label, k.kind, CASE metric WHEN 'ipc' THEN r.ipc / coalesce(o.ipc, r.base) WHEN 'miss rate' THEN r.miss_rate WHEN 'hit rate' THEN r.hit_rate WHEN 'failures' THEN r.failures
    WHEN 'slot failures' THEN r.slot_failures WHEN 'latency' THEN r.latency WHEN 'in flight' THEN r.in_flight WHEN 'met' THEN r.met WHEN 'greatest' THEN r.greatest WHEN 'l2 miss rate' THEN r.l2_miss_rate END AS x,
    CASE WHEN metric IN ('latency', 'greatest') THEN '%.0f' WHEN metric LIKE '%rate' THEN '%.3f' WHEN metric IN ('in flight', 'met') THEN '%.1f' ELSE '%.2f' END AS format
FROM col c JOIN run_of r ON r.study = c.study AND r.scheme = c.scheme JOIN kernel k ON k.id = r.kernel LEFT JOIN run_of o ON o.study = r.study AND o.kernel = r.kernel AND o.scheme = c.over
WHERE (k.kind = 'HCC' OR c.section LIKE '## Contention%') AND (c.over IS NULL OR o.ipc IS NOT NULL);
-- The ones of the ten that gain more than half from 512 KB here.
CREATE TEMP TABLE own AS SELECT kernel FROM run_of WHERE study = '1_index' AND scheme = 'kb512' AND ipc > 1.5 * base;
CREATE TEMP VIEW col_cell AS
SELECT section, title, line, text FROM (
    SELECT 0 AS step, 0 AS kernel, id, section, title, 'kernel' AS line, head AS text FROM col WHERE EXISTS (SELECT * FROM value_of v WHERE v.id = col.id)
    UNION ALL SELECT 1, v.kernel, v.id, v.section, v.title, v.label, printf(v.format, v.x) || iif(p.text IS NULL, '', printf(' (%s)', p.text))
        FROM value_of v LEFT JOIN paper p ON p.quantity = v.quantity AND p.scheme = v.scheme AND p.grp = v.program WHERE many
    UNION ALL SELECT 2, 0, id, section, title, '**geometric mean**', printf('**' || format || '**', exp(avg(ln(x)))) FROM value_of WHERE metric = 'ipc' AND kind = 'HCC' GROUP BY id
    UNION ALL SELECT 3, 0, id, section, title, '**arithmetic mean**', printf('**' || format || '**', avg(x)) FROM value_of WHERE kind = 'HCC' AND metric <> 'greatest' GROUP BY id
    UNION ALL SELECT 4, 0, id, section, title, '**the same, our own class**', printf('**' || format || '**', avg(x)) FROM value_of JOIN own USING(kernel) WHERE metric = 'ipc' AND kind = 'HCC' AND section NOT LIKE '## Cont%' GROUP BY id
    UNION ALL SELECT 5, 0, c.id, c.section, c.title, 'paper', coalesce(p.text, '-') FROM col c LEFT JOIN paper p ON p.quantity = c.quantity AND p.scheme = c.scheme AND p.grp = 'HCC'
        WHERE EXISTS (SELECT * FROM value_of v WHERE v.id = c.id) AND EXISTS (SELECT * FROM col d JOIN paper q ON q.quantity = d.quantity AND q.scheme = d.scheme AND q.grp = 'HCC' WHERE d.section = c.section AND d.title = c.title))
ORDER BY step, kernel, id;

CREATE TEMP TABLE heading(contention, functions, allocation, mshrs, maps, slots, steps, inputs);
INSERT INTO heading VALUES ('## Contention (Figure 11)', '## Set indices of the L1D (Figures 13 and 14)', '## Allocation (Figures 16 and 17)', '## MSHRs (Figures 18 and 19)', '## Partition maps (Figures 20 to 22)',
    '## Bypass slots (Figures 23 to 25)', '## The sound baseline (Figure 26)', '## The sound baseline with the suites'' inputs (Figure 26)');

-- ---- Columns, by section ----
INSERT INTO col(section, title, many, head, study, scheme, metric, quantity)
SELECT contention, 'IPC with 512 KB, fully associative, over that with 16 KB; high contention (HCC): more than 1.5', 1, '512 KB', '1_index', 'kb512', 'ipc', 'IPC of 512 KB over 16 KB' FROM heading;
INSERT INTO col(section, title, many, head, study, scheme, metric, quantity)
SELECT functions, 'IPC over that with BMOD, 16 KB, on a miss, 64 MSHRs; L2 with BMOD', 1, value, '1_index', value, 'ipc', 'IPC over BMOD'
FROM heading, json_each('["bxor", "xor", "pmod", "a_prime", "d_prime", "ipoly", "ipoly_sum", "pmod+hit29", "a_prime+hit29"]') ORDER BY json_each.id;
INSERT INTO col(section, title, many, head, study, scheme, metric, quantity)
SELECT functions, 'L1D miss rate', 0, value, '1_index', value, 'miss rate', NULL FROM heading, json_each('["bmod", "bxor", "xor", "pmod", "a_prime", "d_prime", "ipoly", "ipoly_sum"]') ORDER BY json_each.id;
INSERT INTO col(section, title, many, head, study, scheme, metric, over, quantity)
SELECT functions, 'IPC with MRPB over that without, same index', 1, value, '1_index', value || '+mrpb', 'ipc', value, 'IPC of MRPB over none' FROM heading, json_each('["bmod", "bxor", "xor"]') ORDER BY json_each.id;

CREATE TEMP TABLE shape(id INTEGER PRIMARY KEY, sets, kb, allocate, told);
INSERT INTO shape(sets, kb, allocate, told) VALUES (32, 16, 'miss', 'on a miss'), (32, 16, 'fill', 'on a fill'), (64, 32, 'miss', 'on a miss'), (64, 32, 'fill', 'on a fill'), (128, 64, 'miss', 'on a miss'), (128, 64, 'fill', 'on a fill');
CREATE TEMP TABLE measure(id INTEGER PRIMARY KEY, title, many, metric, quantity);
INSERT INTO measure(title, many, metric, quantity) VALUES ('IPC over 16 KB, on a miss; 64 MSHRs, BXOR in both caches', 1, 'ipc', 'IPC over on a miss, 16 KB, 64 MSHRs'),
    ('L1D miss rate', 0, 'miss rate', 'L1D miss rate'), ('Reservation failures an access: way, MSHR or miss queue', 0, 'failures', 'failures an access');
INSERT INTO col(section, title, many, head, study, scheme, metric, quantity)
SELECT allocation, m.title, many, kb || ' KB, ' || told, '2_sizes', printf('%s.%d.64', allocate, sets), metric, quantity FROM heading, measure m, shape s ORDER BY m.id, s.id;
INSERT INTO col(section, title, many, head, study, scheme, metric, over, quantity)
SELECT allocation, iif(gain, 'IPC with MRPB over that without', 'IPC with MRPB over 16 KB, on a miss, without it'), 0, kb || ' KB, ' || told, '2_sizes', printf('%s.%d.64+mrpb', allocate, sets), 'ipc',
    iif(gain, printf('%s.%d.64', allocate, sets), NULL), iif(gain, 'IPC of MRPB over none', 'IPC over on a miss, 16 KB, 64 MSHRs')
FROM heading, (SELECT 0 AS gain UNION ALL SELECT 1) g, shape s ORDER BY gain, s.id;

INSERT INTO col(section, title, many, head, study, scheme, metric, quantity)
SELECT mshrs, printf('IPC by MSHRs, %d KB, %s, over 16 KB, on a miss, 64 MSHRs; best: of each kernel', kb, told), kb = 64, value, '2_sizes', printf('%s.%d.%s', allocate, sets, value), 'ipc', 'IPC by MSHRs'
FROM heading, shape s, json_each('["32", "64", "128", "256", "best"]') j ORDER BY s.id, j.id;
INSERT INTO col(section, title, many, head, study, scheme, metric, over, quantity)
SELECT mshrs, iif(gain, 'The same over that without MRPB', 'IPC with MRPB, the best number of MSHRs of each kernel'), 0, kb || ' KB, ' || told, '2_sizes', printf('%s.%d.best+mrpb', allocate, sets), 'ipc',
    iif(gain, printf('%s.%d.best', allocate, sets), NULL), iif(gain, 'IPC of MRPB over none', 'IPC over on a miss, 16 KB, 64 MSHRs')
FROM heading, (SELECT 0 AS gain UNION ALL SELECT 1) g, shape s ORDER BY gain, s.id;

INSERT INTO col(section, title, many, head, study, scheme, metric, quantity)
SELECT maps, printf('IPC by map, 16 KB, 128 MSHRs, %s, over modulo, on a miss, 64 MSHRs', told), 1, value, '3_maps', printf('%s.32.%s', allocate, value), 'ipc', 'IPC over modulo, on a miss, 64 MSHRs'
FROM heading, shape s, json_each('["modulo", "xor", "xor_next", "prime", "a_prime", "d_prime", "ipoly"]') j WHERE kb = 16 ORDER BY s.id, j.id;
INSERT INTO col(section, title, many, head, study, scheme, metric, quantity)
SELECT maps, 'IPC by size, 128 MSHRs' || iif(tail = '', '', ', with MRPB') || ', over 16 KB, on a miss, modulo, 64 MSHRs', 0, kb || ' KB, ' || told || ', ' || value, '3_maps', printf('%s.%d.%s%s', allocate, sets, value, tail), 'ipc',
    'IPC over modulo, on a miss, 64 MSHRs' FROM heading, (SELECT '' AS tail UNION ALL SELECT '+mrpb') t, shape s, json_each('["modulo", "xor"]') j ORDER BY tail, s.id, j.id;

CREATE TEMP TABLE slot(id INTEGER PRIMARY KEY, scheme);
INSERT INTO slot(scheme) VALUES ('mrpb.8'), ('mrpb.32'), ('mrpb.128'), ('mrpb.unlimited'), ('mdb.8'), ('mdb.32'), ('mdb.128'), ('mdb.unlimited'), ('turned.8'), ('turned.32'), ('turned.128');
DELETE FROM measure;
INSERT INTO measure(title, many, metric, quantity) VALUES ('IPC over that without bypassing; the number: bypass slots of an SM; turned: mdb, and a load that finds none uses the L1D', 1, 'ipc', 'IPC by bypass slots'),
    ('L1D hit rate, of loads that use the L1D', 1, 'hit rate', 'L1D hit rate'), ('Reservation failures an access: way, MSHR or miss queue', 1, 'failures', 'failures an access'),
    ('Refusals without a free bypass slot, per bypassing load', 1, 'slot failures', NULL), ('Latency of bypassing loads: SM cycles from the L1D to the reply', 1, 'latency', 'latency of bypassing loads'),
    ('L2 miss rate', 1, 'l2 miss rate', NULL), ('Bypassing loads in flight, in cycles with one at least', 1, 'in flight', NULL),
    ('Bypassing loads in flight, mean over attempts to bypass that find one in flight, as the authors'' files count it', 1, 'met', 'bypassing loads in flight'), ('Most bypassing loads in flight at once (lower bound)', 1, 'greatest', NULL);
INSERT INTO col(section, title, many, head, study, scheme, metric, quantity)
SELECT slots, m.title, many, s.scheme, '5_slots', s.scheme, metric, quantity FROM heading, measure m, slot s WHERE metric IN ('ipc', 'hit rate', 'failures') OR s.scheme GLOB 'mdb.*' OR s.scheme GLOB 'turned.*' ORDER BY m.id, s.id;

INSERT INTO col(section, title, many, head, study, scheme, metric, quantity)
SELECT steps, 'IPC over the default configuration: BMOD in both caches, on a miss, 64 MSHRs, modulo; each step keeps those before it', 1, value ->> 0, '6_steps', value ->> 1, 'ipc', 'IPC over the default configuration'
FROM heading, json_each('[["BXOR", "bxor.gto"], ["on a fill", "fill.gto"], ["128 MSHRs", "mshr128.gto"], ["XOR map", "xor.gto"]]') j ORDER BY j.id;
INSERT INTO col(section, title, many, head, study, scheme, metric, over, quantity)
SELECT steps, 'IPC of LRR over GTO, step by step', 1, value ->> 0, '6_steps', (value ->> 1) || '.lrr', 'ipc', (value ->> 1) || '.gto', 'IPC of LRR over GTO'
FROM heading, json_each('[["default", "default"], ["BXOR", "bxor"], ["on a fill", "fill"], ["128 MSHRs", "mshr128"], ["XOR map", "xor"]]') j ORDER BY j.id;

INSERT INTO col(section, title, many, head, study, scheme, metric, quantity)
SELECT inputs, 'IPC over the default configuration, step by step; the other maps in the place of XOR; 64 KB with all steps; 512 KB alone', 1, value ->> 0, '7_inputs', value ->> 1, 'ipc', 'IPC over the default configuration'
FROM heading, json_each('[["BXOR", "bxor.gto"], ["on a fill", "fill.gto"], ["128 MSHRs", "mshr128.gto"], ["XOR map", "xor.gto"], ["xor_next", "xor_next.gto"], ["prime", "prime.gto"], ["a_prime", "a_prime.gto"], ["d_prime", "d_prime.gto"],
    ["ipoly", "ipoly.gto"], ["XOR map, 64 KB", "kb64.gto"], ["512 KB", "kb512.gto"]]') j ORDER BY j.id;
INSERT INTO col(section, title, many, head, study, scheme, metric, over, quantity)
VALUES ((SELECT inputs FROM heading), 'All steps, both with the network of the authors'' files: two flits a cycle, a latency of 100 cycles', 1, 'XOR map', '7_inputs', 'xor.net', 'ipc', 'default.net', NULL);

INSERT INTO cell SELECT * FROM col_cell;
INSERT INTO cell SELECT functions, '![IPC by set index](sound_baseline_index.svg)', NULL, NULL FROM heading;
INSERT INTO cell SELECT inputs, '![IPC step by step](sound_baseline_steps.svg)', NULL, NULL FROM heading;

-- ---- Other tables ----
CREATE TEMP TABLE kms AS SELECT mshrs AS section, 'KMS with 64 KB by MSHRs: IPC over 16 KB, on a miss, 64 MSHRs; L1D miss rate; reservation failures an access' AS title FROM heading;
INSERT INTO cell SELECT section, title, 'MSHRs', value FROM kms, json_each('["on a miss: IPC", "miss rate", "failures", "on a fill: IPC", "miss rate", "failures"]') WHERE EXISTS (SELECT * FROM run_of WHERE name = 'KMS');
INSERT INTO cell SELECT section, title, j.value, printf('%.2f%s | %.3f%s | %.2f | %.2f | %.3f | %.2f', m.ipc / m.base, iif(p.text IS NULL, '', printf(' (%s)', p.text)), m.miss_rate, iif(q.text IS NULL, '', printf(' (%s)', q.text)), m.failures, f.ipc / f.base, f.miss_rate, f.failures)
FROM kms, json_each('["32", "64", "128", "256"]') j JOIN run_of m ON m.name = 'KMS' AND m.study = '2_sizes' AND m.scheme = 'miss.128.' || j.value JOIN run_of f ON f.name = 'KMS' AND f.study = '2_sizes' AND f.scheme = 'fill.128.' || j.value
    LEFT JOIN paper p ON p.quantity = 'IPC by MSHRs' AND p.scheme = m.scheme AND p.grp = 'kmeans' LEFT JOIN paper q ON q.quantity = 'L1D miss rate' AND q.scheme = m.scheme AND q.grp = 'kmeans' ORDER BY j.id;

CREATE TEMP TABLE share AS SELECT maps AS section, 'SRK: accesses of the L2 by partition, percent of all, on a miss (Figure 21a)' AS title, 'SRK: L2 miss rate, and reservation failures an access, by map (Figure 21b, c)' AS rates FROM heading;
CREATE TEMP TABLE map(id INTEGER PRIMARY KEY, map);
INSERT INTO map(map) VALUES ('modulo'), ('xor'), ('xor_next'), ('prime'), ('a_prime'), ('d_prime'), ('ipoly');
CREATE TEMP TABLE shared AS SELECT m.id, m.map, d.number, 100.0 * d.l2_accesses / sum(d.l2_accesses) OVER (PARTITION BY m.id) AS x FROM map m JOIN run_of r ON r.study = '4_partitions' AND r.scheme = 'miss.' || m.map JOIN detail d ON d.run = r.run AND d.scope = 'l2';
INSERT INTO cell SELECT section, title, 'partition', map FROM share, map WHERE id IN (SELECT id FROM shared) ORDER BY id;
INSERT INTO cell SELECT section, title, number, printf('%.1f', x) FROM share, shared ORDER BY number, id;
INSERT INTO cell SELECT section, rates, 'map', value FROM share, json_each('["on a miss: L2 miss rate", "failures", "on a fill: L2 miss rate", "failures"]') WHERE EXISTS (SELECT * FROM shared);
INSERT INTO cell SELECT section, rates, map, printf('%.3f | %.2f%s | %.3f | %.2f%s', m.l2_miss_rate, m.failures, iif(p.text IS NULL, '', printf(' (%s)', p.text)), f.l2_miss_rate, f.failures, iif(q.text IS NULL, '', printf(' (%s)', q.text)))
FROM share, map JOIN run_of m ON m.study = '4_partitions' AND m.scheme = 'miss.' || map JOIN run_of f ON f.study = '4_partitions' AND f.scheme = 'fill.' || map
    LEFT JOIN paper p ON p.quantity = 'failures an access' AND p.scheme = m.scheme AND p.grp = 'syrk' LEFT JOIN paper q ON q.quantity = 'failures an access' AND q.scheme = f.scheme AND q.grp = 'syrk' ORDER BY map.id;

CREATE TEMP TABLE step(id INTEGER PRIMARY KEY, head, scheme);
INSERT INTO step(head, scheme) VALUES ('BXOR', 'bxor'), ('on a fill', 'fill'), ('128 MSHRs', 'mshr128'), ('XOR map', 'xor');
CREATE TEMP TABLE low AS SELECT steps AS section, 'Kernels of low contention: IPC over the default configuration' AS title FROM heading;
CREATE TEMP TABLE low_run AS SELECT s.id, s.head, k.id AS kernel, k.label, r.ipc / r.base AS x FROM step s JOIN run_of r ON r.study = '6_steps' AND r.scheme = s.scheme || '.gto' JOIN kernel k ON k.id = r.kernel AND k.kind = 'LCC';
INSERT INTO cell SELECT section, title, 'kernel', head FROM low, step WHERE EXISTS (SELECT * FROM low_run) ORDER BY id;
INSERT INTO cell SELECT section, title, label, printf('%.2f', x) FROM low, low_run ORDER BY kernel, id;
INSERT INTO cell SELECT section, title, '**geometric mean**', printf('**%.2f**', exp(avg(ln(x)))) FROM low, low_run GROUP BY id;

SELECT * FROM page;

-- ---- Data of the plots ----
.mode tabs
.headers on
.output sound_baseline_index.dat
SELECT name AS kernel, max(x) FILTER (WHERE scheme = 'bxor') AS "BXOR", max(x) FILTER (WHERE scheme = 'xor') AS "XOR", max(x) FILTER (WHERE scheme = 'pmod') AS "PMOD", max(x) FILTER (WHERE scheme = 'a_prime') AS "A-Prime",
    max(x) FILTER (WHERE scheme = 'd_prime') AS "D-Prime", max(x) FILTER (WHERE scheme = 'ipoly') AS "I-Poly" FROM value_of v JOIN name ON name.rowid = v.kernel WHERE study = '1_index' AND quantity = 'IPC over BMOD' GROUP BY v.kernel ORDER BY v.kernel;
.output sound_baseline_steps.dat
SELECT name AS kernel, max(x) FILTER (WHERE scheme = 'bxor.gto') AS "BXOR", max(x) FILTER (WHERE scheme = 'fill.gto') AS "on a fill", max(x) FILTER (WHERE scheme = 'mshr128.gto') AS "128 MSHRs",
    max(x) FILTER (WHERE scheme = 'xor.gto') AS "XOR map" FROM value_of v JOIN name ON name.rowid = v.kernel WHERE study = '7_inputs' AND over IS NULL GROUP BY v.kernel ORDER BY v.kernel;
