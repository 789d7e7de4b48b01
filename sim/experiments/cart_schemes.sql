-- SPDX-License-Identifier: Apache-2.0
-- docs/results/cart_schemes.md.
SELECT '# What stands before the L2 banks, on cart28

Written by `make experiment-cart` (`sim/experiments/cart_schemes.*.ini`, which say what each scheme is, and `.sql`); what to make of it: [cart.md](cart.md).
Paper: Gu, PhD dissertation, Oregon State University, chapter 2; "-": it gives no figure.';

-- The kernels by kind: memory-intensive are those of fewer than 1500 thread instructions per L2 miss in the baseline.
CREATE TEMP TABLE kind_of AS
SELECT study, workload AS name, coalesce(insts_per_l2_miss, 0) AS insts, iif(coalesce(insts_per_l2_miss, 0) < 1500, 'memory', 'compute') AS kind
FROM result WHERE scheme = 'base' AND study LIKE 'cart_schemes.%';

-- What each section shows: the sizes of CART stand in one of their own.
CREATE TEMP TABLE section(title, study, schemes);
INSERT INTO section VALUES
    ('## cart28', 'cart_schemes.narrow', 'all'),
    ('## cart28 with replies of one flit (-s icnt.flit_bytes=136)', 'cart_schemes.wide', 'all'),
    ('## Size of CART: memory-intensive kernels on cart28 with replies of one flit', 'cart_schemes.wide', 'sizes');
CREATE TEMP TABLE shown AS
SELECT s.title AS section, r.n, r.baseline, r.study, r.scheme, r.workload AS kernel, k.insts, k.kind
FROM section s JOIN result r ON r.study = s.study JOIN kind_of k ON k.study = r.study AND k.name = r.workload
WHERE r.n <> r.baseline AND (s.schemes = 'all' AND r.scheme NOT GLOB '[0-9]R*' OR
    s.schemes = 'sizes' AND (r.scheme = 'cart' OR r.scheme GLOB '[0-9]R*') AND k.kind = 'memory')
ORDER BY s.rowid, r.n;

-- Figures of a run, a row each; of it and its baseline.
CREATE TEMP TABLE figure AS
SELECT study, n, 'IPC' AS name, ipc AS value FROM result UNION ALL
SELECT study, n, 'L2 stalls', l2_rf FROM result UNION ALL
SELECT study, n, 'row conflicts', dram_row_conflicts FROM result UNION ALL
SELECT study, n, 'bank-level parallelism', coalesce(dram_bank_parallelism, 0) FROM result UNION ALL
SELECT study, n, 'L2 misses', l2_primary + l2_write_misses + l2_bypassed FROM result UNION ALL
SELECT study, n, 'DRAM efficiency', 1.0 * dram_active_cycles / dram_cycles FROM result UNION ALL
SELECT study, n, 'fill stalls', 1.0 * reorder_stalls / l2_cycles FROM result UNION ALL
SELECT study, n, 'requests', coalesce(reorder_queue_mean, 0) FROM result UNION ALL
SELECT study, n, 'reply queue', 1.0 * l2_rf_rsp_queue / max(l2_rf, 1) FROM result UNION ALL
SELECT study, n, 'data bus', 1.0 * dram_busy_cycles / dram_cycles FROM result;
CREATE INDEX temp.by_name ON figure(study, n, name);
CREATE TEMP VIEW pair AS
SELECT s.*, r.name, r.value, b.value AS base, 1.0 * r.value / b.value AS ratio
FROM shown s JOIN figure r ON r.study = s.study AND r.n = s.n JOIN figure b ON b.study = s.study AND b.n = s.baseline AND b.name = r.name;

-- Geometric means over the baseline, where that is not 0 (one that falls to 0 counts as a thousandth), and changes of sums in percent.
CREATE TEMP TABLE mean AS
SELECT section, scheme, kind, name, min(n) AS n, exp(avg(ln(max(ratio, 0.001))) FILTER (WHERE base <> 0)) AS ratio,
    100 * (1.0 * sum(value) / nullif(sum(base), 0) - 1) AS change, avg(value) AS value
FROM pair GROUP BY section, scheme, kind, name UNION ALL
SELECT section, scheme, 'all', name, min(n), exp(avg(ln(max(ratio, 0.001))) FILTER (WHERE base <> 0)), NULL, NULL
FROM pair GROUP BY section, scheme, name HAVING count(DISTINCT kind) = 2;

CREATE TEMP TABLE title(kind, text);
INSERT INTO title VALUES
    ('memory', 'IPC over the baseline''s, memory-intensive kernels (last line but one: geometric mean); in brackets thread instructions per L2 miss of the baseline'),
    ('compute', 'IPC over the baseline''s, compute-intensive kernels (last line but one: geometric mean); in brackets thread instructions per L2 miss of the baseline'),
    ('all', 'All kernels, IPC over the baseline''s');

-- IPC: heads, kernels, means, and what the paper says.
INSERT INTO cell SELECT m.section, t.text, 'kernel', m.scheme
FROM section s JOIN mean m ON m.section = s.title JOIN title t USING (kind) WHERE m.name = 'IPC' ORDER BY s.rowid, t.rowid, m.n;
INSERT INTO cell SELECT section, t.text, printf('%s (%.0f)', kernel, insts), printf('%.3f', ratio)
FROM pair JOIN title t USING (kind) WHERE name = 'IPC' ORDER BY n;
INSERT INTO cell SELECT section, t.text, '**mean**', printf('**%.3f**', ratio) FROM mean JOIN title t USING (kind) WHERE name = 'IPC' ORDER BY n;
INSERT INTO cell SELECT m.section, t.text, 'paper', iif(p.value IS NULL, '-', coalesce(p.note, printf('%.3f', p.value)))
FROM section s JOIN mean m ON m.section = s.title JOIN title t USING (kind)
    LEFT JOIN paper p ON p.study = s.study AND p.quantity = 'IPC over the baseline' AND p.scheme = m.scheme AND p.grp = m.kind
WHERE m.name = 'IPC' ORDER BY m.n;

-- The other figures, of memory-intensive kernels. how: the change of the geometric mean (with the paper's), that of the sum, or the mean value.
CREATE TEMP TABLE line(name, text, how, format);
INSERT INTO line VALUES
    ('L2 stalls', 'L2 stalls: refused cycles', 'mean', NULL), ('L2 stalls', 'L2 stalls, sum', 'sum', NULL),
    ('row conflicts', 'row conflicts', 'mean', NULL), ('row conflicts', 'row conflicts, sum', 'sum', NULL),
    ('bank-level parallelism', 'bank-level parallelism', 'mean', NULL), ('L2 misses', 'L2 misses', 'mean', NULL),
    ('DRAM efficiency', 'DRAM efficiency: active cycles', 'mean', NULL),
    ('fill stalls', 'fill stalls of the tree or queues, of L2 cycles', 'value', '%.2f'), ('requests', 'requests in it', 'value', '%.1f'),
    ('reply queue', 'L2 stalls that are for the reply queue', 'value', '%.2f'), ('data bus', 'DRAM data bus busy', 'value', '%.2f');
CREATE TEMP TABLE others AS
SELECT 'Memory-intensive kernels: geometric means over the baseline''s, and changes of sums; the paper''s figures in brackets' AS title;

INSERT INTO cell SELECT section, title, 'kernel', scheme FROM mean, others WHERE kind = 'memory' AND name = 'IPC' ORDER BY n;
INSERT INTO cell SELECT m.section, o.title, l.text, CASE how
    WHEN 'mean' THEN printf('%+.1f %%', 100 * (coalesce(m.ratio, 1) - 1)) || iif(p.value IS NULL, '', printf(' (%+.1f)', p.value))
    WHEN 'sum' THEN iif(m.change IS NULL, 'none', printf('%+.1f %%', m.change))
    ELSE printf(l.format, m.value) END
FROM others o, line l JOIN mean m USING (name) JOIN section s ON s.title = m.section
    LEFT JOIN paper p ON p.study = s.study AND p.quantity = l.name || ', change' AND p.scheme = m.scheme AND how = 'mean'
WHERE m.kind = 'memory' ORDER BY l.rowid, m.n;

INSERT INTO cell SELECT DISTINCT section, '![IPC of the schemes over the baseline](' || replace(study, '.', '_') || '.svg)', NULL, NULL
FROM shown WHERE scheme = 'bq16';

SELECT * FROM page;

-- Data of the plots.
CREATE TEMP VIEW plot AS
SELECT study, substr(kernel, 1, instr(kernel || ':', ':') - 1) AS kernel, min(n) AS n,
    max(ratio) FILTER (WHERE scheme = 'bq16') AS "bank queues", max(ratio) FILTER (WHERE scheme = 'cart') AS "CART",
    max(ratio) FILTER (WHERE scheme = 'mrpb') AS "MRPB", max(ratio) FILTER (WHERE scheme = 'racb') AS "RACB",
    max(ratio) FILTER (WHERE scheme = 'cart+mrpb') AS "CART+MRPB", max(ratio) FILTER (WHERE scheme = 'cart+racb') AS "CART+RACB"
FROM pair WHERE name = 'IPC' GROUP BY study, pair.kernel;
.mode tabs
.headers on
.output cart_schemes_narrow.dat
SELECT kernel, "bank queues", "CART", "MRPB", "RACB", "CART+MRPB", "CART+RACB" FROM plot WHERE study = 'cart_schemes.narrow' ORDER BY n;
.output cart_schemes_wide.dat
SELECT kernel, "bank queues", "CART", "MRPB", "RACB", "CART+MRPB", "CART+RACB" FROM plot WHERE study = 'cart_schemes.wide' ORDER BY n;
