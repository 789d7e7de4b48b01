-- SPDX-License-Identifier: Apache-2.0
-- Derives Warped-Slicer's CTAs and SMK's quotas from the curves of the kernels alone, for the studies concurrent_kernels.*.ini.sql.
CREATE TEMP TABLE kernel(k INTEGER PRIMARY KEY, name, threads, registers, shared);
INSERT INTO kernel VALUES (1, 'hs', 256, 256 * 36, 3072), (2, 'pf', 256, 256 * 16, 2048), (3, 'bp', 256, 256 * 12, 1088), (4, 'sv', 192, 192 * 16, 0),
    (5, '3m', 256, 256 * 12, 0), (6, 'ks', 256, 256 * 12, 0), (7, 'ax', 256, 256 * 12, 0);
-- Capacity of an SM.
CREATE TEMP TABLE sm AS
SELECT max(value) FILTER (WHERE key = 'sm.ctas') AS ctas, max(value) FILTER (WHERE key = 'sm.warps') * 32 AS threads,
    max(value) FILTER (WHERE key = 'sm.registers') AS registers, max(value) FILTER (WHERE key = 'sm.shared_kib') * 1024 AS shared
FROM config_value JOIN run USING(config) JOIN result ON result.run = run.id WHERE study = 'concurrent_kernels.1_alone';

-- p: IPC relative to the best of the curve. quota: SMK's W, the instructions of an SM per 1,000 cycles with all CTAs that fit.
CREATE TEMP TABLE curve AS
SELECT k.*, r.workload, CAST(substr(r.scheme, 4) AS INTEGER) AS n, r.thread_ipc / max(r.thread_ipc) OVER (PARTITION BY k.k) AS p,
    max(1, CAST(round(1000 * last_value(r.ipc) OVER (PARTITION BY k.k ORDER BY CAST(substr(r.scheme, 4) AS INTEGER) ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) / 16) AS INTEGER)) AS quota
FROM result r JOIN kernel k ON r.scheme GLOB k.name || '.*' WHERE r.study = 'concurrent_kernels.1_alone' AND r.state = 'done';

-- Warped-Slicer: among all CTAs that fit, those with the greatest minimum p; on a tie the greatest sum, the fewest CTAs, the most of the first kernel.
CREATE TEMP TABLE sliced AS
SELECT *, row_number() OVER (PARTITION BY name ORDER BY least DESC, total DESC, ctas, first DESC) AS rank FROM (
    SELECT a.name || '+' || b.name AS name, a.workload || '+' || b.workload AS workload, a.quota || ',' || b.quota AS quotas, a.n || ',' || b.n AS list, min(a.p, b.p) AS least, a.p + b.p AS total, a.n + b.n AS ctas, a.n AS first
    FROM sm, curve a JOIN curve b ON a.k < b.k
    WHERE a.n + b.n <= sm.ctas AND a.n * a.threads + b.n * b.threads <= sm.threads AND a.n * a.registers + b.n * b.registers <= sm.registers AND a.n * a.shared + b.n * b.shared <= sm.shared
    UNION ALL
    SELECT a.name || '+' || b.name || '+' || c.name, a.workload || '+' || b.workload || '+' || c.workload, a.quota || ',' || b.quota || ',' || c.quota, a.n || ',' || b.n || ',' || c.n, min(a.p, b.p, c.p), a.p + b.p + c.p, a.n + b.n + c.n, a.n
    FROM sm, curve a JOIN curve b ON a.k < b.k JOIN curve c ON b.k < c.k
    WHERE a.n + b.n + c.n <= sm.ctas AND a.n * a.threads + b.n * b.threads + c.n * c.threads <= sm.threads
        AND a.n * a.registers + b.n * b.registers + c.n * c.registers <= sm.registers AND a.n * a.shared + b.n * b.shared + c.n * c.shared <= sm.shared);

CREATE TEMP VIEW cycles AS
SELECT max(value) AS cycles FROM config_value JOIN run USING(config) JOIN result ON result.run = run.id WHERE study = 'concurrent_kernels.1_alone' AND key = 'sim.max_cycles';
CREATE TEMP VIEW head AS
SELECT '[study]
config = maxwell16_cke
reference = paper.csv

[set]
cke.restart = launch
sim.max_cycles = ' || cycles || '
' AS text FROM cycles;
-- Groups: one pair or triple each; `sizes` lacks its quotas.
CREATE TEMP VIEW mix AS
SELECT name, length(name) - length(replace(name, '+', '')) + 1 AS n, '[group ' || name || ']
workload = ' || workload || '
cke.partition = ' || list || '
cke.quotas = ' || quotas || '
' AS text, '[group ' || name || ']
workload = ' || workload || '
cke.partition = ' || list || '
' AS sizes FROM sliced WHERE rank = 1;
