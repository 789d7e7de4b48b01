-- SPDX-License-Identifier: Apache-2.0
-- Page of the studies concurrent_kernels.*.
CREATE TEMP TABLE cut AS SELECT max(cycles) AS cycles FROM result WHERE study = 'concurrent_kernels.1_alone';
SELECT printf('# Several kernels on one SM: maxwell16_cke

Written by `make experiment-cke` (`sim/experiments/concurrent_kernels.*`, which say what each scheme is). Paper: Dai, PhD dissertation, NC State University 2017, chapter 4; in brackets, and in the line "paper": its figures, "-" where it gives none.
Each kernel is the first launch of its workload, restarted when it ends, for %d SM cycles in all (the paper: 2,000,000). gemm stands for the first product of 3MM.', cycles) FROM cut;

-- class: that of the paper's Table 6.
CREATE TEMP TABLE one(k INTEGER PRIMARY KEY, name, class);
INSERT INTO one VALUES (1, 'hs', 'C'), (2, 'pf', 'C'), (3, 'bp', 'C'), (4, 'sv', 'M'), (5, '3m', 'M'), (6, 'ks', 'M'), (7, 'ax', 'M');
CREATE TEMP TABLE curve AS
SELECT one.*, CAST(substr(r.scheme, 4) AS INTEGER) AS n, r.thread_ipc AS ipc, r.thread_ipc / max(r.thread_ipc) OVER (PARTITION BY k) AS p, r.run FROM result r JOIN one ON r.scheme GLOB one.name || '.*' WHERE r.study = 'concurrent_kernels.1_alone' AND r.state = 'done';
-- With n CTAs per SM, the maximum. m: instructions that access global memory; s: those that access shared memory; q: L1D accesses; f: failures that the limiter counts.
CREATE TEMP TABLE alone AS
SELECT c.k, c.name, c.class, c.n, c.ipc, t.thread_insts, t.load_insts + t.store_insts + t.atomic_insts AS m, t.shared_insts AS s, t.warp_insts, t.l1d_accesses AS q, t.l1d_refusals_gpgpusim AS f, t.l1d_refusals AS refused, t.sm_cycles, t.l1d_primary_misses + t.l1d_secondary_misses AS misses, t.l1d_hits + t.l1d_primary_misses + t.l1d_secondary_misses AS loads
FROM curve c JOIN total t ON t.run = c.run WHERE n = (SELECT max(n) FROM curve d WHERE d.k = c.k);

-- ---- Kernels alone ----
CREATE TEMP TABLE measured AS
SELECT k, name, 1 AS col, 'C/M' AS quantity, '%.1f' AS format, 1.0 * (warp_insts - m - s) / (m + s) AS x FROM alone
UNION ALL SELECT k, name, 2, 'R/M', '%.1f', 1.0 * q / m FROM alone
UNION ALL SELECT k, name, 3, 'miss rate', '%.2f', 1.0 * misses / loads FROM alone
UNION ALL SELECT k, name, 4, 'failures', '%.2f', 1.0 * f / q FROM alone
UNION ALL SELECT k, name, 5, 'MPKI', '%.1f', 1000.0 * misses / thread_insts FROM alone;
INSERT INTO cell SELECT '## Kernels alone (Table 6 and Figure 28)', 'C/M: instructions per memory instruction, shared memory counted as memory. R/M: L1D accesses per instruction that accesses global memory. Both as the counters of the authors'' simulator have them. Failures: cycles per access in which the L1D refuses a miss that lacks a resource. MPKI: misses per 1000 thread instructions. Stalls: SM cycles in which the L1D refuses an access. C, M: class by Table 6 (M: more than 10 % there)', 'kernel', column1
FROM (VALUES ('class'), ('CTAs'), ('IPC'), ('C/M'), ('R/M'), ('miss rate'), ('failures'), ('MPKI'), ('stalls, %'));
CREATE TEMP TABLE head AS SELECT section, title FROM cell ORDER BY rowid DESC LIMIT 1;
INSERT INTO cell SELECT section, title, name, text FROM head, (
    SELECT k, name, 0 AS col, class AS text FROM alone UNION ALL SELECT k, name, 0.1, n FROM alone UNION ALL SELECT k, name, 0.2, printf('%.2f', ipc) FROM alone
    UNION ALL SELECT k, name, col, printf(format, x) || coalesce(' (' || text || ')', '') FROM measured m LEFT JOIN paper p ON p.quantity = m.quantity AND p.grp = m.name
    UNION ALL SELECT k, name, 6, printf('%.1f', 100.0 * refused / sm_cycles) FROM alone) ORDER BY k, col;
INSERT INTO cell SELECT '## Curves (Figure 29)', 'IPC with n CTAs on each SM over the best of the curve', 'kernel', n FROM (SELECT DISTINCT n FROM curve ORDER BY n);
INSERT INTO cell SELECT '## Curves (Figure 29)', 'IPC with n CTAs on each SM over the best of the curve', name, coalesce(max(iif(curve.n = all_n.n, printf('%.2f', p), NULL)), '-')
FROM curve, (SELECT DISTINCT n FROM curve) all_n GROUP BY k, all_n.n ORDER BY k, all_n.n;

-- ---- Kernels together ----
CREATE TEMP TABLE run_of AS
SELECT r.run, r.group_name AS mix, substr(r.scheme, instr(r.scheme, ':') + 1) AS scheme, json_array_length(j.list) AS n, j.list FROM result r, (SELECT DISTINCT group_name, '["' || replace(group_name, '+', '","') || '"]' AS list FROM result) j
WHERE r.study IN ('concurrent_kernels.2_pairs', 'concurrent_kernels.3_triples', 'concurrent_kernels.4_variants', 'concurrent_kernels.5_quotas') AND r.group_name GLOB '*+*' AND r.state = 'done' AND j.group_name = r.group_name;
-- Kernels alone on the machine of a variant.
CREATE TEMP TABLE alone_as AS
SELECT one.k, r.scheme AS variant, r.thread_insts FROM result r JOIN one ON r.group_name = one.name WHERE r.study = 'concurrent_kernels.4_variants' AND r.state = 'done' UNION ALL SELECT k, '', thread_insts FROM alone;
-- np: normalized progress, i.e. IPC together over IPC alone on the same machine.
CREATE TEMP TABLE member AS
SELECT r.run, r.mix, r.scheme, r.n, j.key AS number, a.k, a.name, a.class, 1.0 * d.thread_insts / v.thread_insts AS np, d.ctas, d.l1d_accesses AS q, 1.0 * (d.l1d_primary_misses + d.l1d_secondary_misses) / (d.l1d_hits + d.l1d_primary_misses + d.l1d_secondary_misses) AS miss_rate, 1000.0 * d.thread_insts / (16 * d.cycles) AS ipkc
FROM run_of r, json_each(r.list) j JOIN alone a ON a.name = j.value JOIN detail d ON d.run = r.run AND d.scope = 'stream' AND d.number = j.key
JOIN alone_as v ON v.k = a.k AND v.variant = CASE WHEN r.scheme GLOB 'lrr*' THEN 'lrr' WHEN r.scheme GLOB 'kb48*' THEN 'kb48' WHEN r.scheme GLOB 'kb96*' THEN 'kb96' WHEN r.scheme GLOB 'bare*' THEN 'bare' ELSE '' END;
CREATE TEMP TABLE score AS
SELECT run, mix, scheme, n, group_concat(class, '+') AS class, sum(k * 100) AS place, sum(np) AS stp, iif(min(np) > 0, avg(1 / nullif(np, 0)), NULL) AS antt, min(np) / max(np) AS fairness FROM (SELECT * FROM member ORDER BY run, class, k) GROUP BY run;
CREATE INDEX temp.by_mix ON score(mix, scheme);

-- Warped-Slicer's choice, and the prediction from its curves (Figure 30).
INSERT INTO cell SELECT '## What Warped-Slicer predicts (Figure 30)', 'STP of the pairs with its CTAs, as their curves predict it and as it is (in the paper bp+sv 1.94, 1.31)', 'pair', column1 FROM (VALUES ('class'), ('CTAs'), ('predicted'), ('real'));
INSERT INTO cell SELECT '## What Warped-Slicer predicts (Figure 30)', 'STP of the pairs with its CTAs, as their curves predict it and as it is (in the paper bp+sv 1.94, 1.31)', mix, text FROM (
    SELECT s.place, s.class, s.mix, column1 AS col, CASE column1 WHEN 0 THEN s.class WHEN 1 THEN v.value WHEN 2 THEN printf('%.2f',
        (SELECT sum(c.ipc / a.ipc) FROM json_each('["' || replace(s.mix, '+', '","') || '"]') m JOIN json_each('[' || v.value || ']') t ON t.key = m.key JOIN curve c ON c.name = m.value AND c.n = t.value JOIN alone a ON a.k = c.k))
        ELSE printf('%.2f', s.stp) END AS text
    FROM score s JOIN run ON run.id = s.run JOIN config_value v ON v.config = run.config AND v.key = 'cke.partition', (VALUES (0), (1), (2), (3)) WHERE s.scheme = 'ws' AND s.n = 2) ORDER BY class, place, mix, col;

-- ---- Shares of the LSU ----
INSERT INTO cell SELECT '## Who gets the LSU (Figures 32 to 34)', 'L1D accesses of the second kernel over those of the first', 'pair', column1 FROM (VALUES ('class'), ('ws'), ('ws.rbmi'), ('ws.qbmi'));
INSERT INTO cell SELECT '## Who gets the LSU (Figures 32 to 34)', 'L1D accesses of the second kernel over those of the first', mix, text FROM (
    SELECT s.place, s.class, s.mix, 0 AS col, s.class AS text FROM score s WHERE scheme = 'ws' AND n = 2
    UNION ALL SELECT s.place, s.class, s.mix, w.column1, printf('%.2f', 1.0 * b.q / a.q) FROM score s JOIN (VALUES (1, 'ws'), (2, 'ws.rbmi'), (3, 'ws.qbmi')) w ON w.column2 = s.scheme JOIN member a ON a.run = s.run AND a.number = 0 JOIN member b ON b.run = s.run AND b.number = 1 WHERE s.n = 2) ORDER BY class, place, mix, col;
INSERT INTO cell SELECT '## Who gets the LSU (Figures 32 to 34)', 'bp+sv: thread instructions and L1D accesses of each kernel on an SM in 1,000 cycles', 'kernel', column1 FROM (VALUES ('alone'), ('alone, accesses'), ('ws'), ('ws, accesses'));
INSERT INTO cell SELECT '## Who gets the LSU (Figures 32 to 34)', 'bp+sv: thread instructions and L1D accesses of each kernel on an SM in 1,000 cycles', m.name, j.value FROM member m JOIN alone a ON a.k = m.k,
    json_each(json_array(printf('%.0f', 1000.0 * a.thread_insts / a.sm_cycles), printf('%.0f', 1000.0 * a.q / a.sm_cycles), printf('%.0f', m.ipkc), printf('%.0f', 1000.0 * m.q / a.sm_cycles))) j WHERE m.mix = 'bp+sv' AND m.scheme = 'ws' ORDER BY m.k, j.key;
INSERT INTO cell SELECT '## Miss rates (Figure 37)', 'L1D miss rate of the memory-intensive kernels (the paper: ks in bp+ks 0.88, with DMIL 0.52; in sv+ks 0.98, 0.52)', 'kernel in pair', column1 FROM (VALUES ('ws'), ('ws.qbmi'), ('ws.dmil'), ('ws.qbmi+dmil'));
INSERT INTO cell SELECT '## Miss rates (Figure 37)', 'L1D miss rate of the memory-intensive kernels (the paper: ks in bp+ks 0.88, with DMIL 0.52; in sv+ks 0.98, 0.52)', m.name || ' in ' || m.mix, printf('%.2f', m.miss_rate) FROM member m JOIN (VALUES (1, 'ws'), (2, 'ws.qbmi'), (3, 'ws.dmil'), (4, 'ws.qbmi+dmil')) w ON w.column2 = m.scheme WHERE m.class = 'M' AND m.n = 2 ORDER BY m.k, m.mix, w.column1;

-- ---- L1D and issue ----
CREATE TEMP TABLE use_of AS
SELECT s.class, s.scheme, 1.0 * (t.l1d_primary_misses + t.l1d_secondary_misses) / (t.l1d_hits + t.l1d_primary_misses + t.l1d_secondary_misses) AS miss_rate, 1.0 * t.l1d_refusals / t.sm_cycles AS stalls, 1.0 * (t.warp_insts - t.load_insts - t.store_insts - t.atomic_insts - t.shared_insts) / (4 * t.sm_cycles) AS issue
FROM score s JOIN total t USING (run) WHERE s.n = 2;
INSERT INTO cell SELECT '## L1D and issue (Figure 39)', 'Means of the pairs: L1D miss rate; SM cycles with a refused access; issue slots with an instruction that accesses no memory', 'class', column1 FROM (VALUES ('ws'), ('ws.qbmi'), ('ws.dmil'));
INSERT INTO cell SELECT '## L1D and issue (Figure 39)', 'Means of the pairs: L1D miss rate; SM cycles with a refused access; issue slots with an instruction that accesses no memory', u.class || ', ' || j.key, printf('%.2f', avg(j.value))
FROM use_of u JOIN (VALUES (1, 'ws'), (2, 'ws.qbmi'), (3, 'ws.dmil')) w ON w.column2 = u.scheme JOIN json_each(json_object('misses', miss_rate, 'stalls', stalls, 'issue', issue)) j GROUP BY u.class, j.id, w.column1 ORDER BY u.class, j.id, w.column1;

-- ---- Static limits ----
INSERT INTO cell SELECT '## Static limits (Figure 35)', title, 'limit of the first', head FROM (SELECT DISTINCT 'STP of ' || mix || '; columns: limit of the second' AS title, substr(scheme, 6 + instr(substr(scheme, 6), '.')) AS head, mix, run FROM score WHERE scheme GLOB 'smil.*') GROUP BY title, head ORDER BY title, min(run);
INSERT INTO cell SELECT '## Static limits (Figure 35)', 'STP of ' || mix || '; columns: limit of the second', substr(scheme, 6, instr(substr(scheme, 6), '.') - 1), printf('%.2f', stp) FROM score WHERE scheme GLOB 'smil.*' ORDER BY mix, run;

-- A table has a line for each mix and a column for each scheme. over: the scheme of the denominator.
CREATE TEMP TABLE wanted(id INTEGER PRIMARY KEY, section, title, n, metric, scheme, over);
CREATE TEMP VIEW wanted_value AS
SELECT w.*, s.mix, s.class, s.place, CASE metric WHEN 'STP' THEN s.stp / coalesce(o.stp, 1) WHEN 'ANTT' THEN s.antt / coalesce(o.antt, 1) ELSE s.fairness END AS x
FROM wanted w JOIN score s ON s.scheme = w.scheme AND s.n = w.n LEFT JOIN score o ON o.scheme = w.over AND o.mix = s.mix WHERE w.over IS NULL OR o.run;
INSERT INTO wanted(section, title, n, metric, scheme, over)
SELECT '## Pairs (Figures 31, 34, 37 to 40)', t.column1, 2, t.column2, s.value, NULL FROM (VALUES ('STP: the sum of IPC together over IPC alone', 'STP'), ('ANTT: the mean of IPC alone over IPC together; -: a kernel does nothing', 'ANTT'), ('Fairness: the least progress over the greatest', 'fairness')) t,
    json_each('["leftover", "spatial", "ws", "ws.ucp", "ws.rbmi", "ws.qbmi", "ws.dmil", "ws.qbmi+dmil", "smk", "smk.w", "smk.qbmi", "smk.dmil"]') s ORDER BY t.column2 = 'fairness', t.column2 = 'ANTT', s.id;
INSERT INTO wanted(section, title, n, metric, scheme, over)
SELECT '## Triples (Figures 41 and 42)', m.column1 || ' over that of ws, or of smk.w', 3, m.column1, s.column1, s.column2 FROM (VALUES ('STP'), ('ANTT')) m, (VALUES ('ws.qbmi', 'ws'), ('ws.dmil', 'ws'), ('smk.qbmi', 'smk.w'), ('smk.dmil', 'smk.w')) s ORDER BY m.column1 = 'ANTT', s.rowid;
INSERT INTO wanted(section, title, n, metric, scheme, over)
SELECT '## LRR, L1Ds of 48 and 96 KB (Figures 43 and 44), and no address arithmetic (bare)', m.column1 || ' over that without a limiter', 2, m.column1, v.value || l.value, v.value FROM (VALUES ('STP'), ('ANTT')) m, json_each('["lrr", "kb48", "kb96", "bare"]') v, json_each('[".qbmi", ".dmil"]') l ORDER BY m.column1 = 'ANTT', v.id, l.id;
INSERT INTO wanted(section, title, n, metric, scheme, over)
SELECT '## DMIL with other rules for an interval without 1,024 failures (mil.fallback), and failures of 20 bits (wide)', 'STP over that of ws', 2, 'STP', s.value, 'ws' FROM json_each('["ws.dmil", "dmil.step", "dmil.keep", "dmil.wide"]') s;
INSERT INTO wanted(section, title, n, metric, scheme, over)
SELECT '## Pairs, over the partition alone', m.column1 || ' over that of ws, or of smk.w', 2, m.column1, s.column1, s.column2 FROM (VALUES ('STP'), ('ANTT')) m, (VALUES ('ws.qbmi', 'ws'), ('ws.dmil', 'ws'), ('smk.qbmi', 'smk.w'), ('smk.dmil', 'smk.w')) s ORDER BY m.column1 = 'ANTT', s.rowid;
INSERT INTO wanted(section, title, n, metric, scheme, over)
SELECT '## The length of SMK''s quotas', m.column1 || ' with quotas of 100, 1,000 and 10,000 cycles', 2, m.column1, s.value, NULL FROM (VALUES ('STP'), ('ANTT')) m, json_each('["smk.w100", "smk.w", "smk.w10000"]') s ORDER BY m.column1 = 'ANTT', s.id;
INSERT INTO cell SELECT section, title, line, text FROM (
    SELECT 0 AS step, '' AS class, 0 AS place, id, section, title, iif(n = 2, 'pair', 'triple') AS line, scheme AS text FROM wanted
    UNION ALL SELECT 1, class, place, id, section, title, mix || ' ' || class, iif(x IS NULL, '-', printf('%.2f', x)) FROM wanted_value WHERE n = 2 AND over IS NULL
    UNION ALL SELECT 2, class, 0, id, section, title, '**' || class || ', arithmetic**', iif(count(x) < count(*), '-', printf('**%.3f**', avg(x))) FROM wanted_value GROUP BY id, class
    UNION ALL SELECT 2, class, 1, id, section, title, '**' || class || ', geometric**', iif(count(x) < count(*), '-', printf('**%.3f**', exp(avg(ln(x))))) FROM wanted_value GROUP BY id, class
    UNION ALL SELECT 3, '', 0, id, section, title, '**all, arithmetic**', iif(count(x) < count(*), '-', printf('**%.3f**', avg(x))) FROM wanted_value GROUP BY id
    UNION ALL SELECT 3, '', 1, id, section, title, '**all, geometric**', iif(count(x) < count(*), '-', printf('**%.3f**', exp(avg(ln(x))))) FROM wanted_value GROUP BY id
    UNION ALL SELECT 4, '', 0, w.id, w.section, w.title, 'paper', coalesce(p.text, '-') FROM wanted w LEFT JOIN paper p ON p.scheme = w.scheme AND p.grp = iif(w.n = 2, 'pairs', 'triples') AND p.quantity = w.metric || coalesce(' over ' || w.over, '') WHERE w.metric <> 'fairness')
ORDER BY step, class, place, line, id;
SELECT * FROM page;
