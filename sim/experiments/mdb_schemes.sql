-- SPDX-License-Identifier: Apache-2.0
-- Page of the studies mdb_schemes and mdb_schemes.inputs.
SELECT '# Model-driven bypassing on fermi15

Written by `make experiment-mdb` (`sim/experiments/mdb_schemes.ini` and `.inputs.ini`, which say what each scheme is, and `.sql`). Paper: Dai, PhD dissertation, NC State University 2017, chapter 2; "-": it gives no figure.
Kernels are named as there; HCC, LCC: high and low contention, as there (without Barnes-Hut, which we lack).';

CREATE TEMP TABLE name(kernel, name);
INSERT INTO name VALUES ('pfilter', 'PTF'), ('sc', 'SC'), ('histo', 'HST'), ('syr2k', 'S2K'), ('kmeans', 'KMS'), ('gesummv', 'GMV'), ('atax', 'ATX'), ('mvt', 'MVT'),
    ('bicg', 'BIC'), ('scalarprod', 'SCP'), ('covar', 'CVR'), ('lud', 'LUD'), ('srad', 'SR2'), ('fdtd2d', '2DF'), ('2dconv', '2DV');
INSERT INTO kernel SELECT min(n), name || ' ' || kernel, group_name
FROM result JOIN name ON kernel = substr(workload, 1, instr(workload || ':', ':') - 1) WHERE study = 'mdb_schemes' GROUP BY workload;

-- Figures of a run. failures: refusals of misses that lack a resource; ipc: relative to the baseline.
CREATE TEMP TABLE run_of AS
SELECT k.id AS kernel, k.label, k.kind, substr(k.label, 1, instr(k.label, ' ') - 1) AS name, r.n, r.scheme, r.choice, r.ipc / b.ipc AS ipc, r.l1d_hpki AS hits,
    r.l1d_miss_refusals_pki AS failures_pki, r.mipc, r.l1d_l2_loads_pki AS loads, r.l1d_refusals_entry_full + r.l1d_refusals_merge_full + r.l1d_refusals_miss_queue + r.l1d_refusals_no_way AS failures,
    r.mdb_decisions AS decisions, r.mdb_lmax_mean AS lmax_mean, r.mdb_lmax AS lmax, r.l1d_bypasses AS bypassed,
    iif(r.scheme GLOB 'static[0-9]*' AND r.scheme NOT LIKE '%+%' , CAST(substr(r.scheme, 7) AS INTEGER), NULL) AS users
FROM result r JOIN result w ON w.study = r.study AND w.workload = r.workload JOIN kernel k ON k.id = w.n JOIN result b ON b.study = r.study AND b.n = r.baseline
WHERE r.study = 'mdb_schemes';
CREATE INDEX temp.by_kernel ON run_of(kernel, scheme);
CREATE INDEX temp.by_scheme ON run_of(scheme, kernel);
-- Users (warps or CTAs) of an SM: the smallest number with which no load bypasses the L1D.
CREATE TEMP TABLE users_of AS SELECT kernel, min(users) AS n FROM run_of WHERE users > 0 AND bypassed = 0 GROUP BY kernel;

-- Kernels of a group of the paper; ours: HCC by our own 8 MB limit; polybench: the paper's five for the fit.
CREATE TEMP TABLE member AS
SELECT kind AS grp, id AS kernel FROM kernel
UNION ALL SELECT 'ours', kernel FROM run_of WHERE scheme = '8mb' AND ipc > 1.5
UNION ALL SELECT 'polybench', id FROM kernel WHERE substr(label, 1, 3) IN ('S2K', 'GMV', 'ATX', 'MVT', 'BIC');
-- HCC without the two that gain most.
CREATE TEMP TABLE two AS SELECT kernel, name FROM run_of WHERE scheme = 'mdb_local' AND kind = 'HCC' ORDER BY ipc DESC LIMIT 2;
INSERT INTO member SELECT 'rest', id FROM kernel WHERE kind = 'HCC' AND id NOT IN (SELECT kernel FROM two);
CREATE TEMP TABLE mean_of AS SELECT grp, scheme, exp(avg(ln(ipc))) AS ipc FROM member JOIN run_of USING(kernel) GROUP BY grp, scheme;

-- ---- Schemes ----
CREATE TEMP TABLE shown AS SELECT '## Schemes (Figure 6)' AS section, 'IPC over the baseline''s; means are geometric' AS title, id, value AS scheme
FROM json_each('["static_best", "swl_best", "cbwt_best", "mrpb", "mrpblowest", "mdb_local", "mdb_global", "mdb_local+noscale", "mdb_global+noscale", "mdb_local+once", "mdb_global+once"]');
CREATE TEMP VIEW shown_kernel AS SELECT section, title, label, kind, printf('%.3f', ipc) AS text FROM shown s JOIN run_of USING(scheme) ORDER BY kernel, s.id;
CREATE TEMP VIEW shown_mean AS SELECT section, title, grp, printf('**%.3f**', ipc) AS text FROM shown s JOIN mean_of USING(scheme) ORDER BY s.id;
INSERT INTO cell SELECT section, title, 'kernel', scheme FROM shown ORDER BY id;
INSERT INTO cell SELECT section, title, label, text FROM shown_kernel WHERE kind = 'HCC';
INSERT INTO cell SELECT section, title, '**mean, HCC**', text FROM shown_mean WHERE grp = 'HCC';
INSERT INTO cell SELECT section, title, '**mean, HCC without ' || (SELECT group_concat(name, ' and ') FROM two) || '**', text FROM shown_mean WHERE grp = 'rest';
INSERT INTO cell SELECT section, title, 'paper', coalesce(text, '-') FROM shown s LEFT JOIN paper p ON p.scheme = s.scheme AND quantity = 'IPC over the baseline' ORDER BY s.id;
INSERT INTO cell SELECT section, title, label, text FROM shown_kernel WHERE kind = 'LCC';
INSERT INTO cell SELECT section, title, '**mean, LCC**', text FROM shown_mean WHERE grp = 'LCC';
INSERT INTO cell SELECT section, title, '**mean, HCC by our own 8 MB**', text FROM shown_mean WHERE grp = 'ours';
INSERT INTO cell SELECT DISTINCT section, '![IPC of the schemes over the baseline](mdb_schemes_ipc.svg)', NULL, NULL FROM shown;

-- ---- Contention ----
CREATE TEMP TABLE contention AS SELECT '## Contention (Figure 2)' AS section,
    'IPC over the baseline''s of an L1D with modulo index, of none, of one of 8 MB (4096 sets of 16 ways); HCC: 8 MB give more than 1.5.' AS title;
INSERT INTO cell SELECT section, title, 'kernel', value FROM contention, json_each('["modulo index", "no L1D", "8 MB", "paper", "ours"]');
INSERT INTO cell SELECT section, title, m.label, printf('%.3f | %.3f | %.3f | %s | %s', b.ipc, n.ipc, m.ipc, m.kind, iif(m.ipc > 1.5, 'HCC', 'LCC'))
FROM contention, run_of m JOIN run_of b USING(kernel) JOIN run_of n USING(kernel) WHERE m.scheme = '8mb' AND b.scheme = 'bmod' AND n.scheme = 'nol1d' ORDER BY m.kernel;
INSERT INTO cell SELECT section, title, '**mean, ' || g.value || '**', printf('**%.3f** | **%.3f** | **%.3f** | %s | -', exp(avg(ln(b.ipc))), exp(avg(ln(n.ipc))), exp(avg(ln(m.ipc))), iif(g.value = 'all', 'about 0.5', '-'))
FROM contention, json_each('["HCC", "all"]') g JOIN run_of m ON g.value IN ('all', m.kind) JOIN run_of b USING(kernel) JOIN run_of n USING(kernel) WHERE m.scheme = '8mb' AND b.scheme = 'bmod' AND n.scheme = 'nol1d' GROUP BY g.id;

-- ---- L1D and traffic ----
CREATE TEMP TABLE metric(title, field);
INSERT INTO metric VALUES ('L1D hits per 1000 warp instructions', 'hits'),
    ('Reservation failures (cycles in which the L1D refuses a miss: no way, MSHR entry or slot is free, or the miss queue is full) per 1000 warp instructions', 'failures'),
    ('Memory instructions per cycle (warp instructions, all SMs)', 'mipc'), ('Loads sent to the L2, misses and bypassed, per 1000 warp instructions', 'loads');
CREATE TEMP TABLE measured AS
SELECT '## L1D and traffic (Figure 7)' AS section, m.rowid AS metric, title, kernel, label, name, kind, j.id AS id, scheme,
    CASE field WHEN 'hits' THEN hits WHEN 'failures' THEN failures_pki WHEN 'mipc' THEN mipc ELSE loads END AS x
FROM metric m, json_each('["base", "swl_best", "cbwt_best", "mdb_local", "mdb_global"]') j JOIN run_of ON scheme = j.value ORDER BY m.rowid, kernel, j.id;
INSERT INTO cell SELECT DISTINCT section, title, 'kernel', scheme FROM measured ORDER BY metric, id;
INSERT INTO cell SELECT section, title, label, printf('%.4g', x) FROM measured ORDER BY metric, kernel, id;
INSERT INTO cell SELECT section, title, '**mean, ' || kind || '**', printf('**%.4g**', avg(x)) FROM measured GROUP BY metric, kind, id ORDER BY metric, kind, id;
INSERT INTO cell SELECT DISTINCT section, '![Hits, failures, memory instructions per cycle, traffic](mdb_schemes_memory.svg)', NULL, NULL FROM measured;

-- ---- Decisions ----
CREATE TEMP TABLE decided AS SELECT '## What was decided' AS section,
    'N: users of an SM (warps of a CTA or CTAs; the most of all launches). The best static limit and its IPC over the baseline''s; decisions and mean L_max (8: all users; "-": fewer accesses than an interval); the best SWL and CBWT.' AS best,
    'Decisions of mdb_local, percent, by L_max (8: no load bypasses the L1D):' AS by_lmax, 'IPC over the baseline''s if the first L users use the L1D:' AS by_users;
INSERT INTO cell SELECT section, best, 'kernel', value FROM decided,
    json_each('["N", "static_best", "its IPC", "mdb_local: L_max", "decisions", "IPC", "mdb_global: L_max", "decisions", "IPC", "swl_best", "cbwt_best"]');
INSERT INTO cell SELECT section, best, s.label, printf('%d | %s | %.3f | %s | %d | %.3f | %s | %d | %.3f | %s | %s', u.n, iif(s.choice = 'base', 'all', substr(s.choice, 7)), s.ipc,
    iif(l.decisions, printf('%.2f', l.lmax_mean), '-'), l.decisions, l.ipc, iif(g.decisions, printf('%.2f', g.lmax_mean), '-'), g.decisions, g.ipc,
    w.choice, replace(c.choice, 'swl_best', w.choice))
FROM decided, run_of s JOIN users_of u USING(kernel) JOIN run_of l USING(kernel) JOIN run_of g USING(kernel) JOIN run_of w USING(kernel) JOIN run_of c USING(kernel)
WHERE s.scheme = 'static_best' AND l.scheme = 'mdb_local' AND g.scheme = 'mdb_global' AND w.scheme = 'swl_best' AND c.scheme = 'cbwt_best' ORDER BY s.kernel;
INSERT INTO cell SELECT section, by_lmax, 'kernel', value FROM decided, json_each('[1, 2, 3, 4, 5, 6, 7, 8]');
-- Ties round to even, as in C.
INSERT INTO cell SELECT section, by_lmax, label, iif(decisions, printf('%.0f', 100.0 * count / decisions - 1e-6 * (200 * count % decisions = 0 AND 200 * count / decisions % 4 = 1)), '-')
FROM decided, (SELECT kernel, label, decisions, j.value AS at, coalesce((SELECT value ->> 1 FROM json_each(lmax) WHERE value ->> 0 = j.value), 0) AS count
    FROM run_of, json_each('[1, 2, 3, 4, 5, 6, 7, 8]') j WHERE scheme = 'mdb_local') ORDER BY kernel, at;
CREATE TEMP TABLE upto15 AS SELECT value AS users FROM json_each('[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]');
INSERT INTO cell SELECT section, by_users, 'kernel', users FROM decided, upto15;
INSERT INTO cell SELECT section, by_users, kernel.label, iif(k.users < u.n, printf('%.3f', ipc), '') FROM decided, kernel JOIN users_of u ON u.kernel = kernel.id, upto15 k
    LEFT JOIN run_of r ON r.kernel = kernel.id AND r.users = k.users ORDER BY kernel.id, k.users;

-- ---- One kernel with every limit ----
CREATE TEMP TABLE kms AS SELECT '## KMS at every limit (Figure 3)' AS section,
    'By the number of its users that may use the L1D: IPC over that with all of them, L1D hits and reservation failures per 1000 warp instructions. The paper: the best is (w, 5, 8), 3 of 8 warps use it.' AS title;
INSERT INTO cell SELECT section, title, 'users', value FROM kms, json_each('["IPC", "hits", "failures"]') WHERE EXISTS (SELECT * FROM run_of WHERE name = 'KMS');
INSERT INTO cell SELECT section, title, users || ' of ' || u.n, printf('%.3f | %.4g | %.4g', ipc, hits, failures_pki)
FROM kms, run_of JOIN users_of u USING(kernel) WHERE name = 'KMS' AND users <= u.n ORDER BY users;

-- ---- Sensitivity: means over the HCC kernels ----
CREATE TEMP TABLE machine(title, variant, told);
INSERT INTO machine VALUES ('16 KB', 'base', 1), ('32 KB', 'kb32', 1), ('64 KB', 'kb64', 1), ('16 MSHRs', 'mshr16', 0), ('32 MSHRs', 'base', 1), ('64 MSHRs', 'mshr64', 0),
    ('128 MSHRs', 'mshr128', 0), ('GTO', 'base', 1), ('LRR', 'lrr', 1), ('two-level', 'two_level', 1), ('700 MHz', 'base', 0), ('1400 MHz', 'mhz1400', 0);
CREATE TEMP TABLE varied AS
SELECT '## Sensitivity (Figures 8, 9)' AS section, 'IPC over that of fermi15 without bypassing, geometric means over the HCC kernels of the paper; in brackets the gain over the same machine without bypassing.' AS title,
    m.title AS machine, b.ipc AS base, l.ipc AS local, g.ipc AS global, iif(told, pb.text, NULL) AS paper_base, iif(told, pg.text, NULL) AS paper_global
FROM (SELECT *, iif(variant = 'base', '', '+' || variant) AS tail FROM machine) m JOIN mean_of b ON b.grp = 'HCC' AND b.scheme = variant
    JOIN mean_of l ON l.grp = 'HCC' AND l.scheme = 'mdb_local' || tail JOIN mean_of g ON g.grp = 'HCC' AND g.scheme = 'mdb_global' || tail
    LEFT JOIN paper pb ON pb.quantity = 'IPC over the baseline, sensitivity' AND pb.scheme = variant
    LEFT JOIN paper pg ON pg.quantity = 'IPC over the baseline, sensitivity' AND pg.scheme = 'mdb_global' || tail;
INSERT INTO cell SELECT section, title, '', value FROM (SELECT DISTINCT section, title FROM varied), json_each('["base", "mdb_local", "mdb_global", "paper: base", "paper: mdb_global"]');
INSERT INTO cell SELECT section, varied.title, machine.title, printf('%.3f | %.3f (%.3f) | %.3f (%.3f) | %s | %s', base, local, local / base, global, global / base,
    coalesce(paper_base, '-'), coalesce(paper_global, '-')) FROM machine JOIN varied ON machine = machine.title ORDER BY machine.rowid;
INSERT INTO cell SELECT DISTINCT section, 'The paper has no figures for MSHRs ("double the performance with any of the examined MSHR sizes").', NULL, NULL FROM varied;
INSERT INTO cell SELECT DISTINCT section, '![Sensitivity](mdb_schemes_sensitivity.svg)', NULL, NULL FROM varied;
CREATE TEMP TABLE slots AS SELECT DISTINCT section, 'Bypassing loads in flight of an SM (`l1d.bypass_slots`), IPC over the baseline''s, geometric means:' AS title FROM varied;
INSERT INTO cell SELECT section, title, 'slots', value FROM slots, json_each('["mdb_local, HCC", "static_best, HCC", "mdb_local, LCC", "static_best, LCC"]');
INSERT INTO cell SELECT section, title, part.value ->> 0, printf('%.3f', coalesce(ipc, 1))
FROM slots, json_each('[["8", "+slots8"], ["32", "+slots32"], ["128", "+slots128"], ["no limit", ""]]') part,
    json_each('[["HCC", "mdb_local"], ["HCC", "static_best"], ["LCC", "mdb_local"], ["LCC", "static_best"]]') col
    LEFT JOIN mean_of ON grp = col.value ->> 0 AND scheme = (col.value ->> 1) || (part.value ->> 1) ORDER BY part.id, col.id;

-- Other input sizes; Figure 9b.
CREATE TEMP TABLE input(size, paper);
INSERT INTO input VALUES ('1/16', '1.68'), ('1/4', '1.91'), ('1', '1.87'), ('4', '1.42');
CREATE TEMP TABLE sized AS
SELECT r.group_name AS size, r.scheme, r.n, substr(r.workload, 1, instr(r.workload, ':') - 1) AS kernel, r.ipc / b.ipc AS x
FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline WHERE r.study = 'mdb_schemes.inputs' AND r.n <> r.baseline;
CREATE TEMP VIEW sizes AS SELECT '## Input sizes (Figure 9b)' AS section, 'IPC with mdb_global over that without, by the size of the arrays beside that of the other tables; in brackets mdb_local. The paper has six kernels too, but does not say which; its 16 times as large gives 1.34.' AS title;
INSERT INTO cell SELECT section, title, 'kernel', size FROM sizes, input WHERE EXISTS (SELECT * FROM sized);
INSERT INTO cell SELECT section, title, k.kernel, iif(g.x IS NULL, '-', printf('%.3f (%.3f)', g.x, l.x))
FROM sizes, (SELECT kernel, min(n) AS first FROM sized GROUP BY kernel) k JOIN input i LEFT JOIN sized g ON g.kernel = k.kernel AND g.size = i.size AND g.scheme = 'mdb_global'
    LEFT JOIN sized l ON l.kernel = k.kernel AND l.size = i.size AND l.scheme = 'mdb_local' ORDER BY first, i.rowid;
INSERT INTO cell SELECT section, title, '**mean**', iif(count(n), printf('**%.3f** (%.3f)', exp(avg(iif(scheme = 'mdb_global', ln(x), NULL))), exp(avg(iif(scheme = 'mdb_local', ln(x), NULL)))), '-')
FROM sizes, input i LEFT JOIN sized USING(size) WHERE EXISTS (SELECT * FROM sized) GROUP BY i.rowid ORDER BY i.rowid;
INSERT INTO cell SELECT section, title, 'paper', paper FROM sizes, input WHERE EXISTS (SELECT * FROM sized);

-- ---- Cubic model: failures with L of N users over those with all ----
CREATE TEMP TABLE point_of AS
SELECT grp, r.kernel, r.name, 1.0 * r.users / u.n AS x, 1.0 * r.failures / b.failures AS y
FROM member JOIN run_of r USING(kernel) JOIN users_of u USING(kernel) JOIN run_of b USING(kernel)
WHERE grp IN ('polybench', 'HCC') AND b.scheme = 'base' AND b.failures > 0 AND r.users BETWEEN 1 AND u.n - 1 ORDER BY grp, r.kernel, r.users;
CREATE TEMP TABLE spread AS
SELECT grp, count(*) AS points, total((y - mean) * (y - mean)) AS whole, sum(y * pow(x, 3)) / sum(pow(x, 6)) AS c
FROM point_of JOIN (SELECT grp, avg(y) AS mean FROM point_of GROUP BY grp) USING(grp) GROUP BY grp;
CREATE TEMP TABLE curve AS
WITH RECURSIVE power(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM power WHERE i < 599), form(c, p) AS (SELECT 1.0, 0.02 * i FROM power UNION ALL SELECT NULL, 3.0)
SELECT grp, f.c IS NULL AS scaled, p, iif(whole, 1 - total((y - coalesce(f.c, s.c) * pow(x, p)) * (y - coalesce(f.c, s.c) * pow(x, p))) / whole, 1) AS r2
FROM form f, spread s JOIN point_of USING(grp) GROUP BY grp, scaled, p;
CREATE TEMP TABLE fitted AS SELECT grp, p AS power, max(r2) AS r2 FROM curve WHERE NOT scaled GROUP BY grp;
CREATE TEMP TABLE cube AS SELECT '## The cubic model (Figure 4)' AS section,
    'Reservation failures with L of N users in the L1D over those with all N, at every L from 1 to N - 1 (at N it is 1 by construction): R2 of three curves. The paper: y = x^3, 0.88 over its points of S2K, GMV, ATX, MVT and BIC.' AS title
WHERE EXISTS (SELECT * FROM member WHERE grp = 'HCC');
INSERT INTO cell SELECT section, title, 'kernels', value FROM cube, json_each('["points", "y = x^3", "y = c x^3", "y = x^p"]');
INSERT INTO cell SELECT section, title, iif(grp = 'HCC', 'all HCC kernels', 'S2K, GMV, ATX, MVT, BIC'), printf('%d | %.3f | %.3f (c = %.3f) | %.3f (p = %.2f)', points, a.r2, b.r2, c, f.r2, power)
FROM cube, spread JOIN curve a USING(grp) JOIN curve b USING(grp) JOIN fitted f USING(grp) WHERE NOT a.scaled AND abs(a.p - 3) < 0.001 AND b.scaled ORDER BY grp DESC;
INSERT INTO cell SELECT section, '![Failures against users of the L1D](mdb_schemes_fit.svg)', NULL, NULL FROM cube;

SELECT * FROM page;

-- ---- Data of the plots ----
.mode tabs
.output mdb_schemes_ipc.dat
CREATE TEMP VIEW ipc_line AS SELECT first, name, group_concat(printf('%.4f', ipc), char(9)) AS line FROM (
    SELECT kernel AS first, name, j.id AS id, ipc FROM json_each('["swl_best", "cbwt_best", "mdb_local", "mdb_global", "static_best"]') j JOIN run_of ON scheme = j.value
    UNION ALL SELECT 1e9 + (grp = 'LCC'), 'GM\\_' || grp, j.id, ipc FROM json_each('["swl_best", "cbwt_best", "mdb_local", "mdb_global", "static_best"]') j JOIN mean_of ON scheme = j.value
        WHERE grp IN ('HCC', 'LCC') ORDER BY 1, 3 LIMIT 100000) GROUP BY first ORDER BY first;
.mode list
SELECT name || char(9) || line FROM ipc_line;
.output mdb_schemes_memory.dat
SELECT name || char(9) || group_concat(printf('%.4f', x), char(9)) FROM (
    SELECT m.kernel, m.name, iif(m.metric = 3, m.x / b.x, m.x) AS x FROM measured m JOIN measured b ON b.kernel = m.kernel AND b.metric = m.metric AND b.scheme = 'base'
    WHERE m.kind = 'HCC' AND m.scheme <> 'mdb_local' ORDER BY m.kernel, m.metric, m.id LIMIT 100000) GROUP BY kernel ORDER BY kernel;
.output mdb_schemes_sensitivity.dat
SELECT printf('"%s" %.4f %.4f %.4f', machine, base, local, global) FROM machine JOIN varied ON machine = machine.title ORDER BY machine.rowid;
.output mdb_schemes_fit.HCC.dat
SELECT x || ' ' || y || ' ' || name FROM point_of WHERE grp = 'HCC' ORDER BY rowid;
.output mdb_schemes_fit.polybench.dat
SELECT x || ' ' || y || ' ' || name FROM point_of WHERE grp = 'polybench' ORDER BY rowid;
.output mdb_schemes_fit.dat
SELECT printf('p_%s = %.4f', grp, power) FROM fitted;
