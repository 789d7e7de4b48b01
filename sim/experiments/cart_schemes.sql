-- SPDX-License-Identifier: Apache-2.0
-- The page of the study cart_schemes.
SELECT '# What stands before the L2 banks, on cart28

Written by `make experiment-cart` (`sim/experiments/cart_schemes.*.ini`, which say what each scheme is, and `.sql`).
Paper: Gu, PhD dissertation, Oregon State University, chapter 2; "-": it gives no figure.';

-- Figures of each kernel on each of the two machines, whose name stands before the quantity.
CREATE TEMP TABLE run_of AS
SELECT baseline + 1000000 * (study GLOB '*.wide') AS kernel, substr(study, 14) AS machine, r.* FROM result r WHERE study GLOB 'cart_schemes.*' ORDER BY n;
INSERT INTO kernel SELECT kernel, printf('%s (%.0f)', workload, coalesce(insts_per_l2_miss, 0)), group_name FROM run_of WHERE n = baseline;
INSERT INTO figure_of SELECT kernel, scheme, machine || ' ' || key, value FROM run_of, json_each(json_object('IPC', ipc, 'L2 stalls', l2_rf,
    'row conflicts', dram_row_conflicts, 'bank-level parallelism', coalesce(dram_bank_parallelism, 0), 'L2 misses', l2_primary + l2_write_misses + l2_bypassed,
    'DRAM efficiency', 1.0 * dram_active_cycles / dram_cycles, 'fill stalls', 1.0 * reorder_stalls / l2_cycles, 'requests', coalesce(reorder_queue_mean, 0),
    'reply queue', 1.0 * l2_rf_rsp_queue / max(l2_rf, 1), 'data bus', 1.0 * dram_busy_cycles / dram_cycles));

-- What each section shows: the sizes of CART stand in one of their own.
CREATE TEMP TABLE section(title, machine, kinds, sizes);
INSERT INTO section VALUES ('## cart28', 'narrow', '["memory", "compute", "all"]', 0),
    ('## cart28 with replies of one flit (-s icnt.flit_bytes=136)', 'wide', '["memory", "compute", "all"]', 0),
    ('## Size of CART: memory-intensive kernels on cart28 with replies of one flit', 'wide', '["memory"]', 1);
CREATE TEMP TABLE shown AS
SELECT s.rowid AS of, s.title AS section, machine, scheme FROM section s JOIN run_of USING (machine)
WHERE scheme <> 'base' AND (sizes = (scheme GLOB '[0-9]R*') OR sizes AND scheme = 'cart') GROUP BY s.rowid, scheme ORDER BY s.rowid, min(n);
CREATE TEMP TABLE title(kind, text);
INSERT INTO title VALUES
    ('memory', 'IPC over the baseline''s, memory-intensive kernels (last line but one: geometric mean); in brackets thread instructions per L2 miss of the baseline'),
    ('compute', 'IPC over the baseline''s, compute-intensive kernels (last line but one: geometric mean; the paper: MRPB and RACB within 1 %); in brackets thread instructions per L2 miss of the baseline'),
    ('all', 'All kernels, IPC over the baseline''s (the paper does not say how many bank queues)');
INSERT INTO ratio SELECT section, t.text, nullif(kind, 'all'), scheme, scheme, 'base', s.machine || ' IPC', 0, 'IPC over the baseline'
FROM section s JOIN shown ON "of" = s.rowid JOIN json_each(kinds) k JOIN title t ON t.kind = k.value WHERE kind = 'all' OR kind IN (SELECT kind FROM kernel)
ORDER BY "of", k.id, shown.rowid;
INSERT INTO cell SELECT * FROM ratio_cell WHERE title NOT LIKE 'All%' OR line IN ('**mean, all**', 'paper');

-- The other figures, of memory-intensive kernels. how: the change of the geometric mean over the baseline's, where that is not 0 (one that falls to 0
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
