-- SPDX-License-Identifier: Apache-2.0
-- Page of the study cart_schemes.
SELECT '# What stands before the L2 banks, on cart28

Written by `make experiment-cart` (`sim/experiments/cart_schemes.*.ini`, which say what each scheme is, and `.sql`).
Paper: Gu, PhD dissertation, Oregon State University, chapter 2; "-": it gives no figure. Kernels are those of its Table 2.3 that we have, memory- and
compute-intensive as there; the last table has others. fifo264: a plain FIFO of as many places as CART and its FIFO; fifo72 to
fifo8200: as CARTs of other sizes. bq2 to bq16: 2 to 16 bank queues. +branch, +col4: a request takes any free queue of its branch, four lines share a queue.
cartfree, bq16free: a refused request lets others try. age16: an age limit of 16. longest, robin: other policies. linear: the L1D''s index.';

-- Figures of each kernel on each of the two machines. The machine's name precedes the quantity.
CREATE TEMP TABLE run_of AS
SELECT baseline + 1000000 * (study GLOB '*.wide') AS kernel, substr(study, 14) AS machine, r.* FROM result r WHERE study IN ('cart_schemes.narrow', 'cart_schemes.wide') ORDER BY n;
INSERT INTO kernel SELECT kernel, printf('%s (%.0f)', workload, coalesce(insts_per_l2_miss, 0)), group_name FROM run_of WHERE n = baseline;
INSERT INTO figure_of SELECT kernel, scheme, machine || ' ' || key, value FROM run_of, json_each(json_object('IPC', ipc, 'L2 stalls', l2_refusals, 'L2 hits', l2_hits,
    'row conflicts', dram_row_conflicts, 'bank-level parallelism', coalesce(dram_bank_parallelism, 0), 'L2 misses', l2_primary_misses + l2_write_misses + l2_bypasses,
    'DRAM efficiency', 1.0 * dram_active_cycles / dram_cycles, 'fill stalls', 1.0 * reorder_stalls / l2_cycles, 'requests', coalesce(reorder_queue_mean, 0),
    'reply queue', 1.0 * l2_refusals_reply_queue / max(l2_refusals, 1), 'data bus', 1.0 * dram_busy_cycles / dram_cycles));

-- Schemes of each section. The sizes of CART have a section of their own.
CREATE TEMP TABLE section(title, machine, kinds, sizes);
INSERT INTO section VALUES ('## cart28', 'narrow', '["memory", "compute", "all"]', 0),
    ('## cart28 with replies of one flit (-s icnt.flit_bytes=136)', 'wide', '["memory", "compute", "all"]', 0),
    ('## Size of CART, FIFOs of equal capacity, other readings of its description, and a linear L1D index: memory-intensive kernels on cart28 with replies of one flit', 'wide', '["memory"]', 1),
    ('## Other readings of CART''s description: memory-intensive kernels on cart28', 'narrow', '["memory"]', 1);
CREATE TEMP TABLE shown AS
SELECT s.rowid AS of, s.title AS section, machine, scheme FROM section s JOIN run_of USING (machine)
WHERE scheme <> 'base' AND (sizes = (scheme GLOB '[0-9]R*' OR scheme GLOB 'cart+[bcl]*' OR scheme = 'linear' OR scheme GLOB 'fifo*') OR scheme IN ('cart', 'fifo264')) GROUP BY s.rowid, scheme ORDER BY s.rowid, min(n);
CREATE TEMP TABLE title(kind, text);
INSERT INTO title VALUES
    ('memory', 'IPC over the baseline''s, memory-intensive kernels (last line but one: geometric mean); in brackets thread instructions per L2 miss of the baseline'),
    ('compute', 'IPC over the baseline''s, compute-intensive kernels (last line but one: geometric mean; the paper: MRPB and RACB within 1 %); in brackets thread instructions per L2 miss of the baseline'),
    ('all', 'All kernels, IPC over the baseline''s (the paper does not say how many bank queues)');
INSERT INTO ratio SELECT section, t.text, nullif(kind, 'all'), scheme, scheme, 'base', s.machine || ' IPC', 0, 'IPC over the baseline'
FROM section s JOIN shown ON "of" = s.rowid JOIN json_each(kinds) k JOIN title t ON t.kind = k.value WHERE (kind = 'all' OR kind IN (SELECT kind FROM kernel))
    AND (kind = 'memory' OR scheme IN (SELECT scheme FROM run_of WHERE group_name = 'compute') OR 'compute' NOT IN (SELECT kind FROM kernel))
ORDER BY "of", k.id, shown.rowid;
INSERT INTO cell SELECT * FROM ratio_cell WHERE title NOT LIKE 'All%' OR line IN ('**mean, all**', 'paper');

-- Other figures, of memory-intensive kernels. how: the change of the geometric mean over the baseline's, where that is not 0 (a value that falls to 0
-- counts as a thousandth), with the paper's; that of the sum; or the mean value.
CREATE TEMP TABLE line(name, text, how, format);
INSERT INTO line VALUES
    ('L2 stalls', 'L2 stalls: refused cycles', 'mean', NULL), ('L2 stalls', 'L2 stalls, sum', 'sum', NULL),
    ('row conflicts', 'row conflicts', 'mean', NULL), ('row conflicts', 'row conflicts, sum', 'sum', NULL),
    ('bank-level parallelism', 'bank-level parallelism', 'mean', NULL), ('L2 misses', 'L2 misses', 'mean', NULL),
    ('DRAM efficiency', 'DRAM efficiency: active cycles', 'mean', NULL),
    ('fill stalls', 'fill stalls of the tree or queues, of L2 cycles', 'value', '%.2f'), ('requests', 'requests in it', 'value', '%.1f'),
    ('reply queue', 'L2 stalls that are for the reply queue', 'value', '%.2f'), ('data bus', 'DRAM data bus busy', 'value', '%.2f');
CREATE TEMP TABLE others AS SELECT 'Memory-intensive kernels: geometric means over the baseline''s, and changes of sums; the paper''s figures in brackets' AS title;
INSERT INTO cell SELECT section, title, 'kernel', scheme FROM others, shown ORDER BY shown.rowid;
INSERT INTO cell SELECT section, title, l.text, CASE how
    WHEN 'mean' THEN printf('%+.1f %%', 100 * (coalesce(exp(avg(ln(max(a.value / b.value, 0.001)))), 1) - 1)) || iif(p.value IS NULL, '', printf(' (%+.1f)', 100 * p.value - 100))
    WHEN 'sum' THEN iif(sum(b.value), printf('%+.1f %%', 100 * (sum(a.value) / sum(b.value) - 1)), 'none')
    ELSE printf(format, avg(a.value)) END
FROM others, line l JOIN shown s JOIN kernel k ON kind = 'memory' JOIN figure_of a ON a.kernel = k.id AND a.scheme = s.scheme AND a.quantity = machine || ' ' || name
    JOIN figure_of b ON b.kernel = k.id AND b.scheme = 'base' AND b.quantity = a.quantity LEFT JOIN paper p ON p.quantity = name || ' over the baseline' AND p.scheme = s.scheme
GROUP BY l.rowid, s.rowid;
INSERT INTO cell SELECT title, '![IPC of the schemes over the baseline](cart_schemes_' || machine || '.svg)', NULL, NULL FROM section WHERE NOT sizes;

-- ---- Means without the two kernels that gain most with CART; per kernel: Figures 2.2c and 2.10, Table 2.3 ----
CREATE TEMP TABLE extra AS SELECT '## Kernel by kernel: memory-intensive, replies of one flit' AS section, 'IPC over the baseline''s, memory-intensive kernels without the two that gain most with CART here (the dissertation names Transpose alone)' AS without,
    'Thread instructions per L2 miss (Table 2.3)' AS table23;
-- For each machine.
CREATE TEMP TABLE two AS SELECT machine, kernel, substr(label, 1, instr(replace(label, ' ', ':'), ':') - 1) AS name
FROM (SELECT m.value AS machine, q.*, row_number() OVER (PARTITION BY m.value ORDER BY x DESC) AS at FROM json_each('["narrow", "wide"]') m JOIN quotient q ON quantity = m.value || ' IPC'
    WHERE scheme = 'cart' AND base = 'base' AND kind = 'memory') WHERE at <= 2;
INSERT INTO cell SELECT s.section, without, 'kernels', scheme FROM extra, shown s WHERE "of" <= 2 AND EXISTS (SELECT * FROM two) ORDER BY s.rowid;
INSERT INTO cell SELECT s.section, without, 'all but ' || (SELECT group_concat(name, ' and ') FROM two WHERE two.machine = s.machine), iif(count(x), printf('%.3f', exp(avg(ln(x)))), '-')
FROM extra, shown s LEFT JOIN quotient q ON q.scheme = s.scheme AND base = 'base' AND quantity = s.machine || ' IPC' AND kind = 'memory'
    AND NOT EXISTS (SELECT * FROM two WHERE two.machine = s.machine AND two.kernel = q.kernel)
WHERE "of" <= 2 AND EXISTS (SELECT * FROM two) GROUP BY s.rowid ORDER BY s.rowid;
CREATE TEMP TABLE detail_of(title, scheme, quantity);
INSERT INTO detail_of VALUES ('L2 stalls (2.2c)', 'nonblocking', 'wide L2 stalls'), ('row conflicts (2.10a)', 'cart', 'wide row conflicts'), ('L2 hits (2.10b)', 'cart', 'wide L2 hits'),
    ('bank-level parallelism (2.10c)', 'cart', 'wide bank-level parallelism');
INSERT INTO ratio SELECT section, 'Over the baseline''s: L2 stalls of the non-blocking buffer (Figure 2.2c; the paper''s mean: 0.312); with CART row conflicts (2.10a; 0.877), L2 hits, banks at work',
    'memory', d.title, d.scheme, 'base', d.quantity, 0, NULL
FROM extra, detail_of d WHERE EXISTS (SELECT * FROM kernel WHERE kind = 'memory') ORDER BY d.rowid;
INSERT INTO cell SELECT * FROM ratio_cell WHERE section = (SELECT section FROM extra);
CREATE TEMP TABLE table23 AS SELECT w.n, w.workload, w.group_name, coalesce(insts_per_l2_miss, 0) AS here, p.value AS paper
FROM run_of w JOIN paper23 p ON p.kernel = substr(w.workload, 1, instr(w.workload || ':', ':') - 1) WHERE w.n = w.baseline AND machine = 'wide';
INSERT INTO cell SELECT section, table23, 'kernel', value FROM extra, json_each('["type", "here", "paper", "here / paper"]') WHERE EXISTS (SELECT * FROM temp.table23);
INSERT INTO cell SELECT section, extra.table23, workload, printf('%s | %.0f | %d | %.2f', group_name, here, paper, here / paper) FROM extra, table23 t ORDER BY n;
INSERT INTO cell SELECT section, printf('%d of %d kernels differ by more than 1.5 times.%s', count(*) FILTER (WHERE here NOT BETWEEN paper / 1.5 AND paper * 1.5), count(*),
    coalesce(' Compute-intensive there, but not by its limit of 1500 here: ' || group_concat(workload, ', ') FILTER (WHERE group_name = 'compute' AND here < 1500) || '.', '')), NULL, NULL
FROM extra, table23 HAVING count(*) > 0;

-- ---- DRAM scheduler: x over the FIFO before the same scheduler; the last column over FR-FCFS ----
CREATE TEMP TABLE scheduled AS
SELECT '## The DRAM''s scheduler: memory-intensive kernels, replies of one flit' AS section, r.n, r.workload, r.scheme || iif(r.axes ->> '$."dram.scheduler"' = 'fcfs', ', FCFS', ', FR-FCFS') AS col,
    r.ipc / b.ipc AS ipc, 1.0 * r.dram_row_conflicts / nullif(b.dram_row_conflicts, 0) AS conflicts
FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline WHERE r.study = 'cart_schemes.fcfs' AND r.n <> r.baseline;
INSERT INTO scheduled SELECT section, f.n, f.workload, 'FCFS over FR-FCFS', f.ipc / r.ipc, 1.0 * f.dram_row_conflicts / nullif(r.dram_row_conflicts, 0)
FROM (SELECT DISTINCT section FROM scheduled), result f JOIN result r USING (study, workload, scheme) WHERE study = 'cart_schemes.fcfs' AND scheme = 'base' AND f.axes ->> '$."dram.scheduler"' = 'fcfs' AND r.axes ->> '$."dram.scheduler"' = 'frfcfs';
CREATE TEMP TABLE scheduled_column AS SELECT col, row_number() OVER (ORDER BY col GLOB 'FCFS*', col GLOB '*, FCFS', min(n)) AS at FROM scheduled GROUP BY col;
CREATE TEMP TABLE scheduled_title AS SELECT 'IPC over the baseline''s before the same scheduler; with the baseline, that of FCFS over that of FR-FCFS' AS title;
INSERT INTO cell SELECT section, title, 'kernel', col FROM scheduled_title, scheduled JOIN scheduled_column USING (col) GROUP BY at ORDER BY at;
INSERT INTO cell SELECT section, title, workload, printf('%.3f', ipc) FROM scheduled_title, scheduled JOIN scheduled_column USING (col)
ORDER BY (SELECT min(n) FROM scheduled q WHERE q.workload = scheduled.workload), at;
INSERT INTO cell SELECT section, title, '**mean**', printf('**%.3f**', exp(avg(ln(ipc)))) FROM scheduled_title, scheduled JOIN scheduled_column USING (col) GROUP BY at ORDER BY at;
INSERT INTO cell SELECT section, title, '**row conflicts**', replace(printf('%.3f', exp(avg(ln(nullif(conflicts, 0))))), '0.000', '-') FROM scheduled_title, scheduled JOIN scheduled_column USING (col) GROUP BY at ORDER BY at;

-- ---- FIFO and CART with MRPB and RACB (CART's figures are those of the first sections), and with 15 SMs ----
CREATE TEMP TABLE more AS
SELECT iif(r.study GLOB '*.sms', '## 15 SMs: memory-intensive kernels', '## A FIFO of as many places beside MRPB and RACB: memory-intensive kernels') AS section,
    iif(r.study GLOB '*.sms', 'IPC over the baseline''s, also with 15 SMs', 'IPC over the baseline''s, which has neither') AS title, r.workload,
    r.scheme || iif(coalesce(r.axes ->> '$."icnt.flit_bytes"', iif(r.study GLOB '*.wide', 136, 32)) = 32, ', 32 B flits', ', one flit') AS col,
    coalesce(r.axes ->> '$."icnt.flit_bytes"', iif(r.study GLOB '*.wide', 136, 32)) * 4 + 2 * (r.scheme GLOB '*racb') + (r.scheme GLOB 'cart*') AS at, r.ipc / b.ipc AS x,
    (SELECT min(n) FROM result k WHERE k.study = 'cart_schemes.beside' AND k.workload = r.workload) AS kernel
FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline
WHERE r.n <> r.baseline AND (r.study IN ('cart_schemes.beside', 'cart_schemes.sms') OR r.study IN ('cart_schemes.narrow', 'cart_schemes.wide') AND r.scheme IN ('cart+mrpb', 'cart+racb') AND r.group_name = 'memory');
INSERT INTO cell SELECT section, title, 'kernel', col FROM more GROUP BY section, at ORDER BY section DESC, at;
INSERT INTO cell SELECT section, title, workload, printf('%.3f', x) FROM more ORDER BY section DESC, kernel, at;
INSERT INTO cell SELECT section, title, '**mean**', printf('**%.3f**', exp(avg(ln(x)))) FROM more GROUP BY section, at ORDER BY section DESC, at;

-- ---- store misses that also go to DRAM, and warp schedulers; the last column is the FIFO with these store misses over that without ----
CREATE TEMP TABLE varied AS
SELECT '## Store misses and warp schedulers: memory-intensive kernels, replies of one flit' AS section,
    'IPC over the FIFO''s on the same machine; `both`: store misses go to DRAM too, as in GPGPU-Sim 3.2.2' AS title,
    r.n, r.workload, r.scheme, r.ipc, r.ipc / b.ipc AS x, r.axes ->> '$."l2.write_fetch"' AS stores, r.axes ->> '$."sm.scheduler"' AS scheduler
FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline WHERE r.study = 'cart_schemes.stores';
CREATE TEMP TABLE varied_cell AS
SELECT section, title, n, workload, x, printf('%s, %s, %s', scheme, stores, scheduler) AS col, row_number() OVER (PARTITION BY workload ORDER BY stores DESC, scheme DESC, scheduler) AS at
FROM varied WHERE scheme <> 'base';
INSERT INTO varied_cell SELECT section, title, b.n, workload, b.ipc / f.ipc, 'base, both over fetch, gto', 99
FROM varied b JOIN varied f USING (section, title, workload, scheme, scheduler) WHERE scheme = 'base' AND scheduler = 'gto' AND b.stores = 'both' AND f.stores = 'fetch';
INSERT INTO cell SELECT section, title, 'kernel', col FROM varied_cell GROUP BY at ORDER BY at;
INSERT INTO cell SELECT section, title, workload, printf('%.3f', x) FROM varied_cell ORDER BY (SELECT min(n) FROM varied v WHERE v.workload = varied_cell.workload), at;
INSERT INTO cell SELECT section, title, '**mean**', printf('**%.3f**', exp(avg(ln(x)))) FROM varied_cell GROUP BY at ORDER BY at;

CREATE TEMP TABLE other AS SELECT '## Other kernels, replies of one flit' AS section, 'IPC over the baseline''s' AS title, r.n, r.workload, r.scheme, r.ipc / b.ipc AS x
FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline WHERE r.study = 'cart_schemes.others' AND r.n <> r.baseline;
INSERT INTO cell SELECT section, title, 'kernel', scheme FROM other GROUP BY scheme ORDER BY min(n);
INSERT INTO cell SELECT section, title, workload, printf('%.3f', x) FROM other ORDER BY n;
INSERT INTO cell SELECT section, title, '**mean**', printf('**%.3f**', exp(avg(ln(x)))) FROM other GROUP BY scheme ORDER BY min(n);

SELECT * FROM page;

-- Data of the plots.
CREATE TEMP VIEW plot AS
SELECT substr(label, 1, instr(replace(label, ' ', ':'), ':') - 1) AS kernel,
    max(x) FILTER (WHERE scheme = 'bq16') AS "bank queues", max(x) FILTER (WHERE scheme = 'cart') AS "CART",
    max(x) FILTER (WHERE scheme = 'mrpb') AS "MRPB", max(x) FILTER (WHERE scheme = 'racb') AS "RACB",
    max(x) FILTER (WHERE scheme = 'cart+mrpb') AS "CART+MRPB", max(x) FILTER (WHERE scheme = 'cart+racb') AS "CART+RACB", quantity
FROM quotient q WHERE base = 'base' GROUP BY quantity, q.kernel;
.mode tabs
.headers on
.output cart_schemes_narrow.dat
SELECT kernel, "bank queues", "CART", "MRPB", "RACB", "CART+MRPB", "CART+RACB" FROM plot WHERE quantity = 'narrow IPC';
.output cart_schemes_wide.dat
SELECT kernel, "bank queues", "CART", "MRPB", "RACB", "CART+MRPB", "CART+RACB" FROM plot WHERE quantity = 'wide IPC';
