-- SPDX-License-Identifier: Apache-2.0
-- Page of the studies combined_schemes*.
SELECT '# Schemes alone and together, with the suites'' inputs

Written by `make experiment-combined` (`sim/experiments/combined_schemes*.ini`, which say what each scheme is, and `.sql`).
DL-MSHR (dl), MRPB and CART, alone and together, on GPUs of the papers and of today. MDB takes the place of MRPB''s bypassing, and does not run on `v100` and `a100`. Kernels:
the contended ones of Dai''s Table 2, the memory-intensive ones of Gu''s Table 2.3. Runs end after 200,000 cycles, on `v100` and `a100` after 100,000. Means are geometric.';

-- Studies and sections.
CREATE TEMP TABLE machine(study, config, title);
INSERT INTO machine VALUES ('pascal28', 'pascal28', '## pascal28'), ('cart28', 'cart28', '## cart28: CART'),
    ('fermi15', 'fermi15', '## fermi15: MDB'), ('v100', 'v100', '## v100'), ('a100', 'a100', '## a100');
CREATE TEMP TABLE run_of AS
SELECT m.rowid AS machine, m.title, r.n, r.workload, r.group_name, r.scheme, r.ipc, r.complete
FROM machine m JOIN result r ON r.config = m.config AND r.study = 'combined_schemes.' || m.study;
INSERT INTO kernel SELECT row_number() OVER (ORDER BY min(machine), min(n)), workload, group_name FROM run_of GROUP BY workload;
INSERT INTO figure_of SELECT k.id, r.scheme, r.title, r.ipc FROM run_of r JOIN kernel k ON k.label = r.workload;
INSERT INTO ratio SELECT title, 'IPC over the baseline''s', 'each', scheme, scheme, 'base', title, 0, NULL FROM run_of WHERE scheme <> 'base' GROUP BY machine, scheme ORDER BY machine, min(n);
INSERT INTO cell SELECT * FROM ratio_cell;
-- Dai's nine kernels with high contention: those of that group, and histo.
INSERT INTO cell SELECT r.section, 'IPC over the baseline''s', '**mean, Dai''s nine**', printf('**%.3f**', exp(avg(ln(v.x))))
FROM ratio r JOIN ratio_value v ON v.id = r.rowid WHERE r.section = '## fermi15: MDB' AND (v.kind = 'contention' OR v.label GLOB 'histo:*') GROUP BY r.rowid ORDER BY r.rowid;
INSERT INTO cell SELECT title, printf('The baseline runs %d of %d kernels to their end.', sum(complete), count(*)), NULL, NULL FROM run_of WHERE scheme = 'base' GROUP BY machine ORDER BY machine;

-- ---- CART: kernels that miss the L2 as often as in its dissertation ----
CREATE TEMP TABLE table23 AS
SELECT '## cart28: CART' AS section, 'Thread instructions per L2 miss (Table 2.3), and IPC with CART over the baseline''s' AS title, r.n, r.workload, coalesce(r.insts_per_l2_miss, 0) AS here, p.value AS paper, c.ipc / r.ipc AS gain
FROM result r JOIN result c ON c.study = r.study AND c.workload = r.workload AND c.scheme = 'cart' JOIN paper23 p ON p.kernel = substr(r.workload, 1, instr(r.workload || ':', ':') - 1)
WHERE r.study = 'combined_schemes.cart28' AND r.scheme = 'base' AND r.group_name = 'memory';
INSERT INTO cell SELECT section, title, 'kernel', value FROM (SELECT DISTINCT section, title FROM temp.table23), json_each('["here", "paper", "here / paper", "CART"]');
INSERT INTO cell SELECT section, title, workload, printf('%.0f | %d | %.2f | %.3f', here, paper, here / paper, gain) FROM temp.table23 ORDER BY n;
INSERT INTO cell SELECT section, title, '**mean, at most ' || value || ' times apart**', printf('%d kernels | - | - | **%.3f**', count(*), exp(avg(ln(gain))))
FROM temp.table23 JOIN json_each('[1.5, 3]') ON here BETWEEN paper / value AND paper * value GROUP BY value;

-- ---- DL-MSHR: the paper's benchmarks, store misses to DRAM too ----
CREATE TEMP TABLE stored AS
SELECT '## DL-MSHR: Figure 9 with store misses that go to DRAM too' AS section, 'IPC over the baseline''s with the same DRAM; the last columns: IPC of the baseline' AS title, r.n, r.workload,
    r.scheme || iif(r.axes ->> '$."dram.model"' = 'simple', ', two queues', ', one queue') AS col, iif(r.axes ->> '$."dram.model"' = 'simple', 1, 2) + 10 * (r.scheme = 'base') AS place, iif(r.scheme = 'base', r.ipc, r.ipc / b.ipc) AS x, r.scheme
FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline WHERE r.study = 'combined_schemes.dl_mshr';
CREATE TEMP TABLE stored_column AS SELECT col, row_number() OVER (ORDER BY place, min(n)) AS at FROM stored GROUP BY col;
INSERT INTO cell SELECT section, title, 'kernel', col FROM stored JOIN stored_column USING (col) GROUP BY at ORDER BY at;
INSERT INTO cell SELECT section, title, workload, printf('%.3f', x) FROM stored JOIN stored_column USING (col) ORDER BY (SELECT min(n) FROM stored s WHERE s.workload = stored.workload), at;
INSERT INTO cell SELECT section, title, '**mean**', iif(scheme = 'base', '-', printf('**%.3f**', exp(avg(ln(x))))) FROM stored JOIN stored_column USING (col) GROUP BY at ORDER BY at;
INSERT INTO cell SELECT section, title, '**mean without AlignedTypes and StreamCluster**', iif(scheme = 'base', '-', printf('**%.3f**', exp(avg(iif(workload GLOB 'sc:*' OR workload GLOB 'alignedtypes*', NULL, ln(x))))))
FROM stored JOIN stored_column USING (col) GROUP BY at ORDER BY at;

-- ---- HPE over LRU ----
CREATE TEMP TABLE fault_run AS
SELECT n, workload, 'type ' || group_name AS kind, substr(scheme, 1, 2) AS rate, substr(scheme, 4, 3) AS policy, substr(scheme, 7) AS tail, cycles FROM result WHERE study = 'combined_schemes.faults' AND scheme <> '100.lru';
CREATE TEMP TABLE fault_ratio AS
SELECT '## HPE over LRU: far-faults of an SM, evictions' AS section, printf('%s %% of the pages fit. Speed with at most 16, 4 and 1 far-faults of an SM at a time; with 16, and evictions within the 20 us of a fault', rate) AS title, h.n, h.workload, h.kind, rate,
    CASE tail WHEN '' THEN '16' WHEN '+evictions' THEN 'evictions' ELSE substr(tail, 8) END AS col, 1.0 * l.cycles / h.cycles AS x
FROM fault_run h JOIN fault_run l USING (workload, rate, tail) WHERE h.policy = 'hpe' AND l.policy = 'lru';
CREATE TEMP TABLE fault_column AS SELECT col, row_number() OVER (ORDER BY col = 'evictions', -col) AS at FROM fault_ratio GROUP BY col;
INSERT INTO cell SELECT section, title, 'kernel', col FROM fault_ratio JOIN fault_column USING (col) GROUP BY rate, at ORDER BY rate DESC, at;
INSERT INTO cell SELECT section, title, workload, printf('%.3f', x) FROM fault_ratio JOIN fault_column USING (col) ORDER BY rate DESC, (SELECT min(n) FROM fault_run f WHERE f.workload = fault_ratio.workload), at;
INSERT INTO cell SELECT section, title, '**mean, ' || kind || '**', printf('**%.3f**', exp(avg(ln(x)))) FROM fault_ratio JOIN fault_column USING (col) GROUP BY rate, kind, at ORDER BY rate DESC, kind, at;
INSERT INTO cell SELECT section, title, '**mean, all**', printf('**%.3f**', exp(avg(ln(x)))) FROM fault_ratio JOIN fault_column USING (col) GROUP BY rate, at ORDER BY rate DESC, at;

-- ---- CAPTURE and HPE ----
CREATE TEMP TABLE page_run AS
SELECT n, workload, group_name, substr(scheme, 1, 3) AS rate, substr(scheme, 5) AS scheme, cycles FROM result WHERE study = 'combined_schemes.pages';
CREATE TEMP TABLE page_ratio AS
SELECT '## CAPTURE and HPE on uvm28' AS section, printf('Speed over the tree prefetcher with its eviction (TPTE), memory for 100 / %s of the pages: prefetcher and eviction', a.rate) AS title, a.n, a.workload, a.group_name, a.rate, a.scheme, 1.0 * b.cycles / a.cycles AS x
FROM page_run a JOIN page_run b ON b.workload = a.workload AND b.rate = a.rate AND b.scheme = 'tree.tree' WHERE a.scheme <> 'tree.tree' ORDER BY a.rate, a.n;
CREATE TEMP TABLE page_column AS SELECT rate, scheme, row_number() OVER (ORDER BY rate, min(n)) AS at FROM page_ratio GROUP BY rate, scheme;
INSERT INTO cell SELECT section, title, 'kernel', replace(scheme, '.', ' + ') FROM page_ratio JOIN page_column USING (rate, scheme) GROUP BY at ORDER BY at;
INSERT INTO cell SELECT section, title, workload, printf('%.3f', x) FROM page_ratio JOIN page_column USING (rate, scheme) ORDER BY rate, (SELECT min(n) FROM page_run p WHERE p.workload = page_ratio.workload), at;
INSERT INTO cell SELECT section, title, '**mean, ' || group_name || '**', printf('**%.3f**', exp(avg(ln(x)))) FROM page_ratio JOIN page_column USING (rate, scheme) GROUP BY at, group_name ORDER BY rate, group_name DESC, at;
INSERT INTO cell SELECT section, title, '**mean, all**', printf('**%.3f**', exp(avg(ln(x)))) FROM page_ratio JOIN page_column USING (rate, scheme) GROUP BY at ORDER BY at;
INSERT INTO cell SELECT DISTINCT '## CAPTURE and HPE on uvm28', '![Means over the baseline](combined_schemes.svg)', NULL, NULL FROM page_ratio;

SELECT * FROM page;

-- Data of the plot: means of all kernels on each machine.
.mode tabs
.headers on
.output combined_schemes.dat
CREATE TEMP TABLE last(title, scheme);
INSERT INTO last SELECT title, CASE title WHEN '## cart28: CART' THEN 'mrpb+cart' WHEN '## fermi15: MDB' THEN 'mdb+dl+cart' ELSE 'dl+mrpb+cart' END FROM machine;
SELECT replace(replace(title, '## ', ''), ':', '') AS machine, max(iif(scheme = 'dl', x, NULL)) AS "DL-MSHR", max(iif(scheme = 'mrpb', x, NULL)) AS "MRPB", max(iif(scheme = 'cart', x, NULL)) AS "CART",
    max(iif(scheme = together, x, NULL)) AS "together"
FROM (SELECT l.rowid AS at, title, q.scheme, l.scheme AS together, exp(avg(ln(x))) AS x FROM last l JOIN quotient q ON q.quantity = title AND base = 'base' GROUP BY l.rowid, q.scheme) GROUP BY at ORDER BY at;
